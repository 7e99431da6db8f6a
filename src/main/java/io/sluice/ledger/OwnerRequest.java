package io.sluice.ledger;

import io.sluice.ledger.Move.Borrow;
import io.sluice.model.BucketId;
import java.util.Optional;

/**
 * An open request to the owner of a partition.
 *
 * @param bucket the bucket it concerns; empty if it concerns all buckets of the partition
 * @param borrow the units asked of the bucket, if the kind is BORROW
 */
public record OwnerRequest(
    long id, int partition, RequestKind kind, Optional<BucketId> bucket, Optional<Borrow> borrow) {
  /** A request of any other kind. */
  public OwnerRequest(long id, int partition, RequestKind kind, Optional<BucketId> bucket) {
    this(id, partition, kind, bucket, Optional.empty());
  }

  /** What the owner is asked for. */
  public enum RequestKind {
    LOAD,
    REBUILD,
    RECONCILE,
    /** Units for another bucket of the SKU. */
    BORROW
  }
}
