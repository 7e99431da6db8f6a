package io.sluice.model;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class BucketIdTest {

  /** Stored tokens contain the bucket, so the assignment must never change. */
  @ParameterizedTest
  @CsvSource({"alice, 4, 244", "bob, 0, 224", "carol, 6, 14", "u-1, 7, 95", "a@b.c, 4, 20"})
  void shouldServeABuyerFromTheSameBucketForEver(String user, int of8, int of256) {
    // given
    long skuId = 1001;

    // when
    List<BucketId> buckets =
        List.of(
            BucketId.of(skuId, user, 1),
            BucketId.of(skuId, user, 8),
            BucketId.of(skuId, user, 256));

    // then
    assertThat(buckets).extracting(BucketId::bucket).containsExactly(0, of8, of256);
  }

  @Test
  void shouldSpreadBuyersEvenlyWhenThereAreManyBuckets() {
    // given
    int buyers = 100_000;
    int[] perBucket = new int[16];

    // when
    for (int i = 0; i < buyers; i++) {
      perBucket[BucketId.of(1001, "user-" + i, perBucket.length).bucket()]++;
    }

    // then
    assertThat(Arrays.stream(perBucket))
        .allSatisfy(count -> assertThat(count).isBetween(5_950, 6_550));
  }

  @Test
  void shouldSortBySkuThenByBucket() {
    // given
    List<BucketId> shuffled =
        List.of(new BucketId(2, 0), new BucketId(1, 10), new BucketId(1, 9), new BucketId(10, 0));

    // when
    var sorted = shuffled.stream().sorted().map(BucketId::toString);

    // then
    assertThat(sorted).containsExactly("1:9", "1:10", "2:0", "10:0");
  }
}
