package io.sluice.model;

import io.sluice.model.BucketId.StableHash;
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
