package io.sluice.ledger;

import io.sluice.ledger.Outbox.OutboxRow;
import io.sluice.model.BucketId;
import io.sluice.model.Grant;
import io.sluice.model.OrderToken;
import io.sluice.model.SkuSettings;
import io.sluice.model.SkuState;
import io.vertx.core.Future;
import java.util.List;
import java.util.Optional;

/** Buckets as the ledger has them, and what owners do to one of them. Part of {@link Ledger}. */
public interface Buckets {

  /** A bucket as the ledger records it, with what its SKU says about it. */
  record BucketRow(
      BucketId id,
      int partition,
      long allotted,
      long held,
      long sold,
      long epoch,
      long version,
      SkuState state,
      SkuSettings settings) {
    /** The epoch of a bucket that was never loaded: every load raises it. */
    public static final long FIRST_EPOCH = 1;

    public long free() {
      return allotted - held - sold;
    }
  }

  /** Buckets of SKUs in mode FAST on this partition, in order, from after {@code after} on. */
  Future<List<BucketRow>> buckets(int partition, Optional<BucketId> after, int limit);

  /** One bucket, or empty. */
  Future<Optional<BucketRow>> bucket(BucketId id);

  /**
   * Raises the bucket's epoch to one more than it is, and than {@code epochSeen} in Redis, under
   * the fence. Empty where the fence is lost.
   */
  Future<Optional<BucketRow>> raiseEpoch(Fence fence, BucketId id, long epochSeen);

  /** An order as a rebuild loads it. */
  record LoadRow(Grant grant, boolean live) {}

  /** Every order that this bucket ever had, in the order of tokens, from after {@code after} on. */
  Future<List<LoadRow>> loadRows(BucketId id, Optional<OrderToken> after, int limit);

  /**
   * Completes a take-back of which Redis has given up the units: checks fence, epoch and version,
   * lowers the allotment, writes the ledger row, marks the intent SENT. A no-op where the intent is
   * SENT already.
   *
   * @param epoch of the bucket when Redis was asked
   * @param version of the total that Redis has taken the units from
   */
  Future<TakeResult> finishTake(Fence fence, OutboxRow intent, long epoch, long version);

  /**
   * Marks an intent that Redis refused SENT, and plans what is left of its restock anew. Checks
   * what {@link #finishTake} does.
   */
  Future<TakeResult> refuseTake(Fence fence, OutboxRow intent, long epoch, long version);

  /** What became of a take-back. */
  enum TakeResult {
    DONE,
    /**
     * The bucket was rebuilt, or its total set, since Redis answered, so that the answer is void:
     * ask Redis again.
     */
    BUCKET_CHANGED,
    FENCE_LOST
  }
}
