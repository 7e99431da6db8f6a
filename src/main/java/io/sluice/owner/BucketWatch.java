package io.sluice.owner;

import io.sluice.ledger.Ledger;
import io.sluice.ledger.Ledger.BucketRow;
import io.sluice.ledger.Ledger.Result;
import io.sluice.ledger.Ledger.Step;
import io.sluice.ledger.UnprocessableException;
import io.sluice.model.BucketId;
import io.sluice.model.Command;
import io.sluice.model.Grant;
import io.sluice.model.Reason;
import io.sluice.orderlog.OrderLog;
import io.sluice.reservation.Timers;
import io.sluice.stock.BucketCode;
import io.sluice.stock.StockStore;
import io.sluice.stock.StockStore.Snapshot;
import io.sluice.stock.StockStore.Told;
import io.vertx.core.Future;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Walks over the buckets of a partition, a page a step: grants that stayed unbooked too long are
 * booked (the sweep), and a bucket that Redis cannot vouch for is handed to the {@link Rebuilder}.
 */
final class BucketWatch {
  private static final Logger log = LoggerFactory.getLogger(BucketWatch.class);

  /** Each costs a call of Redis, also of buckets at which nothing happens. */
  static final int PAGE_MAX = 100;

  static final int SWEEP_MAX = 500;
  static final Duration LOG_WAIT_MAX = Duration.ofSeconds(5);

  /** Steps after which buckets are swept although booking rests: some ten seconds. */
  static final int SWEEP_WAITS_MAX = 20;

  /** What a bucket needs. */
  enum Need {
    NOTHING,
    SWEEP,
    REBUILD
  }

  private final Ledger ledger;
  private final OwnedLedger owned;
  private final Ownership ownership;
  private final StockStore stock;
  private final OrderLog orderLog;
  private final Rebuilder rebuilder;
  private final Timers timers;
  private final long ownSweepAfterMs;
  private final BooleanSupplier bookingRests;
  private Optional<BucketId> after = Optional.empty();
  private String history = "";
  private boolean roundUnderWay;
  private int stepsSinceSweep;
  private boolean sweeping;

  /** The longest of all instances that may still grant, as of this page. */
  private long sweepAfterMs;

  /** The rebuilds of a round that shuts all buckets, since Redis knows what the ledger does not. */
  private @Nullable List<Future<Void>> ofAll;

  private boolean hasShutAll;

  /**
   * Makes the watch of a partition.
   *
   * @param bookingRests while it does, grants are unbooked on purpose, and seldom swept
   */
  BucketWatch(Duties duties, Rebuilder rebuilder, long sweepAfterMs, BooleanSupplier bookingRests) {
    this.ledger = duties.ledger();
    this.owned = duties.owned();
    this.ownership = duties.ownership();
    this.stock = duties.stock();
    this.orderLog = duties.orderLog();
    this.timers = duties.timers();
    this.rebuilder = rebuilder;
    this.ownSweepAfterMs = sweepAfterMs;
    this.sweepAfterMs = sweepAfterMs;
    this.bookingRests = bookingRests;
  }

  /**
   * What this bucket needs, seen from the ledger's row and Redis' snapshot. A row read before the
   * snapshot may be older by a rebuild of our own, which is why one that is taken care of needs
   * nothing, and why a difference in epochs is looked at twice.
   */
  static Need need(BucketRow row, Snapshot seen, boolean takenCareOf) {
    if (takenCareOf) {
      return Need.NOTHING;
    }
    if (seen.code() != BucketCode.OK || seen.epoch() != row.epoch()) {
      return Need.REBUILD;
    }
    return seen.unbookedCount() > 0 ? Need.SWEEP : Need.NOTHING;
  }

  /** One page; true where more is due at once, since Redis is another process than before. */
  Future<Boolean> step() {
    return stock
        .history()
        .compose(
            seen -> {
              if (!seen.equals(history)) {
                history = seen;
                after = Optional.empty();
                roundUnderWay = true;
              }
              return page();
            });
  }

  private Future<Boolean> page() {
    stepsSinceSweep++;
    if (ownership.wentBack() && !hasShutAll && ofAll == null) {
      after = Optional.empty();
      roundUnderWay = true;
    }
    if (after.isEmpty()) {
      ofAll = ownership.wentBack() && !hasShutAll ? new ArrayList<>() : null;
      sweeping = !bookingRests.getAsBoolean() || stepsSinceSweep > SWEEP_WAITS_MAX;
      stepsSinceSweep = sweeping ? 0 : stepsSinceSweep;
    }
    return sweepAfter()
        .compose(known -> ledger.buckets(ownership.partition(), after, PAGE_MAX))
        .compose(
            rows -> {
              boolean full = rows.size() == PAGE_MAX;
              after = full ? Optional.of(rows.get(rows.size() - 1).id()) : Optional.empty();
              boolean atOnce = full && roundUnderWay;
              roundUnderWay = atOnce;
              rebuildAll(rows, full);
              return Future.join(rows.stream().map(this::look).toList()).map(atOnce);
            });
  }

  private Future<Void> look(BucketRow row) {
    return stock
        .snapshot(row.id(), List.of(), 0)
        .compose(seen -> seen.term() > ownership.term() ? outranked(seen.term()) : look(row, seen));
  }

  private Future<Void> sweepAfter() {
    return sweeping
        ? ledger
            .longestSettings()
            .onSuccess(all -> sweepAfterMs = Math.max(ownSweepAfterMs, all.sweepAfterMs()))
            .mapEmpty()
        : Future.succeededFuture();
  }

  private void rebuildAll(List<BucketRow> page, boolean more) {
    List<Future<Void>> all = ofAll;
    if (all != null) {
      page.forEach(row -> all.add(rebuilder.request(row.id(), "the ledger went back")));
      hasShutAll = !more;
      if (!more) {
        Future.join(all).onSuccess(rebuilt -> ownership.allRebuilt());
      }
    }
  }

  /** Unless another owner has the partition, the ledger has forgotten the term that Redis knows. */
  private Future<Void> outranked(long term) {
    return owned
        .apply(List.of())
        .compose(stillOurs -> Future.failedFuture(ownership.outranked(term)));
  }

  private Future<Void> look(BucketRow row, Snapshot seen) {
    Told told = seen.told();
    if (told.by() < ownership.term() && told.to() > ownership.booked().from()) {
      ownership.wentBackFrom(told.to());
    }
    return switch (need(row, seen, rebuilder.isTakenCareOf(row.id()))) {
      case NOTHING -> Future.succeededFuture();
      case SWEEP -> sweeping ? sweep(row.id()) : Future.succeededFuture();
      case REBUILD -> seen.code() == BucketCode.OK ? again(row.id()) : rebuild(row, seen);
    };
  }

  /** A rebuild of our own may have begun before the row was read, and ended since. */
  private Future<Void> again(BucketId bucket) {
    return ledger
        .bucket(bucket)
        .map(Optional::orElseThrow)
        .compose(
            row ->
                stock
                    .snapshot(bucket, List.of(), 0)
                    .compose(
                        seen ->
                            need(row, seen, rebuilder.isTakenCareOf(bucket)) == Need.REBUILD
                                ? rebuild(row, seen)
                                : Future.succeededFuture()));
  }

  private Future<Void> rebuild(BucketRow row, Snapshot seen) {
    rebuilder.request(row.id(), "Redis says " + seen.code() + ", epoch " + seen.epoch());
    return Future.succeededFuture();
  }

  private Future<Void> sweep(BucketId bucket) {
    return overdue(bucket)
        .compose(
            grants ->
                grants.isEmpty()
                    ? Future.succeededFuture()
                    : bookedUpToNow()
                        .compose(
                            caughtUp ->
                                caughtUp ? bookLeft(bucket, grants) : Future.succeededFuture()));
  }

  /** Those of the grants that the log did not book meanwhile. */
  private Future<Void> bookLeft(BucketId bucket, List<Grant> grants) {
    return overdue(bucket)
        .map(still -> grants.stream().filter(Set.copyOf(still)::contains).toList())
        .compose(left -> left.isEmpty() ? Future.succeededFuture() : book(left));
  }

  private Future<List<Grant>> overdue(BucketId bucket) {
    return stock.overdue(bucket, sweepAfterMs, SWEEP_MAX).map(StockStore.Overdue::grants);
  }

  /**
   * Whether the log is booked up to its present end: what the log holds needs no sweep. A log that
   * cannot be read is not waited for; a long backlog is left for the next round.
   */
  private Future<Boolean> bookedUpToNow() {
    return orderLog
        .endOffset(ownership.partition())
        .transform(
            end ->
                end.failed()
                    ? Future.succeededFuture(true)
                    : ownership.bookedSoon(end.result(), () -> timers.after(LOG_WAIT_MAX)));
  }

  private Future<Void> book(List<Grant> grants) {
    List<Command> reserves = new ArrayList<>(grants.size());
    grants.forEach(grant -> reserves.add(new Command.Reserve(grant, null)));
    return owned.apply(reserves).recover(failure -> reject(reserves, failure)).mapEmpty();
  }

  /**
   * What the ledger cannot store will never be an order: it is rejected, and its units released.
   */
  private Future<Result.Applied> reject(List<Command> reserves, Throwable failure) {
    if (!(failure instanceof UnprocessableException)) {
      return Future.failedFuture(failure);
    }
    log.atError()
        .addKeyValue("partition", ownership.partition())
        .addKeyValue("cause", failure.getMessage())
        .log("ALARM: the ledger cannot take a grant of the sweep; it is rejected");
    return new PoisonSearch(ledger, Step.check(ownership.fence()), BucketWatch::rejection)
        .replacePoison(reserves)
        .compose(owned::apply);
  }

  private static Command rejection(Command poison, Throwable why) {
    return poison instanceof Command.Reserve reserve
        ? new Command.Reject(reserve.grant(), Reason.UNPROCESSABLE)
        : poison;
  }
}
