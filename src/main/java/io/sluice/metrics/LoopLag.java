package io.sluice.metrics;

import io.micrometer.core.instrument.Timer;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/** How late an event loop runs a task that is due at a known time. Used by one event loop. */
public final class LoopLag {
  /** How often {@link #tick} is due. */
  public static final long EVERY_MS = 100;

  private final Timer lag;
  private final LongSupplier nanoTime;
  private long dueNanos;

  LoopLag(Timer lag, LongSupplier nanoTime) {
    this.lag = lag;
    this.nanoTime = nanoTime;
    this.dueNanos = due(nanoTime.getAsLong());
  }

  /** Called by a timer. */
  public void tick() {
    long now = nanoTime.getAsLong();
    lag.record(Math.max(0, now - dueNanos), TimeUnit.NANOSECONDS);
    dueNanos = due(now);
  }

  private static long due(long fromNanos) {
    return fromNanos + TimeUnit.MILLISECONDS.toNanos(EVERY_MS);
  }
}
