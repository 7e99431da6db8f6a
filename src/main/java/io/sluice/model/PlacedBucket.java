package io.sluice.model;

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
