package io.sluice.stock;

import io.sluice.model.BucketId;
import io.sluice.model.SkuSettings;
import io.sluice.model.SkuState;
import io.vertx.core.Future;
import java.util.List;
import java.util.OptionalLong;

/** Loads buckets from the ledger, and unloads them. Part of {@link StockStore}. */
public interface StockLoading {

  /**
   * The absolute state of a bucket as the ledger records it.
   *
   * @param version ignored by the store unless higher than its own
   * @param allotted units, 0 to {@link io.sluice.model.Limits#TOTAL_STOCK_MAX}
   * @param skuTotal the units of all buckets of the SKU; empty if it has no other bucket
   */
  record BucketTotal(
      long version, long allotted, SkuState state, SkuSettings settings, OptionalLong skuTotal) {
    /** That of the only bucket of a SKU. */
    public BucketTotal(long version, long allotted, SkuState state, SkuSettings settings) {
      this(version, allotted, state, settings, OptionalLong.empty());
    }
  }

  /**
   * The reply to {@code freeze}: OK with the mark of the bucket now, or STALE_TERM.
   *
   * @param mark identifies this freeze, and the Redis process and history that it was done in; no
   *     other freeze of this term has it; empty if not OK
   * @param epoch of the bucket, also of a lost history; 0 if there is none
   * @param term of the bucket: the caller's, or a higher one
   */
  record Frozen(BucketCode code, String mark, long epoch, long term) {}

  /**
   * Marks the bucket LOADING under this term, also in an empty Redis. Each freeze supersedes the
   * rebuild before it: calls of that rebuild which arrive later are SUPERSEDED.
   */
  Future<Frozen> freeze(BucketId bucket, long term);

  /**
   * The head of a bucket to load. Everything recorded before is dropped.
   *
   * @param epoch the new epoch
   * @param claimed units of live orders: held + sold
   * @param saleNo of the SKU's sale; 0 if it is in none
   */
  record LoadHead(long epoch, long claimed, BucketTotal ceiling, long saleNo) {
    public LoadHead(long epoch, long claimed, BucketTotal ceiling) {
      this(epoch, claimed, ceiling, 0);
    }
  }

  /** Writes the head and deletes everything else. OK, STALE_TERM or SUPERSEDED. */
  Future<BucketCode> load(BucketId bucket, long term, String mark, LoadHead head);

  /** Adds a page of the ledger's orders, live ones as booked. OK, STALE_TERM or SUPERSEDED. */
  Future<BucketCode> loadPage(BucketId bucket, long term, String mark, List<Recorded> page);

  /**
   * Ends LOADING: the bucket serves again, according to its state. OK, STALE_TERM, or SUPERSEDED
   * (also before a load).
   */
  Future<BucketCode> open(BucketId bucket, long term, String mark);

  /**
   * Deletes a bucket that has ended or left the partition, and everything that was recorded of it.
   * OK (also if it is not there), STALE_TERM or SUPERSEDED.
   */
  Future<BucketCode> unload(BucketId bucket, long term, String mark);
}
