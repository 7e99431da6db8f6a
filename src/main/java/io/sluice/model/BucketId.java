package io.sluice.model;

import io.sluice.model.Placement.StableHash;

/**
 * One of the parts that a SKU's stock is split into; the unit of atomicity in Redis and of
 * ownership in the ledger.
 *
 * @param skuId the SKU, any positive BIGINT
 * @param bucket 0 to {@link Limits#BUCKETS_MAX} - 1
 */
public record BucketId(long skuId, int bucket) implements Comparable<BucketId> {

  /**
   * The bucket that serves this buyer. Every instance computes the same one, for the whole life of
   * the SKU.
   *
   * @param buckets of the SKU, at least 1
   */
  public static BucketId of(long skuId, String userId, int buckets) {
    return new BucketId(
        skuId, buckets == 1 ? 0 : (int) Long.remainderUnsigned(StableHash.of(userId), buckets));
  }

  @Override
  public int compareTo(BucketId other) {
    int bySku = Long.compare(skuId, other.skuId);
    return bySku != 0 ? bySku : Integer.compare(bucket, other.bucket);
  }

  @Override
  public String toString() {
    return skuId + ":" + bucket;
  }
}
