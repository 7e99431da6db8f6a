package io.sluice.model;

/**
 * The hash that routes buyers to buckets and buckets to partitions: 64-bit FNV-1a with a murmur
 * finalizer.
 *
 * <p>It is part of the stored format: tokens and partition numbers depend on it, so it must never
 * change.
 */
final class StableHash {
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
