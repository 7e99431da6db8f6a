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
import java.util.Comparator;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** A bucket to be opened, on its way through the {@link Rebuilder}. */
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

  private final BucketId bucket;
  private final long number;
  private final Timer.Sample begun;
  private final Promise<Void> opened = Promise.promise();
  private final Backoff backoff = new Backoff();
  private boolean failed;
  private int rank;
  private long taken;
  private long turn = UNKNOWN;
  private @Nullable Marked marked;

  /**
   * @param number rises in the order of the requests
   * @param begun the time of the rebuild
   */
  RebuildRequest(BucketId bucket, long number, Timer.Sample begun) {
    this.bucket = bucket;
    this.number = number;
    this.begun = begun;
  }

  BucketId bucket() {
    return bucket;
  }

  Timer.Sample begun() {
    return begun;
  }

  /** Completes when the bucket is open again. */
  Future<Void> opened() {
    return opened.future();
  }

  void open() {
    opened.complete();
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

  /** Must not be called while the request is in a queue. */
  void isFrozen(Marked now, long nowMs) {
    marked = now;
    rank = rank(now, nowMs);
    taken = now.row().taken();
    turn = UNKNOWN;
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

  /** The result of the last freeze. */
  Marked marked() {
    return Objects.requireNonNull(marked);
  }

  /** Lower comes first: fresh buckets, then those that sell now, those that will, the others. */
  private static int rank(Marked one, long nowMs) {
    if (one.isFresh()) {
      return 0;
    }
    SkuSettings settings = one.row().settings();
    SkuState now = one.row().state().at(nowMs, settings.opensAtMs(), settings.closesAtMs());
    return now == SkuState.OPEN ? 1 : now == SkuState.SCHEDULED ? 2 : 3;
  }
}
