package io.sluice.reservation;

import java.time.Duration;
import java.util.concurrent.Executor;
import java.util.function.LongSupplier;

/**
 * The event loop that an object of this package lives on, without Vert.x.
 *
 * @param nanoTime a monotonic clock; only differences mean anything
 * @param timers delays on this loop
 * @param executor runs a task on this loop; the only method of it that other threads may call
 */
public record Loop(LongSupplier nanoTime, Timers timers, Executor executor) {

  long now() {
    return nanoTime.getAsLong();
  }

  Duration since(long startNanos) {
    return Duration.ofNanos(now() - startNanos);
  }
}
