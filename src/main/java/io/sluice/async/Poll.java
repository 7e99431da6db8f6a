package io.sluice.async;

import io.sluice.async.LoopContext.Timers;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.LongSupplier;
import java.util.function.Predicate;
import java.util.function.Supplier;

/** Polls until the result is good enough or the time is over. */
public record Poll(Timers timers, LongSupplier nanoTime) {
  private static final Duration EVERY = Duration.ofMillis(50);

  /** A time on the monotonic clock. */
  public record Deadline(long nanos) {}

  /** Polls by timers of this Vert.x. */
  public static Poll onTimers(Vertx vertx) {
    return new Poll(Timers.of(vertx), System::nanoTime);
  }

  /** The deadline after this time. */
  public Deadline deadline(Duration within) {
    return new Deadline(nanoTime.getAsLong() + within.toNanos());
  }

  /**
   * The last result: one that is good enough, or the last one before the deadline. Polls at least
   * once.
   */
  public <T> Future<T> until(Deadline deadline, Supplier<Future<T>> look, Predicate<T> enough) {
    AtomicReference<T> seen = new AtomicReference<>();
    return AsyncLoop.whileTrue(
            () ->
                look.get()
                    .compose(
                        now -> {
                          seen.set(now);
                          return enough.test(now) || isOver(deadline)
                              ? Future.succeededFuture(false)
                              : timers.after(EVERY).map(true);
                        }))
        .map(done -> seen.get());
  }

  /** The time until then, at least a millisecond. */
  public Duration left(Deadline deadline) {
    return Duration.ofNanos(Math.max(1_000_000, deadline.nanos() - nanoTime.getAsLong()));
  }

  /** Whether this time has come. */
  public boolean isOver(Deadline deadline) {
    return nanoTime.getAsLong() - deadline.nanos() >= 0;
  }
}
