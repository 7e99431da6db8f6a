package io.sluice.testkit;

import io.sluice.model.BucketId;
import io.sluice.model.Placement;

/** Where a new SKU's buckets are, for tests that do not ask the ledger. */
public final class Placements {
  private Placements() {}

  /**
   * The partition in which the SKU's first PUT places this bucket.
   *
   * @param of the number of partitions
   */
  public static int partitionOf(BucketId bucket, int of) {
    return Placement.first(bucket.skuId(), bucket.bucket() + 1, of).partitionOf(bucket.bucket());
  }
}
