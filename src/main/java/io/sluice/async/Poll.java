package io.sluice.async;

import io.vertx.core.Future;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.LongSupplier;
import java.util.function.Predicate;
import java.util.function.Supplier;

/** Looks again and again until it sees enough, or the time is up. */
public final class Poll {
  private static final Duration EVERY = Duration.ofMillis(50);

  /** Waits; a timer of Vert.x in the service. */
  @FunctionalInterface
  public interface Pause {
    Future<Void> pause(Duration duration);
  }

  /** A moment of the monotonic clock. */
  public record Deadline(long nanos) {}

  private final Pause pause;
  private final LongSupplier nanoTime;

  /** {@code nanoTime} is monotonic: a wall clock that is set must not end or prolong a wait. */
  public Poll(Pause pause, LongSupplier nanoTime) {
    this.pause = pause;
    this.nanoTime = nanoTime;
  }

  /** The moment when this much time is up. */
  public Deadline deadline(Duration within) {
    return new Deadline(nanoTime.getAsLong() + within.toNanos());
  }

  /** What was seen last: enough, or what there was when the time was up. Looks at least once. */
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
                              : pause.pause(EVERY).map(true);
                        }))
        .map(done -> seen.get());
  }

  private boolean isOver(Deadline deadline) {
    return nanoTime.getAsLong() - deadline.nanos() >= 0;
  }
}
