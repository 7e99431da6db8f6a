package io.sluice.owner;

import io.sluice.async.AsyncLoop;
import io.sluice.async.BackgroundTask;
import io.sluice.ledger.BucketRow;
import io.sluice.ledger.Ledger;
import io.sluice.ledger.Ledger.Correction;
import io.sluice.ledger.Ledger.StillBucket;
import io.sluice.metrics.OwnerMeters.Units;
import io.sluice.model.BucketId;
import io.sluice.model.Grant;
import io.sluice.model.OrderToken;
import io.sluice.model.SkuState;
import io.sluice.owner.BucketDiff.Agrees;
import io.sluice.owner.BucketDiff.Drift;
import io.sluice.owner.BucketDiff.SkipCause;
import io.sluice.owner.BucketDiff.Skipped;
import io.sluice.owner.BucketWatch.BucketNeed;
import io.sluice.stock.StockStore;
import io.sluice.stock.StockStore.Snapshot;
import io.sluice.stock.StockStore.Stamp;
import io.vertx.core.AsyncResult;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Compares the buckets of a partition with Redis, one by one, each between two transactions of its
 * owner; docs/design-owner.md section 8. A difference is recorded and the bucket rebuilt; nothing
 * else is ever repaired.
 *
 * <p>A pass covers all buckets, one page per step; after a failure it continues behind the bucket
 * that failed. It pauses between two pages unless a caller waits for the report. A comparison takes
 * about half a millisecond, so thousands of buckets would keep the owner busy all the time. In a
 * stampede the pauses are longer.
 *
 * <p>A bucket that agreed, with nothing on its way, is not compared again while Redis writes
 * nothing and its row in the ledger stays the same. The comparison, which takes a transaction,
 * would find the same. But one of each page is, in turn, in case that this reasoning has a hole.
 * While a page has nothing to compare, the pauses are longer as well.
 */
final class Reconciler {
  static final int PAGE_MAX = 50;
  static final Duration REST = Duration.ofSeconds(2);

  /** The maximum number of pauses between two pages while booking pauses, or nothing happens. */
  static final int RESTS_MAX = 10;

  /** The maximum number of crowded buckets to retry early; others wait for the next pass. */
  static final int OWED_MAX = 100;

  /** The maximum number of buckets that differed and that a report names. */
  static final int NAMED_MAX = 100;

  private static final Logger log = LoggerFactory.getLogger(Reconciler.class);

  private final OwnerContext context;
  private final Rebuilder rebuilder;
  private final BackgroundTask task;
  private final StampedePause pause;
  private final Supplier<Stamp> stamp;
  private final FoundInOrder agreed = new FoundInOrder();
  private final Set<BucketId> owed = new LinkedHashSet<>();
  private final List<BucketId> drift = new ArrayList<>();
  private List<Promise<String>> asked = new ArrayList<>();
  private Optional<Tally> underWay = Optional.empty();
  private boolean due;
  private int drifted;
  private int passes;

  /** The stamp of Redis when the last page had nothing to compare. */
  private Stamp calmAt = Stamp.UNKNOWN;

  /**
   * @param bookingRests whether booking pauses
   * @param stamp of Redis, read a moment ago
   */
  Reconciler(
      OwnerContext context,
      Rebuilder rebuilder,
      BooleanSupplier bookingRests,
      Supplier<Stamp> stamp) {
    this.context = context;
    this.rebuilder = rebuilder;
    this.stamp = stamp;
    this.task = context.tasks().make("reconcile", this::step);
    this.pause =
        new StampedePause(
            context.timers(),
            REST,
            RESTS_MAX,
            () -> bookingRests.getAsBoolean() || stamp.get().isUnchangedSince(calmAt),
            task::wake);
  }

  /** Makes a pass due, unless one is in progress. */
  void wake() {
    due = underWay.isEmpty();
    task.wake();
  }

  /** Retries buckets that had too many unbooked grants. */
  void wakeOwed() {
    if (!owed.isEmpty()) {
      task.wake();
    }
  }

  /** The report of a pass that begins after this call. */
  Future<String> now() {
    Promise<String> report = Promise.promise();
    asked.add(report);
    task.wake();
    return report.future();
  }

  private Future<Boolean> step() {
    return compareOwed(List.copyOf(owed))
        .compose(
            done -> {
              if (underWay.isPresent()) {
                return pause.isResting() && !isHurried(underWay.get())
                    ? Future.succeededFuture(false)
                    : page(underWay.get());
              }
              return due || !asked.isEmpty() ? begin() : Future.succeededFuture(false);
            });
  }

  /** Checks the fence first, so that an idle owner notices that it has lost it. */
  private Future<Boolean> begin() {
    return context
        .owned()
        .apply(List.of())
        .compose(
            mine -> {
              Tally tally = new Tally(asked);
              asked = new ArrayList<>();
              due = false;
              passes++;
              underWay = Optional.of(tally);
              return page(tally);
            });
  }

  private Future<Boolean> page(Tally tally) {
    Stamp now = stamp.get();
    agreed.at(now);
    return context
        .ledger()
        .buckets(context.ownership().partition(), tally.after, PAGE_MAX)
        .compose(
            rows -> {
              tally.see(rows);
              return compareAll(rows, tally, now)
                  .compose(
                      done ->
                          rows.size() == PAGE_MAX
                              ? Future.succeededFuture(!rest(tally))
                              : report(tally).map(told -> !asked.isEmpty()));
            });
  }

  /** Whether the pass pauses now; it does not while a caller waits for the report. */
  private boolean rest(Tally tally) {
    if (isHurried(tally)) {
      return false;
    }
    pause.begin();
    return true;
  }

  private boolean isHurried(Tally tally) {
    return !asked.isEmpty() || tally.isAwaited();
  }

  private Future<Void> compareAll(List<BucketRow> page, Tally tally, Stamp now) {
    calmAt = page.stream().allMatch(agreed::has) ? now : Stamp.UNKNOWN;
    return AsyncLoop.forEach(
        page,
        row -> {
          boolean inTurn = row.equals(page.get(passes % page.size()));
          return inTurn || isHurried(tally) || !agreed.has(row)
              ? compare(row, tally)
              : tally.agreedBefore(row.id());
        });
  }

  private Future<Void> compare(BucketRow row, Tally tally) {
    tally.after = Optional.of(row.id());
    return compare(row.id())
        .onFailure(failure -> tally.count(new Skipped(SkipCause.FAILED)))
        .onSuccess(
            outcome -> {
              tally.count(outcome);
              if (outcome instanceof Agrees agrees && agrees.settled()) {
                agreed.add(row);
              }
            })
        .mapEmpty();
  }

  private Future<Void> compareOwed(List<BucketId> buckets) {
    return AsyncLoop.forEach(buckets, this::compareIfRoom);
  }

  /** A failure leaves the bucket to the next pass, and does not block this one. */
  private Future<Void> compareIfRoom(BucketId bucket) {
    return context
        .stock()
        .snapshot(bucket, List.of(), 0)
        .compose(
            seen ->
                seen.unbookedCount() > StockStore.UNBOOKED_MAX
                    ? Future.succeededFuture()
                    : compare(bucket))
        .onFailure(failure -> owed.remove(bucket))
        .transform(ended -> Future.succeededFuture());
  }

  private Future<BucketDiff> compare(BucketId bucket) {
    owed.remove(bucket);
    if (rebuilder.isHandled(bucket)) {
      return Future.succeededFuture(new Skipped(SkipCause.AWAY));
    }
    return context
        .inTurn("comparison of bucket " + bucket, () -> compareStill(bucket))
        .compose(seen -> act(bucket, seen));
  }

  /**
   * Compares one bucket with Redis, between two transactions of its owner. Fails, and ends the
   * ownership, if the fence is lost.
   */
  private Future<BucketDiff> compareStill(BucketId bucket) {
    Ownership ownership = context.ownership();
    return context
        .ledger()
        .compare(ownership.fence(), bucket, this::look)
        .compose(seen -> ownership.expectHeld(seen));
  }

  private Future<BucketDiff> look(StillBucket still) {
    if (still.restocking()) {
      return Future.succeededFuture(new Skipped(SkipCause.RESTOCKING));
    }
    if (still.unreleased().isEmpty()) {
      return Future.succeededFuture(new Skipped(SkipCause.RELEASING));
    }
    Map<OrderToken, Integer> unreleased = still.unreleased().get();
    return context
        .stock()
        .snapshot(still.row().id(), List.copyOf(unreleased.keySet()), StockStore.UNBOOKED_MAX)
        .onSuccess(seen -> watch(still.row(), seen))
        .compose(
            seen ->
                still
                    .bookedOf()
                    .apply(seen.unbooked().stream().map(Grant::token).toList())
                    .map(booked -> BucketDiff.of(still.row(), seen, unreleased, booked)));
  }

  /** Before the difference is repaired by a rebuild of this bucket alone. */
  private void watch(BucketRow row, Snapshot seen) {
    if (BucketNeed.isAhead(row, seen)) {
      context.ownership().wentBackFrom(seen.told().to());
    }
  }

  private Future<BucketDiff> act(BucketId bucket, BucketDiff comparison) {
    if (comparison instanceof Skipped over
        && over.reason() == SkipCause.CROWDED
        && owed.size() < OWED_MAX) {
      owed.add(bucket);
    }
    return comparison instanceof Drift found
        ? repair(bucket, found).map(comparison)
        : Future.succeededFuture(comparison);
  }

  /** The only repair. If the ledger itself is inconsistent, the rebuild freezes the SKU. */
  private Future<Void> repair(BucketId bucket, Drift found) {
    return context
        .ledger()
        .correct(new Correction(bucket.toString(), found.before(), found.after(), found.why(), 0))
        .onSuccess(
            recorded -> {
              log.atWarn()
                  .addKeyValue("bucket", bucket)
                  .addKeyValue("redis", found.before())
                  .addKeyValue("ledger", found.after())
                  .addKeyValue("why", found.why())
                  .log("Redis and the ledger differ; the bucket is rebuilt");
              context.meters().drifted(found.kind().word());
              drifted++;
              if (drift.size() < NAMED_MAX) {
                drift.add(bucket);
              }
              rebuilder.request(bucket, "drift");
            });
  }

  /** Stores the report. If that fails, the callers must ask again. */
  private Future<Void> report(Tally tally) {
    underWay = Optional.empty();
    context.meters().frozenSkus(tally.frozenSkus);
    context.meters().units(tally.units);
    Ledger ledger = context.ledger();
    return ledger
        .nowMs()
        .map(nowMs -> report(tally, nowMs))
        .compose(report -> ledger.reported(context.ownership().partition(), report).map(report))
        .onSuccess(
            reported -> {
              drift.clear();
              drifted = 0;
            })
        .onComplete(tally::tell)
        .mapEmpty();
  }

  /**
   * The result of one pass over the buckets of a partition, JSON.
   *
   * @param nowMs when it ended, on the database's clock
   */
  private String report(Tally tally, long nowMs) {
    JsonObject reasons = new JsonObject();
    tally.passedOver.forEach(
        (reason, count) -> reasons.put(reason.name().toLowerCase(Locale.ROOT), count));
    JsonArray buckets = new JsonArray();
    drift.forEach(bucket -> buckets.add(bucket.toString()));
    return new JsonObject()
        .put("partition", context.ownership().partition())
        .put("at", nowMs)
        .put("compared", tally.compared)
        .put("passed_over", reasons)
        .put("drift", drifted)
        .put("drift_in", buckets)
        .put("units", tally.units.json())
        .encode();
  }

  /** The results of a pass so far, and the callers that wait for its report. */
  private static final class Tally {
    private final List<Promise<String>> waiting;
    private final Map<SkipCause, Integer> passedOver = new EnumMap<>(SkipCause.class);
    private int compared;
    private int frozenSkus;
    private Units units = Units.NONE;

    /** The last bucket that was compared; the pass continues after it. */
    private Optional<BucketId> after = Optional.empty();

    Tally(List<Promise<String>> waiting) {
      this.waiting = waiting;
    }

    boolean isAwaited() {
      return !waiting.isEmpty();
    }

    void count(BucketDiff comparison) {
      if (comparison instanceof Skipped over) {
        passedOver.merge(over.reason(), 1, Integer::sum);
      } else {
        compared++;
      }
    }

    /** Counts the units and the frozen SKUs of a page; a SKU counts where its first bucket is. */
    void see(List<BucketRow> rows) {
      for (BucketRow row : rows) {
        units = units.plus(row.free(), row.held(), row.soldNow());
        frozenSkus += row.id().bucket() == 0 && row.state() == SkuState.FROZEN ? 1 : 0;
      }
    }

    /** Nothing can have changed in this bucket since it agreed, so it counts as compared. */
    Future<Void> agreedBefore(BucketId bucket) {
      after = Optional.of(bucket);
      compared++;
      return Future.succeededFuture();
    }

    void tell(AsyncResult<String> report) {
      waiting.forEach(promise -> promise.handle(report));
    }
  }
}
