package io.sluice.owner.rebuild;

import io.sluice.async.AsyncLoop;
import io.sluice.async.BackgroundTask;
import io.sluice.async.Backoff;
import io.sluice.ledger.Instances.InstanceSettings;
import io.sluice.model.BucketId;
import io.sluice.owner.fencing.OwnerContext;
import io.vertx.core.Future;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.PriorityQueue;
import java.util.Queue;
import java.util.Set;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Brings buckets into Redis from the ledger: their first load, and each rebuild; docs/design.md
 * section 8.
 *
 * <p>Freeze; wait until no earlier grant can still become a yes; let the log drain to the end seen
 * then; raise the epoch; load everything; open. One wait serves all buckets that were frozen before
 * it began. From the raised epoch to the opening no other transaction of this owner runs, so head
 * and pages show one state of the ledger.
 *
 * <p>Each bucket fails alone: it stays shut, and starts over with a freeze after a while of its
 * own, behind those that have not failed. Only where many fail in a row, which says that a store is
 * away or is another process now, all start over together. Of those that may be loaded, fresh ones
 * come first, then those that sell now.
 */
public final class Rebuilder {
  static final Duration AFTER_DEADLINE = Duration.ofMillis(500);

  /** Redis goes on for up to a second and a half after the lag; some more, to be sure. */
  static final Duration AFTER_LAG = Duration.ofSeconds(2);

  /** So many failures in a row are no longer those of single buckets. */
  static final int FAILURES_MAX = 10;

  private static final Logger log = LoggerFactory.getLogger(Rebuilder.class);

  private final OwnerContext context;
  private final Duration grantDeadline;
  private final BackgroundTask pass;
  private final BucketLoader loader;
  private final Backoff backoff = new Backoff();

  /** Those to be frozen next. */
  private final Set<RebuildRequest> wanted = new LinkedHashSet<>();

  /** Those to be loaded next: frozen, waited for, the log drained. */
  private final Queue<RebuildRequest> ready = new PriorityQueue<>(RebuildRequest.URGENCY);

  private final RebuildQueue requests;
  private int freezesFailed;
  private int loadsFailed;
  private boolean resting;
  private boolean restTold;

  public Rebuilder(OwnerContext context, Duration grantDeadline) {
    this.context = context;
    this.grantDeadline = grantDeadline;
    this.pass = context.tasks().make("rebuild", this::step);
    this.requests = new RebuildQueue(context.ownership().partition());
    this.loader = new BucketLoader(context, this::loadProgressed);
  }

  /**
   * Asks for a rebuild; completes when the bucket is open again. One under way serves everybody who
   * asks meanwhile.
   */
  public Future<Void> request(BucketId bucket, String why) {
    return requests
        .known(bucket)
        .orElseGet(
            () -> {
              RebuildRequest request = requests.add(bucket, why);
              want(request);
              return request;
            })
        .opened();
  }

  /**
   * Whether nobody else need ask for this bucket: it is being rebuilt, or waits for an operator.
   */
  public boolean isTakenCareOf(BucketId bucket) {
    return requests.isTakenCareOf(bucket);
  }

  /** Is notified from now on of each bucket that is open again. */
  public void tellOpened(Consumer<BucketId> listener) {
    requests.tellOpened(listener);
  }

  /** A timer's call: says so where buckets stay shut, whatever it is that they wait for. */
  public void tick() {
    requests.tick();
  }

  public Future<Void> stop() {
    return pass.stop();
  }

  /**
   * The one place that knows how long after a freeze a grant of before may still become a yes;
   * asked for after the last freeze of those that wait together. The longest deadline counts of all
   * instances that may still grant: each was in the ledger before its first grant.
   */
  private Future<Void> noEarlierGrantCanBecomeAYes() {
    return Future.all(context.ledger().longestSettings(), context.stock().replicaLag())
        .map(
            both -> {
              InstanceSettings all = both.resultAt(0);
              Duration lag = both.resultAt(1);
              long deadlineMs = Math.max(grantDeadline.toMillis(), all.grantDeadlineMs());
              Duration deadline = AFTER_DEADLINE.plusMillis(deadlineMs);
              return lag.isZero() ? deadline : deadline.plus(lag).plus(AFTER_LAG);
            })
        .compose(context.timers()::after);
  }

  /** The turn under way is the load's. */
  private void loadProgressed() {
    pass.progressed();
    context.sequencer().progressed();
  }

  /** Freezes all that are wanted, or loads one. */
  private Future<Boolean> step() {
    if (!mayGoOn()) {
      return Future.succeededFuture(false);
    }
    if (!wanted.isEmpty()) {
      return freezeWanted().map(done -> hasMore());
    }
    RebuildRequest next = ready.poll();
    return next == null ? Future.succeededFuture(false) : load(next).map(done -> hasMore());
  }

  private boolean mayGoOn() {
    return !resting && !context.ownership().isLost();
  }

  private boolean hasMore() {
    return mayGoOn() && !(wanted.isEmpty() && ready.isEmpty());
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
    pass.progressed();
    return loader
        .freeze(request.bucket())
        .transform(
            (marked, failure) -> {
              if (failure != null) {
                failed(request, failure, ++freezesFailed);
              } else if (marked.isEmpty()) {
                requests.unknown(request);
              } else {
                freezesFailed = 0;
                request.isFrozen(marked.get(), nowMs);
                frozen.add(request);
              }
              return Future.succeededFuture();
            });
  }

  /** Buckets that never were open need not wait: no grant of theirs can be under way. */
  private void goOnWith(List<RebuildRequest> frozen) {
    List<RebuildRequest> used =
        frozen.stream().filter(request -> !request.marked().isFresh()).toList();
    frozen.stream().filter(request -> request.marked().isFresh()).forEach(ready::add);
    if (used.isEmpty()) {
      return;
    }
    // Not a step of the pass: what comes meanwhile is frozen, and what is ready is loaded.
    noEarlierGrantCanBecomeAYes()
        .compose(waited -> context.orderLog().endOffset(context.ownership().partition()))
        .compose(context.ownership()::bookedSoon)
        .onSuccess(
            drained -> {
              ready.addAll(used);
              pass.wake();
            })
        .onFailure(
            failure -> {
              wanted.addAll(used);
              rest(failure);
            });
  }

  private Future<Void> load(RebuildRequest request) {
    pass.progressed();
    return loader
        .load(request.marked())
        .transform(
            (sound, failure) -> {
              if (failure != null) {
                failed(request, failure, ++loadsFailed);
              } else {
                loadsFailed = 0;
                backoff.reset();
                restTold = false;
                requests.loaded(request, sound);
              }
              return Future.succeededFuture();
            });
  }

  /** It starts over by itself, after a while. */
  private void failed(RebuildRequest request, Throwable failure, int inARow) {
    if (context.ownership().isLost()) {
      return;
    }
    if (!request.hasFailed()) {
      log.atWarn()
          .addKeyValue("bucket", request.bucket())
          .addKeyValue("cause", failure.toString())
          .log("bucket cannot be loaded yet; it is tried again until it can");
    }
    context.timers().after(request.hasFailedAgain()).onSuccess(now -> want(request));
    if (inARow >= FAILURES_MAX) {
      allStartOver(failure);
    }
  }

  /** What was frozen may be another Redis process' by now. */
  private void allStartOver(Throwable failure) {
    freezesFailed = 0;
    loadsFailed = 0;
    wanted.addAll(ready);
    ready.clear();
    rest(failure);
  }

  private void rest(Throwable failure) {
    if (resting || context.ownership().isLost()) {
      return;
    }
    if (!restTold) {
      restTold = true;
      log.atWarn()
          .addKeyValue("partition", context.ownership().partition())
          .addKeyValue("cause", failure.toString())
          .log("buckets cannot be loaded now; all that are shut start over until they can");
    }
    resting = true;
    context
        .timers()
        .after(backoff.next())
        .onSuccess(
            now -> {
              resting = false;
              pass.wake();
            });
  }

  private void want(RebuildRequest request) {
    wanted.add(request);
    pass.wake();
  }
}
