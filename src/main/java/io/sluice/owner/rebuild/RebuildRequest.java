package io.sluice.owner.rebuild;

import io.micrometer.core.instrument.Timer;
import io.sluice.async.Backoff;
import io.sluice.model.BucketId;
import io.sluice.model.SkuSettings;
import io.sluice.model.SkuState;
import io.sluice.owner.rebuild.BucketLoader.Marked;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Buckets to be opened together, on their way through the {@link Rebuilder}: one, or all of a sale
 * whose orders may have lines in several.
 */
final class RebuildRequest {
  /**
   * Requests that have failed come last, so that they do not delay others. Of equal ones those with
   * fewer units taken come first, as they are loaded sooner.
   */
  static final Comparator<RebuildRequest> URGENCY =
      Comparator.comparing(RebuildRequest::hasFailed)
          .thenComparingInt(request -> request.rank)
          .thenComparingLong(request -> request.taken)
          .thenComparingLong(request -> request.number);

  /** Loading so many units takes about as long as the wait of those that are frozen next. */
  static final long LARGE_UNITS = 100_000;

  private static final long UNKNOWN = -1;
  private static final int RANK_MAX = 3;

  private final BucketId bucket;
  private final Set<BucketId> buckets = new TreeSet<>();
  private final long number;
  private final Timer.Sample begun;
  private final Promise<Void> opened = Promise.promise();
  private final Backoff backoff = new Backoff();
  private boolean failed;
  private boolean askedAgain;
  private boolean allBooked;
  private int rank = RANK_MAX;
  private long taken;
  private long turn = UNKNOWN;
  private final List<Marked> marked = new ArrayList<>();
  private @Nullable RebuildRequest within;

  /**
   * @param bucket the first of them
   * @param number rises in the order of the requests
   * @param begun the time of the rebuild
   */
  RebuildRequest(BucketId bucket, long number, Timer.Sample begun) {
    this.bucket = bucket;
    this.buckets.add(bucket);
    this.number = number;
    this.begun = begun;
  }

  /** The first of the buckets. */
  BucketId bucket() {
    return bucket;
  }

  /** Whether it is for no other bucket. */
  boolean isOfOne() {
    return buckets.size() == 1;
  }

  /** Notes whether its bucket was found closed for good, with all of its grants booked. */
  void hasAllBooked(boolean found) {
    allBooked = found;
  }

  boolean hasAllBooked() {
    return allBooked;
  }

  /** All of them, in their order. */
  Set<BucketId> buckets() {
    return buckets;
  }

  /** Its buckets are opened with those of another request, and it has no part in that any more. */
  void joins(RebuildRequest other) {
    within = other;
    other.buckets.addAll(buckets);
    other.opened.future().onComplete(opened -> open());
  }

  boolean hasJoined() {
    return within != null;
  }

  /** Another caller asks for it, who may know of a later state of the ledger than it has read. */
  void isAskedAgain() {
    askedAgain = true;
  }

  /**
   * Whether a bucket was gone when its row was read, and somebody has asked for it since: it may be
   * here again.
   */
  boolean mayBeBack() {
    return askedAgain && (marked.isEmpty() || marked.stream().anyMatch(Marked::isGone));
  }

  Timer.Sample begun() {
    return begun;
  }

  /** Completes when its buckets are open again. */
  Future<Void> opened() {
    return opened.future();
  }

  void open() {
    opened.tryComplete();
  }

  boolean hasFailed() {
    return failed;
  }

  /**
   * Returns the delay before the next attempt. Must not be called while the request is in a queue.
   */
  Duration hasFailedAgain() {
    failed = true;
    return backoff.next();
  }

  /** The freeze begins. Must not be called while the request is in a queue. */
  void begins() {
    askedAgain = false;
    marked.clear();
    rank = RANK_MAX;
    taken = 0;
    turn = UNKNOWN;
  }

  /** One of its buckets is frozen. Must not be called while the request is in a queue. */
  void isFrozen(Marked now, long nowMs) {
    marked.add(now);
    if (!now.isGone()) {
      rank = Math.min(rank, rank(now, nowMs));
      taken += now.row().taken();
    }
  }

  /**
   * Whether a large bucket must let others go first: those that waited for earlier grants when it
   * was to be loaded. No others, so that it gets its turn.
   *
   * @param waitsBegun the number of such waits until now
   * @param waitsEnded the number of those that are over
   */
  boolean isBehind(long waitsBegun, long waitsEnded) {
    if (taken < LARGE_UNITS) {
      return false;
    }
    turn = turn == UNKNOWN ? waitsBegun : turn;
    return waitsEnded < turn;
  }

  /** The results of the last freeze, of those buckets that there are. */
  List<Marked> marked() {
    return marked;
  }

  /** Whether it was known at the last freeze that the ledger was restored to an earlier state. */
  boolean knewOfRestore() {
    return marked.stream().allMatch(Marked::wentBack);
  }

  /** Their SKUs; one may be there more than once. */
  Stream<Long> skuIds() {
    return buckets.stream().map(BucketId::skuId);
  }

  /** Whether a grant of one of them from before may still become a yes. */
  boolean mustWait() {
    return marked.stream().anyMatch(Marked::mustWait);
  }

  /** Lower comes first: fresh buckets, then those that sell now, those that will, the others. */
  private static int rank(Marked one, long nowMs) {
    if (one.isFresh()) {
      return 0;
    }
    SkuSettings settings = one.row().settings();
    SkuState now = one.row().state().at(nowMs, settings.opensAtMs(), settings.closesAtMs());
    return now == SkuState.OPEN ? 1 : now == SkuState.SCHEDULED ? 2 : RANK_MAX;
  }
}
