package io.sluice.async;

import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * The event loop that an object belongs to: its clock, timers and executor.
 *
 * @param nanoTime a monotonic clock; only differences are meaningful
 * @param timers delays on this loop
 * @param executor runs a task on this loop; the only part that other threads may call
 */
public record LoopContext(LongSupplier nanoTime, Timers timers, Executor executor) {

  /** An event loop of Vert.x. */
  public static LoopContext of(Vertx vertx, Context context) {
    return new LoopContext(
        System::nanoTime, Timers.of(vertx), task -> context.runOnContext(now -> task.run()));
  }

  public long now() {
    return nanoTime.getAsLong();
  }

  public Duration since(long startNanos) {
    return Duration.ofNanos(now() - startNanos);
  }

  /** Delays, as a port: classes wait without depending on Vert.x, and tests control the time. */
  public interface Timers {

    /** Completes after this positive delay. */
    Future<Void> after(Duration delay);

    /** Delays of whole milliseconds, each on the event loop of its caller. */
    static Timers of(Vertx vertx) {
      return delay -> vertx.timer(delay.toMillis(), TimeUnit.MILLISECONDS).mapEmpty();
    }
  }
}
