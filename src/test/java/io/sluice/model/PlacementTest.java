package io.sluice.model;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PlacementTest {

  /** Two instances that PUT the same SKU at the same time must place it alike. */
  @ParameterizedTest
  @CsvSource({
    "1, 0, 7, 55",
    "1, 1, 3, 19",
    "1, 255, 5, 45",
    "1001, 0, 4, 28",
    "1001, 1, 0, 32",
    "1001, 255, 2, 2",
    "1002, 0, 1, 41",
    "9223372036854775807, 0, 6, 46",
    "9223372036854775807, 255, 3, 59"
  })
  void shouldPlaceANewBucketInTheSamePartitionForEver(long skuId, int bucket, int of8, int of64) {
    // when
    List<Integer> partitions =
        List.of(
            Placement.first(skuId, 256, 1).partitionOf(bucket),
            Placement.first(skuId, 256, 8).partitionOf(bucket),
            Placement.first(skuId, 256, 64).partitionOf(bucket));

    // then
    assertThat(partitions).containsExactly(0, of8, of64);
  }

  @Test
  void shouldSpreadBucketsEvenlyWhenThereAreManyPartitions() {
    // given
    int[] perPartition = new int[8];

    // when
    for (int skuId = 1; skuId <= 1_000; skuId++) {
      Placement.first(skuId, 16, perPartition.length)
          .partitions()
          .forEach(partition -> perPartition[partition]++);
    }

    // then
    assertThat(Arrays.stream(perPartition))
        .allSatisfy(count -> assertThat(count).isBetween(1_800, 2_200));
  }

  @Test
  void shouldPlaceAGroupInOnePartitionAndGroupsEvenly() {
    // given
    int[] perPartition = new int[8];

    // when
    for (int group = 0; group < 1_000; group++) {
      List<Integer> partitions = Placement.together("sale-" + group, 16, 8).partitions();
      assertThat(partitions).hasSize(16).containsOnly(partitions.get(0));
      perPartition[partitions.get(0)]++;
    }

    // then
    assertThat(Arrays.stream(perPartition))
        .allSatisfy(count -> assertThat(count).isBetween(80, 170));
  }
}
