package io.sluice.testkit.site;

import io.sluice.model.BucketId;
import io.sluice.testkit.Placements;
import java.util.function.LongPredicate;
import java.util.stream.IntStream;
import java.util.stream.LongStream;

/** New SKU ids, chosen by the partitions of their buckets. */
public final class SkuIds {
  private SkuIds() {}

  /** An id whose buckets are spread over as many partitions as possible. */
  public static long spread(SaleSite site, int buckets) {
    int partitions = Math.min(buckets, site.partitions());
    return find(
        site,
        skuId ->
            IntStream.range(0, buckets)
                    .map(bucket -> partition(site, skuId, bucket))
                    .distinct()
                    .count()
                == partitions);
  }

  /** An id whose first bucket belongs to this partition. */
  public static long of(SaleSite site, int partition) {
    return find(site, skuId -> partition(site, skuId, 0) == partition);
  }

  private static int partition(SaleSite site, long skuId, int bucket) {
    return Placements.partitionOf(new BucketId(skuId, bucket), site.partitions());
  }

  private static long find(SaleSite site, LongPredicate wanted) {
    return LongStream.generate(site::newSkuId).filter(wanted).findFirst().orElseThrow();
  }
}
