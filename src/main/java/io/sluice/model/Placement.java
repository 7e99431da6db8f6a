package io.sluice.model;

import java.util.Collections;
import java.util.List;
import java.util.stream.IntStream;

/**
 * The partitions of a SKU's buckets. They are data: the SKU's first PUT writes them into the
 * ledger, and everything else reads them from there.
 *
 * @param partitions of each bucket, in bucket order
 */
public record Placement(List<Integer> partitions) {
  /** Where buckets are that sell in the ledger alone: in no partition of the order log. */
  public static final int DIRECT = -1;

  public Placement {
    partitions = List.copyOf(partitions);
  }

  /**
   * Where a new SKU's buckets are placed. Nothing but its first PUT may call this: a bucket that
   * was placed once may be elsewhere now.
   *
   * @param of the number of partitions of the order log
   */
  public static Placement first(long skuId, int buckets, int of) {
    return new Placement(
        IntStream.range(0, buckets)
            .map(bucket -> (int) Long.remainderUnsigned(StableHash.of(skuId, bucket), of))
            .boxed()
            .toList());
  }

  /**
   * Where the buckets of a new SKU are placed that may share a cart with others: all of a group in
   * one partition.
   *
   * @param of the number of partitions of the order log
   */
  public static Placement together(String group, int buckets, int of) {
    int partition = (int) Long.remainderUnsigned(StableHash.of(group), of);
    return new Placement(Collections.nCopies(buckets, partition));
  }

  /** That of a SKU which sells in the ledger alone. */
  public static Placement direct(int buckets) {
    return new Placement(Collections.nCopies(buckets, DIRECT));
  }

  /** The partition of this bucket of the SKU. */
  public int partitionOf(int bucket) {
    return partitions.get(bucket);
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

  /**
   * A bucket and the partition that it is in, read with its SKU.
   *
   * @param partition of the order log, from 0
   */
  public record PlacedBucket(int partition, BucketId id) {

    @Override
    public String toString() {
      return id + " in partition " + partition;
    }
  }
}
