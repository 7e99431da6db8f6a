package io.sluice.owner.rebuild;

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

/** A bucket that is to be open again, on its way through the {@link Rebuilder}. */
final class RebuildRequest {
  /** Those that have failed come last, whatever they are, so that nobody waits behind them. */
  static final Comparator<RebuildRequest> URGENCY =
      Comparator.comparing(RebuildRequest::hasFailed)
          .thenComparingInt(request -> request.rank)
          .thenComparingLong(request -> request.number);

  private final BucketId bucket;
  private final long number;
  private final Promise<Void> opened = Promise.promise();
  private final Backoff backoff = new Backoff();
  private boolean failed;
  private int rank;
  private @Nullable Marked marked;

  /** {@code number} rises in the order of asking. */
  RebuildRequest(BucketId bucket, long number) {
    this.bucket = bucket;
    this.number = number;
  }

  BucketId bucket() {
    return bucket;
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

  /** Gives how long it is to wait before it starts over. Not called while it is in a queue. */
  Duration hasFailedAgain() {
    failed = true;
    return backoff.next();
  }

  /** Not called while it is in a queue. */
  void isFrozen(Marked now, long nowMs) {
    marked = now;
    rank = rank(now, nowMs);
  }

  /** As it was frozen last. */
  Marked marked() {
    return Objects.requireNonNull(marked);
  }

  /** Lower is earlier: fresh ones, those that sell now, those that will, the others. */
  private static int rank(Marked one, long nowMs) {
    if (one.isFresh()) {
      return 0;
    }
    SkuSettings settings = one.row().settings();
    SkuState now = one.row().state().at(nowMs, settings.opensAtMs(), settings.closesAtMs());
    return now == SkuState.OPEN ? 1 : now == SkuState.SCHEDULED ? 2 : 3;
  }
}
