package io.sluice.owner;

import io.sluice.ledger.BucketRow;
import io.sluice.model.BucketId;
import io.sluice.orderlog.LogUnavailableException;
import io.vertx.core.Future;
import org.jspecify.annotations.Nullable;

/**
 * Checks that the log still has the records from the ledger's next offset on. If retention has
 * deleted them, their grants may have been acknowledged to buyers, and only Redis still knows them.
 * No bucket may be dropped from Redis then, until an operator has reset the partition and the
 * unbooked grants are booked.
 */
final class UnreadLog {
  private final OwnerContext context;
  private final UnbookedGrants unbooked;

  /** Once true, it stays true: skipping records ends the ownership. */
  private boolean isKnownWhole;

  private @Nullable Future<Void> asked;

  UnreadLog(OwnerContext context) {
    this.context = context;
    this.unbooked = new UnbookedGrants(context);
  }

  /** Discards the result of the last check. */
  void restart() {
    asked = null;
  }

  /**
   * Completes when every grant of this bucket that a rebuild drops is in the ledger, or was never
   * acknowledged; fails if the bucket must not be dropped now. The log is asked once for all
   * buckets until a restart.
   */
  Future<Void> mayDrop(BucketRow row) {
    if (row.epoch() == BucketRow.FIRST_EPOCH) {
      return Future.succeededFuture();
    }
    Future<Void> there = asked == null ? expectThere() : asked;
    asked = there;
    return there.compose(whole -> rescue(row.id()));
  }

  /** Whether no records are known to be deleted unread, or were skipped for that reason. */
  Future<Boolean> isWhole() {
    return expectThere()
        .transform(
            there ->
                there.failed()
                    ? Future.succeededFuture(false)
                    : context.ledger().hasLost(context.ownership().partition()).map(lost -> !lost));
  }

  /**
   * If records were skipped and not all buckets rebuilt since, books the grants that only Redis
   * knows.
   */
  private Future<Void> rescue(BucketId bucket) {
    if (isKnownWhole) {
      return Future.succeededFuture();
    }
    return context
        .ledger()
        .hasLost(context.ownership().partition())
        .compose(
            lost -> {
              isKnownWhole = !lost;
              return lost ? unbooked.bookAll(bucket) : Future.succeededFuture();
            });
  }

  /**
   * Fails if retention has deleted the next records. If the log cannot be asked, they count as
   * present.
   */
  Future<Void> expectThere() {
    long next = context.ownership().fence().nextOffset();
    return context
        .orderLog()
        .beginOffset(context.ownership().partition())
        .otherwise(next)
        .compose(
            begin ->
                begin <= next
                    ? Future.succeededFuture()
                    : Future.failedFuture(
                        new LogUnavailableException(
                            "Expected the log of partition %d to hold offset %d, but it begins at %d"
                                .formatted(context.ownership().partition(), next, begin))));
  }
}
