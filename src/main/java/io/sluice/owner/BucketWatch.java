package io.sluice.owner;

import io.sluice.ledger.BucketRow;
import io.sluice.ledger.Ledger;
import io.sluice.metrics.OwnerMeters.PartitionMeters;
import io.sluice.model.BucketId;
import io.sluice.model.Grant;
import io.sluice.model.SkuState;
import io.sluice.stock.BucketCode;
import io.sluice.stock.StockStore;
import io.sluice.stock.StockStore.BookedMark;
import io.sluice.stock.StockStore.Snapshot;
import io.sluice.stock.StockStore.Stamp;
import io.vertx.core.Future;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.BooleanSupplier;

/**
 * Looks at the buckets of a partition in the order of {@link BucketRound}. Grants that stayed
 * unbooked for too long are booked (the sweep). Buckets that Redis does not serve are rebuilt by
 * the {@link Rebuilder}. Those that do not know the total of their SKU get it.
 */
final class BucketWatch {
  static final int SWEEP_MAX = 500;
  private static final Future<Void> NOTHING = Future.succeededFuture();
  static final Duration LOG_WAIT_MAX = Duration.ofSeconds(5);

  /** After this many steps buckets are swept although booking pauses: some ten seconds. */
  static final int SWEEP_WAITS_MAX = 20;

  private final OwnerContext context;
  private final Ledger ledger;
  private final Ownership ownership;
  private final StockStore stock;
  private final Rebuilder rebuilder;
  private final UnbookedGrants unbooked;
  private final long sweepAfterMs;

  /** The longest of all instances that may still grant, since a new one may have a longer one. */
  private long sweepDelayMs;

  /** Whether it was read in this round. */
  private boolean knowsSweepDelay;

  private final BooleanSupplier bookingRests;
  private final PartitionMeters meters;
  private Stamp stamp = Stamp.UNKNOWN;
  private Runnable newHistory = () -> {};
  private boolean idle;
  private final BucketRound round;
  private long step;
  private long sweptAt;
  private boolean sweeping;

  /** Of the grants that this round found overdue. */
  private long oldestMs;

  /**
   * Whether all buckets are being rebuilt, because Redis has state that a restored ledger does not
   * have.
   */
  private boolean shutsAll;

  /**
   * @param bookingRests whether booking pauses; grants are unbooked on purpose then, and seldom
   *     swept
   */
  BucketWatch(
      OwnerContext context, Rebuilder rebuilder, long sweepAfterMs, BooleanSupplier bookingRests) {
    this.ledger = context.ledger();
    this.ownership = context.ownership();
    this.stock = context.stock();
    this.rebuilder = rebuilder;
    this.unbooked = new UnbookedGrants(context);
    this.context = context;
    this.sweepAfterMs = sweepAfterMs;
    this.sweepDelayMs = sweepAfterMs;
    this.bookingRests = bookingRests;
    this.meters = context.meters();
    this.round = new BucketRound(context, this::roundBegins, this::look);
    rebuilder.onOpened(round::add);
    rebuilder.onGone(round::remove);
  }

  /** Registers the listener for a history of Redis that is new to this owner. */
  void onNewHistory(Runnable listener) {
    newHistory = listener;
  }

  /** Does a part of the round; true if more is due at once, because Redis has restarted. */
  Future<Boolean> step() {
    step++;
    if (ownership.wentBack() && !shutsAll) {
      shutAll();
    }
    return stock
        .stamp()
        .onFailure(
            unknown -> {
              stamp = new Stamp(stamp.history(), "");
              idle = false;
            })
        .compose(this::stepFrom);
  }

  private Future<Boolean> stepFrom(Stamp now) {
    if (!now.history().equals(stamp.history())) {
      round.restart();
      newHistory.run();
    }
    stamp = now;
    idle = round.isIdle(now);
    if (idle) {
      // No round begins that would do this.
      knowsSweepDelay = false;
      meters.unbookedAge(0);
      return round.step(now);
    }
    return readSweepDelay().compose(known -> round.step(now));
  }

  /** Whether no bucket needs a look until Redis writes, or is another process. */
  boolean isIdle() {
    return idle;
  }

  /** The stamp of Redis at the last step; equals none if it could not be read. */
  Stamp stamp() {
    return stamp;
  }

  private void roundBegins() {
    if (sweeping) {
      meters.unbookedAge(oldestMs);
    }
    oldestMs = 0;
    long steps = step - sweptAt;
    sweeping = !bookingRests.getAsBoolean() || steps > SWEEP_WAITS_MAX;
    sweptAt = sweeping ? step : sweptAt;
    knowsSweepDelay = false;
  }

  private Future<Void> readSweepDelay() {
    return knowsSweepDelay
        ? Future.succeededFuture()
        : ledger
            .longestSettings()
            .onSuccess(
                all -> {
                  knowsSweepDelay = true;
                  sweepDelayMs = Math.max(sweepAfterMs, all.sweepAfterMs());
                })
            .mapEmpty();
  }

  /** Whether the bucket is in order. */
  private Future<Boolean> look(BucketRow row) {
    return stock
        .snapshot(row.id(), List.of(), 0)
        .compose(
            seen ->
                seen.term() > ownership.term()
                    ? outranked(seen.term())
                    : look(row, seen)
                        .compose(done -> tellTotal(row, seen))
                        .map(done -> isInOrder(row, seen)));
  }

  private boolean isInOrder(BucketRow row, Snapshot seen) {
    return BucketNeed.of(row, seen, false) == BucketNeed.NOTHING
        && knowsTotal(row, seen)
        && !rebuilder.isHandled(row.id());
  }

  /** Whether the bucket knows the total that is of its version, or is about to get a new one. */
  static boolean knowsTotal(BucketRow row, Snapshot seen) {
    return seen.code() != BucketCode.OK
        || seen.epoch() != row.epoch()
        || seen.version() != row.version()
        || row.skuTotal().isEmpty()
        || row.skuTotal().getAsLong() == seen.skuTotal();
  }

  /**
   * Tells a bucket in Redis the total of its SKU if it does not know it. Until all of them know the
   * same, nobody gets the answer that the SKU is sold out. Redis takes the total over only if the
   * bucket still has this version; nothing else changes.
   */
  private Future<Void> tellTotal(BucketRow row, Snapshot seen) {
    return knowsTotal(row, seen)
        ? Future.succeededFuture()
        : stock.restock(row.id(), ownership.term(), BucketLoader.ceiling(row)).mapEmpty();
  }

  /** Rebuilds all buckets of the partition; none is trusted before that. */
  private void shutAll() {
    shutsAll = true;
    rebuilder
        .requestAll("the ledger was restored to an earlier state")
        .onSuccess(rebuilt -> ownership.allRebuilt())
        .onFailure(failure -> shutsAll = false);
  }

  /**
   * Redis has a higher term than this owner. Unless another owner has the partition, the ledger was
   * restored and has lost that term.
   */
  private <T> Future<T> outranked(long term) {
    return context
        .owned()
        .apply(List.of())
        .compose(stillOurs -> Future.failedFuture(ownership.outranked(term)));
  }

  private Future<Void> look(BucketRow row, Snapshot seen) {
    BookedMark told = seen.told();
    boolean behind = told.by() < ownership.term() && told.to() > ownership.booked().from();
    return (behind
            ? wentBack(told)
            : BucketNeed.isAhead(row, seen) ? lookAgain(row, seen) : NOTHING)
        .compose(noted -> act(row, seen));
  }

  /** The row may have been read before it had what Redis has now. */
  private Future<Void> lookAgain(BucketRow row, Snapshot seen) {
    return ledger
        .bucket(row.id())
        .map(Optional::orElseThrow)
        .onSuccess(
            now -> {
              if (BucketNeed.isAhead(now, seen)) {
                ownership.wentBackFrom(seen.told().to());
                if (!rebuilder.isHandled(row.id())) {
                  rebuilder.request(row.id(), "Redis is ahead of the ledger");
                }
              }
            })
        .mapEmpty();
  }

  /** After a reset the log begins anew too; then a rebuild of all buckets is requested already. */
  private Future<Void> wentBack(BookedMark told) {
    return ledger
        .hasLost(ownership.partition())
        .onSuccess(
            reset -> {
              if (!reset) {
                ownership.wentBackFrom(told.to());
              }
            })
        .mapEmpty();
  }

  private Future<Void> act(BucketRow row, Snapshot seen) {
    return switch (BucketNeed.of(row, seen, rebuilder.isHandled(row.id()))) {
      case NOTHING -> Future.succeededFuture();
      case SWEEP -> sweeping ? sweep(row.id(), seen.nowMs()) : Future.succeededFuture();
      case END -> {
        rebuilder.request(row.id(), "its SKU ends");
        yield Future.succeededFuture();
      }
      case REBUILD -> seen.code() == BucketCode.OK ? again(row.id()) : rebuild(row, seen);
    };
  }

  /**
   * Checks again: a rebuild by this owner may have run between reading the row and the snapshot.
   */
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
                            BucketNeed.of(row, seen, rebuilder.isHandled(bucket))
                                    == BucketNeed.REBUILD
                                ? rebuild(row, seen)
                                : Future.succeededFuture()));
  }

  private Future<Void> rebuild(BucketRow row, Snapshot seen) {
    rebuilder.request(row.id(), "Redis says " + seen.code() + ", epoch " + seen.epoch());
    return Future.succeededFuture();
  }

  private Future<Void> sweep(BucketId bucket, long nowMs) {
    return readSweepDelay()
        .compose(known -> overdue(bucket))
        .onSuccess(grants -> measure(grants, nowMs))
        .compose(
            grants ->
                grants.isEmpty()
                    ? Future.succeededFuture()
                    : bookedUpToNow()
                        .compose(
                            caughtUp ->
                                caughtUp ? bookLeft(bucket, grants) : Future.succeededFuture()));
  }

  /** An older one is shown at once, a younger one when the round has found none that is older. */
  private void measure(List<Grant> overdue, long nowMs) {
    for (Grant grant : overdue) {
      oldestMs = Math.max(oldestMs, nowMs - grant.grantedAtMs());
    }
    meters.unbookedAge(Math.max(oldestMs, meters.unbookedAgeMs()));
  }

  /** Books the grants that the log has not delivered meanwhile. */
  private Future<Void> bookLeft(BucketId bucket, List<Grant> grants) {
    return overdue(bucket)
        .map(still -> grants.stream().filter(Set.copyOf(still)::contains).toList())
        .compose(left -> left.isEmpty() ? Future.succeededFuture() : unbooked.book(bucket, left));
  }

  private Future<List<Grant>> overdue(BucketId bucket) {
    return stock
        .overdue(bucket, sweepDelayMs, SWEEP_MAX)
        .map(found -> found.code() == BucketCode.OK ? found.grants() : List.of());
  }

  /**
   * Whether the log is booked up to its current end; grants in the log need no sweep. True if the
   * log cannot be read; false if the backlog is long, which is left to the next round.
   */
  private Future<Boolean> bookedUpToNow() {
    return context
        .orderLog()
        .endOffset(ownership.partition())
        .transform(
            end ->
                end.failed()
                    ? Future.succeededFuture(true)
                    : ownership.bookedSoon(
                        end.result(), () -> context.timers().after(LOG_WAIT_MAX)));
  }

  /** The action that a bucket needs. */
  enum BucketNeed {
    NOTHING,
    SWEEP,
    REBUILD,
    /** Its SKU is ending, and nothing of it is held or unbooked. */
    END;

    /**
     * The action that this bucket needs, given the ledger's row and the snapshot from Redis. A row
     * read before the snapshot may be outdated by a rebuild of this owner. So a bucket that is
     * being rebuilt needs nothing, and a difference in epochs is checked twice.
     */
    static BucketNeed of(BucketRow row, Snapshot seen, boolean takenCareOf) {
      if (takenCareOf) {
        return NOTHING;
      }
      if (seen.code() != BucketCode.OK || seen.epoch() != row.epoch()) {
        return REBUILD;
      }
      if (seen.unbookedCount() > 0) {
        return SWEEP;
      }
      boolean isClosed = row.state() == SkuState.ENDING && seen.version() >= row.version();
      return isClosed && row.held() == 0 ? END : NOTHING;
    }

    /**
     * Whether Redis has a later epoch or version than the ledger, which has each of them first: the
     * ledger was restored to an earlier state. Only if the row is not older than the snapshot.
     */
    static boolean isAhead(BucketRow row, Snapshot seen) {
      return seen.epoch() > row.epoch() || seen.version() > row.version();
    }
  }
}
