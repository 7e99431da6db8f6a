package io.sluice.owner;

import io.sluice.async.AsyncLoop;
import io.sluice.async.BackgroundTask;
import io.sluice.async.Backoff;
import io.sluice.ledger.BucketRow;
import io.sluice.ledger.Ledger.InstanceSettings;
import io.sluice.model.BucketId;
import io.vertx.core.Future;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.PriorityQueue;
import java.util.Queue;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Loads buckets from the ledger into Redis, the first time and at each rebuild; docs/design.md
 * section 8.
 *
 * <p>Freeze; wait until no earlier grant can still be acknowledged to its buyer; let the log drain
 * to the end offset seen then; in a restored ledger, wait for other partitions ({@link
 * SiblingWait}); freeze once more and raise the epoch; load everything; open. One wait serves all
 * buckets that were frozen before it began. From raising the epoch to opening, no other transaction
 * of this owner runs, so head and pages show one state of the ledger.
 *
 * <p>Each bucket fails alone: it stays shut and starts over with a freeze after a back-off of its
 * own, behind those that have not failed. Only if many fail in a row, because a store is
 * unavailable or Redis has restarted, all start over together. Of those that are ready to load,
 * fresh ones come first, then those that sell now; of these, the smallest.
 *
 * <p>The buckets of a sale with carts are one here ({@link BucketLoader}): all are frozen before
 * the epoch of any is raised. Else an order whose lines are of different epochs could be put on the
 * log once more, and be dropped after its buyer got a yes.
 */
final class Rebuilder {
  /** Buckets of a partition that are all to be rebuilt are read so many at a time. */
  static final int PAGE_MAX = 1_000;

  /** This many failures in a row are not caused by single buckets. */
  static final int FAILURES_MAX = 10;

  private static final Logger log = LoggerFactory.getLogger(Rebuilder.class);

  private final OwnerContext context;
  private final EarlierGrants earlier;
  private final BackgroundTask task;
  private final BucketLoader loader;
  private final Backoff backoff = new Backoff();

  /** Requests to freeze next. */
  private final Set<RebuildRequest> wanted = new LinkedHashSet<>();

  /** Requests to load next: frozen, the wait is over, the log is drained. */
  private final Queue<RebuildRequest> ready = new PriorityQueue<>(RebuildRequest.URGENCY);

  private final RebuildQueue requests;
  private int freezesFailed;
  private int loadsFailed;
  private boolean resting;
  private boolean restLogged;

  Rebuilder(OwnerContext context, Duration grantDeadline) {
    this.context = context;
    this.earlier = new EarlierGrants(grantDeadline);
    this.task = context.tasks().make("rebuild", this::step);
    this.requests = new RebuildQueue(context.ownership().partition(), context.meters());
    this.loader = new BucketLoader(context, requests, task);
  }

  /**
   * Requests a rebuild; completes when the bucket is open again. A rebuild in progress serves all
   * requests that arrive meanwhile, unless it found the bucket gone: then it looks once more.
   */
  Future<Void> request(BucketId bucket, String why) {
    return requests
        .askedAgain(bucket)
        .orElseGet(
            () -> {
              RebuildRequest request = requests.add(bucket, why);
              want(request);
              return request;
            })
        .opened();
  }

  /**
   * Rebuilds all buckets of the partition, because the ledger was restored to an earlier state, or
   * because records of its log were deleted before they were booked. In the second case it first
   * books what Redis still knows of them. Completes when all buckets are open again. After a
   * failure the whole may be repeated.
   */
  Future<Void> requestAll(String why) {
    return AsyncLoop.pages(PAGE_MAX, this::idsAfter)
        .compose(
            buckets ->
                Future.join(buckets.stream().map(bucket -> request(bucket, why)).toList())
                    .mapEmpty());
  }

  private Future<List<BucketId>> idsAfter(Optional<BucketId> after) {
    return context
        .ledger()
        .buckets(context.ownership().partition(), after, PAGE_MAX)
        .map(rows -> rows.stream().map(BucketRow::id).toList());
  }

  /**
   * Whether this bucket needs no further request: it is being rebuilt, or waits for an operator.
   */
  boolean isHandled(BucketId bucket) {
    return requests.isHandled(bucket);
  }

  /** Registers the listener for buckets that are open again. */
  void onOpened(Consumer<BucketId> listener) {
    requests.onOpened(listener);
  }

  /** Registers the listener for buckets that are gone. */
  void onGone(Consumer<BucketId> listener) {
    requests.onGone(listener);
  }

  /** Called by a timer: raises an alarm if buckets stay shut, for whatever reason. */
  void tick() {
    requests.tick();
  }

  /** Freezes all wanted buckets, or loads one; true if it did, since more may be due. */
  private Future<Boolean> step() {
    if (!mayGoOn()) {
      return Future.succeededFuture(false);
    }
    ready.removeIf(request -> isOutdated(request) && startOver(request));
    if (!wanted.isEmpty()) {
      return freezeWanted().map(true);
    }
    RebuildRequest next = ready.peek();
    if (next == null || next.isBehind(earlier.begun, earlier.ended)) {
      return Future.succeededFuture(false);
    }
    return load(ready.remove()).map(true);
  }

  private boolean mayGoOn() {
    return !resting && !context.ownership().isLost();
  }

  private Future<Void> freezeWanted() {
    Queue<RebuildRequest> left =
        new ArrayDeque<>(wanted.stream().sorted(RebuildRequest.URGENCY).toList());
    wanted.clear();
    loader.restart();
    List<RebuildRequest> frozen = new ArrayList<>();
    return context
        .ledger()
        .nowMs()
        .compose(
            nowMs ->
                AsyncLoop.whileTrue(
                    () ->
                        left.isEmpty() || !mayGoOn()
                            ? Future.succeededFuture(false)
                            : freeze(left.remove(), nowMs, frozen).map(true)))
        .onFailure(this::allStartOver)
        .transform(
            ended -> {
              wanted.addAll(left);
              goOnWith(frozen);
              return Future.succeededFuture();
            });
  }

  private Future<Void> freeze(RebuildRequest request, long nowMs, List<RebuildRequest> frozen) {
    if (request.isOver()) {
      return Future.succeededFuture();
    }
    return loader
        .freeze(request, nowMs)
        .transform(
            (done, failure) -> {
              if (failure != null) {
                failed(request, failure, ++freezesFailed);
              } else if (request.mayBeBack()) {
                startOver(request);
              } else if (request.marked().isEmpty()) {
                requests.finished(request);
              } else {
                freezesFailed = 0;
                frozen.add(request);
              }
              return Future.succeededFuture();
            });
  }

  /** Buckets that are fresh, or gone, need not wait: no grant of theirs can be in flight. */
  private void goOnWith(List<RebuildRequest> frozen) {
    List<RebuildRequest> used = new ArrayList<>();
    for (RebuildRequest request : frozen) {
      if (request.mustWait()) {
        used.add(request);
      } else if (request.isFresh()) {
        goOnOnceFound(request);
      } else {
        isReady(request);
      }
    }
    if (used.isEmpty()) {
      return;
    }
    // Not part of the task's step: meanwhile other buckets are frozen and loaded.
    SiblingWait siblings = new SiblingWait(context, used, this::areReady);
    earlier
        .drained()
        .compose(siblings::run)
        .onFailure(
            failure -> {
              siblings.left().forEach(this::startOver);
              rest(failure);
            });
  }

  /** A ledger that was restored may take a bucket for fresh that has grants in the log. */
  private void goOnOnceFound(RebuildRequest request) {
    earlier
        .found()
        .onSuccess(booked -> areReady(List.of(request)))
        .onFailure(failure -> failed(request, failure, 1));
  }

  private void areReady(List<RebuildRequest> requests) {
    requests.forEach(this::isReady);
    task.wake();
  }

  private void isReady(RebuildRequest request) {
    if (request.isReady()) {
      ready.add(request);
    }
  }

  private Future<Void> load(RebuildRequest request) {
    if (request.isOver()) {
      return Future.succeededFuture();
    }
    return AsyncLoop.forEach(List.copyOf(request.marked()), one -> load(request, one))
        .transform(
            (loaded, failure) -> {
              if (failure != null) {
                failed(request, failure, ++loadsFailed);
              } else if (isOutdated(request) || request.mayBeBack()) {
                startOver(request);
              } else {
                loadsFailed = 0;
                backoff.reset();
                restLogged = false;
                requests.finished(request);
              }
              return Future.succeededFuture();
            });
  }

  /** Whether the ledger was found to be restored since the request was frozen. */
  private boolean isOutdated(RebuildRequest request) {
    return context.ownership().wentBack() && !request.knewOfRestore();
  }

  private Future<Void> load(RebuildRequest request, RebuildRequest.Marked one) {
    return loader
        .load(one)
        .onSuccess(loaded -> requests.loaded(request, one.row().id(), loaded))
        .mapEmpty();
  }

  /** Schedules the next attempt with a back-off. */
  private void failed(RebuildRequest request, Throwable failure, int inARow) {
    if (context.ownership().isLost()) {
      return;
    }
    if (!request.hasFailed()) {
      log.atWarn()
          .addKeyValue("bucket", request.bucket())
          .addKeyValue("cause", failure.toString())
          .log("bucket cannot be loaded; retried until it succeeds");
    }
    context.timers().after(request.rests()).onSuccess(now -> want(request));
    if (inARow >= FAILURES_MAX) {
      allStartOver(failure);
    }
  }

  /** Starts over with the freeze: Redis may have restarted since. */
  private void allStartOver(Throwable failure) {
    freezesFailed = 0;
    loadsFailed = 0;
    ready.forEach(this::startOver);
    ready.clear();
    rest(failure);
  }

  private void rest(Throwable failure) {
    if (resting || context.ownership().isLost()) {
      return;
    }
    if (!restLogged) {
      restLogged = true;
      log.atWarn()
          .addKeyValue("partition", context.ownership().partition())
          .addKeyValue("cause", failure.toString())
          .log("several buckets cannot be loaded; all shut buckets are retried until it succeeds");
    }
    resting = true;
    context
        .timers()
        .after(backoff.next())
        .onSuccess(
            now -> {
              resting = false;
              task.wake();
            });
  }

  private void want(RebuildRequest request) {
    startOver(request);
    task.wake();
  }

  private boolean startOver(RebuildRequest request) {
    return request.isWanted() && wanted.add(request);
  }

  /**
   * Waits for grants that were made before a freeze; docs/design-owner.md section 8: until none can
   * still become a yes, and all that became one are booked.
   */
  final class EarlierGrants {
    static final Duration AFTER_DEADLINE = Duration.ofMillis(500);

    /** Redis may accept writes for up to 1.5 s after the lag; 2 s leave a margin. */
    static final Duration AFTER_LAG = Duration.ofSeconds(2);

    private final Duration grantDeadline;

    /** How many waits have begun. */
    private long begun;

    /** How many of these are over. */
    private long ended;

    private @Nullable Future<Void> found;

    EarlierGrants(Duration grantDeadline) {
      this.grantDeadline = grantDeadline;
    }

    /**
     * Completes once the log is booked up to where it ended when the last of these grants could be
     * acknowledged, with the time from a freeze until then. Must begin after the last freeze of the
     * buckets that wait together.
     */
    Future<Duration> drained() {
      begun++;
      return longest()
          .compose(deadline -> drained(deadline).map(deadline))
          .onComplete(over -> ended++);
    }

    private Future<Void> drained(Duration deadline) {
      return context
          .timers()
          .after(deadline)
          .compose(waited -> context.ledger().nowMs())
          .onSuccess(context.ownership()::settled)
          .compose(settled -> bookedToEnd());
    }

    /**
     * Completes once the log is booked up to where it ended when this owner first asked: records
     * from before its term may be of a past that the ledger has lost.
     */
    Future<Void> found() {
      Future<Void> booked = found == null || found.failed() ? bookedToEnd() : found;
      found = booked;
      return booked;
    }

    private Future<Void> bookedToEnd() {
      Ownership ownership = context.ownership();
      return context.orderLog().endOffset(ownership.partition()).compose(ownership::bookedSoon);
    }

    /**
     * The longest grant deadline of all instances that may still grant counts; each instance has
     * registered its own before its first grant.
     */
    private Future<Duration> longest() {
      return Future.all(context.ledger().longestSettings(), context.stock().replicaLag())
          .map(
              both -> {
                InstanceSettings all = both.resultAt(0);
                Duration lag = both.resultAt(1);
                long deadlineMs = Math.max(grantDeadline.toMillis(), all.grantDeadlineMs());
                Duration deadline = AFTER_DEADLINE.plusMillis(deadlineMs);
                return lag.isZero() ? deadline : deadline.plus(lag).plus(AFTER_LAG);
              });
    }
  }
}
