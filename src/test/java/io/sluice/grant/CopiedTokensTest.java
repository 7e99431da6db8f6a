package io.sluice.grant;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.sluice.metrics.Meters;
import io.sluice.model.BucketId;
import io.sluice.model.Placement.PlacedBucket;
import io.sluice.model.Sku;
import io.sluice.model.SkuSettings;
import io.sluice.model.Skus;
import io.sluice.stock.BucketCode;
import io.sluice.stock.ReserveReply.Contents;
import io.sluice.stock.StockStore;
import io.sluice.stock.StockStore.EmptyBucket;
import io.sluice.stock.StockStore.TokenPage;
import io.sluice.testkit.Ports;
import io.vertx.core.Future;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The memory of all copies of an event loop has a limit. */
class CopiedTokensTest {
  private static final int FULL_COPIES = 8;

  /** Each a token and its buyer; the same in each bucket. */
  private final List<String> names =
      IntStream.range(0, TokenReplica.CopySpace.FINGERPRINTS_MAX / FULL_COPIES)
          .mapToObj(i -> (i % 2 == 0 ? "token-" : "buyer-") + i)
          .toList();

  private final ManualLoop time = new ManualLoop();
  private final SoldOutLeases unit =
      new SoldOutLeases(this::storeOf, time.loop(), new Meters(new SimpleMeterRegistry()));
  private final List<Integer> partitions = new ArrayList<>();
  private Contents contents = new Contents(1, 5, 0);
  private int reads;

  private StockStore storeOf(int partition) {
    partitions.add(partition);
    return Ports.partly(StockStore.class, this);
  }

  Future<TokenPage> tokens(BucketId bucket, String from, int limit) {
    reads++;
    return Future.succeededFuture(
        new TokenPage(BucketCode.OK, contents, names.size() / 2, StockStore.FIRST_PAGE, names));
  }

  @Test
  void shouldCopyNoFurtherBucketWhenTheCopiesAreLarge() {
    // when
    sellOut(7, FULL_COPIES + 1);

    // then
    assertThat(reads).isEqualTo(FULL_COPIES);
  }

  @Test
  void shouldCopyAgainOnceThoseOfAnEarlierSkuAreEvicted() {
    // given
    sellOut(7, FULL_COPIES);
    for (int sku = 1; sku < SoldOutLeases.SKUS_MAX; sku++) {
      sellOut(7 + sku, 1);
    }
    int whileFull = reads;

    // when
    sellOut(7 + SoldOutLeases.SKUS_MAX, 1);

    // then
    assertThat(whileFull).isEqualTo(FULL_COPIES);
    assertThat(reads).isEqualTo(FULL_COPIES + 1);
  }

  @Test
  void shouldCopyAgainWhatHasChangedThoughTheCopiesAreLarge() {
    // given
    sellOut(7, FULL_COPIES);
    contents = new Contents(1, 6, 0);
    time.advanceMs(1_000);

    // when
    sellOut(7, FULL_COPIES);

    // then
    assertThat(reads).isEqualTo(2 * FULL_COPIES);
  }

  @ParameterizedTest
  @CsvSource({"0, 8", "250, 9"})
  void shouldMakeRoomOnceTheLeasesOfTheCopiesAreOver(int afterMs, int expectedReads) {
    // given
    sellOut(7, FULL_COPIES);
    time.advanceMs(afterMs);

    // when
    sellOut(8, 1);
    sellOut(8, 1);

    // then
    assertThat(reads).isEqualTo(expectedReads);
  }

  /** A SKU may be in another partition in its next sale. */
  @Test
  void shouldCopyFromWhereTheBucketIsNow() {
    // given
    Sku sku = Skus.open(7, 1_000, 1, new SkuSettings(300, 0, 0, 0));

    // when
    for (int partition : new int[] {1, 1, 2, 2}) {
      unit.note(sku, new PlacedBucket(partition, new BucketId(7, 0)), soldOut(1));
    }

    // then
    assertThat(partitions).containsExactly(1, 2);
    assertThat(reads).isEqualTo(2);
  }

  private void sellOut(long skuId, int buckets) {
    Sku sku = Skus.open(skuId, 1_000, buckets, new SkuSettings(300, 0, 0, 0));
    for (int bucket = 0; bucket < buckets; bucket++) {
      unit.note(sku, sku.placed(bucket), soldOut(buckets));
    }
  }

  private SoldOutCheck.Finding.SoldOut soldOut(int buckets) {
    EmptyBucket empty =
        new EmptyBucket(BucketCode.OK, 5, 0, 1, 45, contents, StockStore.SOLD_OUT_MAX_MS);
    return SoldOutCheck.Finding.SoldOut.of(Collections.nCopies(buckets, empty), time.now());
  }
}
