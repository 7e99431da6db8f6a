package io.sluice.ledger;

import io.sluice.model.BucketId;
import io.vertx.core.Future;
import java.util.Collection;
import java.util.List;
import java.util.Optional;

/** Requests from any instance to the owner of a partition. Part of {@link Ledger}. */
public interface OwnerRequests {

  enum RequestKind {
    LOAD,
    REBUILD,
    RECONCILE,
    /** Units for another bucket of the SKU. */
    BORROW
  }

  /**
   * An open request to the owner of a partition.
   *
   * @param bucket the bucket it concerns; empty if it concerns all buckets of the partition
   * @param borrow the units asked of the bucket, if the kind is BORROW
   */
  record OwnerRequest(
      long id,
      int partition,
      RequestKind kind,
      Optional<BucketId> bucket,
      Optional<Moves.Borrow> borrow) {
    /** A request of any other kind. */
    public OwnerRequest(long id, int partition, RequestKind kind, Optional<BucketId> bucket) {
      this(id, partition, kind, bucket, Optional.empty());
    }
  }

  /** Open requests of these partitions with an id above {@code afterId}, oldest first. */
  Future<List<OwnerRequest>> openRequests(Collection<Integer> partitions, long afterId, int limit);

  /** Closes requests with the same answer (JSON). */
  Future<Void> answerRequests(Collection<Long> ids, String answer);

  /**
   * Deletes up to {@code limit} answered requests to the partition's owner that were created before
   * {@code beforeMs}.
   */
  Future<Integer> purgeRequests(int partition, long beforeMs, int limit);
}
