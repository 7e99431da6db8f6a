package io.sluice.async;

import java.time.Duration;
import java.util.concurrent.Executor;
import java.util.function.LongSupplier;

/**
 * The event loop that an object lives on: its clock, its timers, its thread.
 *
 * @param nanoTime a monotonic clock; only differences mean anything
 * @param timers delays on this loop
 * @param executor runs a task on this loop; the only method of it that other threads may call
 */
public record LoopContext(LongSupplier nanoTime, Timers timers, Executor executor) {

  public long now() {
    return nanoTime.getAsLong();
  }

  public Duration since(long startNanos) {
    return Duration.ofNanos(now() - startNanos);
  }
}
