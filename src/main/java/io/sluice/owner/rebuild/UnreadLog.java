package io.sluice.owner.rebuild;

import io.sluice.ledger.Buckets.BucketRow;
import io.sluice.ledger.LogProgress;
import io.sluice.model.BucketId;
import io.sluice.orderlog.LogUnavailableException;
import io.sluice.orderlog.OrderLog;
import io.sluice.owner.fencing.OwnerContext;
import io.sluice.owner.fencing.Ownership;
import io.vertx.core.Future;
import org.jspecify.annotations.Nullable;

/**
 * Whether the log still has, and had, what is to be read next. Where retention has deleted it, the
 * grants in it had a yes, and Redis is the last that knows of them: no bucket may be dropped there
 * before an operator has let the partition go on, and then not before they are booked.
 */
public final class UnreadLog {
  private final OrderLog orderLog;
  private final Ownership ownership;
  private final LogProgress ledger;
  private final UnbookedGrants unbooked;

  /** An owner that was there before records were passed over is owner no more. */
  private boolean isKnownWhole;

  private @Nullable Future<Void> asked;

  public UnreadLog(OwnerContext context) {
    this.orderLog = context.orderLog();
    this.ownership = context.ownership();
    this.ledger = context.ledger();
    this.unbooked = new UnbookedGrants(context);
  }

  /** The log is asked anew. */
  void restart() {
    asked = null;
  }

  /**
   * Completes once what a rebuild drops of this bucket is in the ledger, or never had a yes; fails
   * where it must not be dropped now. The log is asked once for all buckets until a restart.
   */
  Future<Void> mayDrop(BucketRow row) {
    if (row.epoch() == BucketRow.FIRST_EPOCH) {
      return Future.succeededFuture();
    }
    Future<Void> there = asked == null ? expectThere() : asked;
    asked = there;
    return there.compose(whole -> rescue(row.id()));
  }

  /** Books what only Redis may know, where records were passed over since the last rebuild. */
  private Future<Void> rescue(BucketId bucket) {
    if (isKnownWhole) {
      return Future.succeededFuture();
    }
    return ledger
        .hasLost(ownership.partition())
        .compose(
            lost -> {
              isKnownWhole = !lost;
              return lost ? unbooked.bookAll(bucket) : Future.succeededFuture();
            });
  }

  /** Fails where it has been deleted. A log that cannot be asked has not, as far as is known. */
  public Future<Void> expectThere() {
    long next = ownership.fence().nextOffset();
    return orderLog
        .beginOffset(ownership.partition())
        .otherwise(next)
        .compose(
            begin ->
                begin <= next
                    ? Future.succeededFuture()
                    : Future.failedFuture(
                        new LogUnavailableException(
                            "Expected the log of partition %d to hold offset %d, but it begins at %d"
                                .formatted(ownership.partition(), next, begin))));
  }
}
