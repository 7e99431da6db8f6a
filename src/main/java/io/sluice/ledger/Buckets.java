package io.sluice.ledger;

import io.sluice.ledger.Outbox.OutboxRow;
import io.sluice.model.BucketId;
import io.sluice.model.Grant;
import io.sluice.model.Placement;
import io.sluice.model.Placement.PlacedBucket;
import io.sluice.model.SkuSettings;
import io.sluice.model.SkuState;
import io.vertx.core.Future;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;

/** Reads buckets, and changes them for their owner. Part of {@link Ledger}. */
public interface Buckets {

  /**
   * A bucket as the ledger records it, with the settings of its SKU.
   *
   * @param state of its SKU; ENDED or ARCHIVED once the bucket has ended, before its SKU has
   * @param saleNo of its SKU
   * @param base units of {@code allotted} that orders of earlier sales hold or have bought
   * @param sinceEpoch orders of earlier sales have this epoch at most, those of the current one a
   *     higher one; 0 in the SKU's first sale
   * @param skuTotal the units of the current sale in all buckets of the SKU; empty if it has no
   *     other bucket
   * @param carts whether orders may have lines in this bucket and in others, of the same sale
   */
  record BucketRow(
      BucketId id,
      int partition,
      long allotted,
      long held,
      long sold,
      long epoch,
      long version,
      SkuState state,
      SkuSettings settings,
      long saleNo,
      long base,
      long sinceEpoch,
      OptionalLong skuTotal,
      boolean carts) {
    /** A bucket whose orders have no lines elsewhere. */
    public BucketRow(
        BucketId id,
        int partition,
        long allotted,
        long held,
        long sold,
        long epoch,
        long version,
        SkuState state,
        SkuSettings settings,
        long saleNo,
        long base,
        long sinceEpoch,
        OptionalLong skuTotal) {
      this(
          id,
          partition,
          allotted,
          held,
          sold,
          epoch,
          version,
          state,
          settings,
          saleNo,
          base,
          sinceEpoch,
          skuTotal,
          false);
    }

    /** The only bucket of a SKU that was in no sale before this one. */
    public BucketRow(
        BucketId id,
        int partition,
        long allotted,
        long held,
        long sold,
        long epoch,
        long version,
        SkuState state,
        SkuSettings settings,
        long saleNo) {
      this(
          id,
          partition,
          allotted,
          held,
          sold,
          epoch,
          version,
          state,
          settings,
          saleNo,
          0,
          0,
          OptionalLong.empty());
    }

    /** A bucket of a SKU that was never in a sale. */
    public BucketRow(
        BucketId id,
        int partition,
        long allotted,
        long held,
        long sold,
        long epoch,
        long version,
        SkuState state,
        SkuSettings settings) {
      this(id, partition, allotted, held, sold, epoch, version, state, settings, 0);
    }

    /** The epoch of a bucket that was never loaded: every load raises it. */
    public static final long FIRST_EPOCH = 1;

    /** Whether it was never loaded in its sale; the sale began with the epoch. */
    public boolean isFresh() {
      return epoch == sinceEpoch + FIRST_EPOCH;
    }

    public long free() {
      return allotted - held - sold;
    }

    /** Whether it sells in the ledger alone, so that nothing of it is in Redis. */
    public boolean isDirect() {
      return partition == Placement.DIRECT;
    }

    /** The units of the current sale: the total in Redis. */
    public long total() {
      return allotted - base;
    }

    /** The units that the current sale has sold. */
    public long soldNow() {
      return sold - base;
    }

    /** The units that orders of the current sale hold or have bought. */
    public long taken() {
      return held + sold - base;
    }

    /** Whether an order, or a grant, is of an earlier sale. */
    public boolean isEarlier(long orderEpoch) {
      return orderEpoch <= sinceEpoch;
    }

    /** The bucket and where it is. */
    public PlacedBucket placed() {
      return new PlacedBucket(partition, id);
    }
  }

  /**
   * Buckets on this partition that have not ended, in order, those after {@code after}; on {@link
   * Placement#DIRECT} those of SKUs in mode DIRECT.
   */
  Future<List<BucketRow>> buckets(int partition, Optional<BucketId> after, int limit);

  /**
   * Buckets of which nothing must be in Redis under this partition, in order, those after {@code
   * after}. They have ended here, or were here in an earlier sale of their SKU and are elsewhere
   * now.
   */
  Future<List<BucketId>> goneBuckets(int partition, Optional<BucketId> after, int limit);

  /** All buckets of the SKUs that exist among these, as {@link SkuLedger#bucketsOf}. */
  Future<Map<Long, List<BucketRow>>> bucketsOf(Collection<Long> skuIds);

  /** One bucket, or empty. */
  Future<Optional<BucketRow>> bucket(BucketId id);

  /**
   * Buckets in this partition of SKUs in the same sale as this SKU, itself included, that have not
   * ended; in order, those after {@code after}.
   */
  Future<List<BucketId>> ofSameSale(int partition, long skuId, Optional<BucketId> after, int limit);

  /**
   * Raises the bucket's epoch above its current value and above {@code epochSeen} in Redis, under
   * the fence. If its SKU is ENDING and nothing of the bucket is held, the bucket ends in the same
   * transaction, and with the last one its SKU. Empty if the fence is lost.
   */
  Future<Optional<BucketRow>> raiseEpoch(Fence fence, BucketId id, long epochSeen);

  /**
   * Begins to end the SKU, if it was closed by its own closes_at at least this long ago.
   * Idempotent; without an effect while the SKU is frozen or restocked, or an older instance may
   * run.
   */
  Future<Void> endClosed(long skuId, long closedForMs);

  /**
   * An order as a rebuild loads it.
   *
   * @param left units that it occupies; 0 if it is not live
   * @param rejected whether it never held a unit
   */
  record LoadRow(Grant grant, int left, boolean rejected) {
    /** An order that was booked, and not refunded in part. */
    public LoadRow(Grant grant, boolean live) {
      this(grant, live ? grant.qty() : 0, false);
    }

    public boolean live() {
      return left > 0;
    }
  }

  /**
   * All orders of this bucket in its current sale, ended ones included, those after {@code after}:
   * booked ones by epoch and seq, then rejected ones by token.
   */
  Future<List<LoadRow>> loadRows(BucketRow bucket, Optional<LoadRow> after, int limit);

  /**
   * Completes a take-back for which Redis has removed the units: checks fence, epoch and version,
   * lowers the allotment, writes the ledger row, marks the intent SENT. Does nothing if the intent
   * is SENT already.
   *
   * @param epoch of the bucket when Redis was asked
   * @param version of the total from which Redis has removed the units
   */
  Future<TakeResult> finishTake(Fence fence, OutboxRow intent, long epoch, long version);

  /**
   * Marks an intent SENT that Redis refused, and plans the rest of its restock again. Makes the
   * same checks as {@link #finishTake}.
   */
  Future<TakeResult> refuseTake(Fence fence, OutboxRow intent, long epoch, long version);

  /** The result of a take-back. */
  enum TakeResult {
    DONE,
    /**
     * The bucket was rebuilt, or its total set, after Redis answered. The answer is void; Redis
     * must be asked again.
     */
    BUCKET_CHANGED,
    FENCE_LOST
  }
}
