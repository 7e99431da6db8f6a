package io.sluice.model;

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

  /**
   * The hash that routes buyers to buckets and buckets to partitions: 64-bit FNV-1a with a murmur
   * finalizer.
   *
   * <p>It is part of the stored format: tokens and partition numbers depend on it, so it must never
   * change.
   */
  static final class StableHash {
    private static final long OFFSET = 0xcbf29ce484222325L;
    private static final long PRIME = 0x100000001b3L;

    private StableHash() {}

    static long of(String text) {
      long hash = OFFSET;
      for (int i = 0; i < text.length(); i++) {
        hash = (hash ^ text.charAt(i)) * PRIME;
      }
      return mix(hash);
    }

    static long of(long skuId, int bucket) {
      return mix(mix(OFFSET ^ skuId) * PRIME ^ bucket);
    }

    private static long mix(long h) {
      long hash = h;
      hash = (hash ^ (hash >>> 33)) * 0xff51afd7ed558ccdL;
      hash = (hash ^ (hash >>> 33)) * 0xc4ceb9fe1a85ec53L;
      return hash ^ (hash >>> 33);
    }
  }
}
