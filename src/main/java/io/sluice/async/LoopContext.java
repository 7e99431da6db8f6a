package io.sluice.async;

import io.vertx.core.Future;
import java.time.Duration;
import java.util.concurrent.Executor;
import java.util.function.LongSupplier;

/**
 * The event loop that an object belongs to: its clock, timers and executor.
 *
 * @param nanoTime a monotonic clock; only differences are meaningful
 * @param timers delays on this loop
 * @param executor runs a task on this loop; the only part that other threads may call
 */
public record LoopContext(LongSupplier nanoTime, Timers timers, Executor executor) {

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
  }
}
