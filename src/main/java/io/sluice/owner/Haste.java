package io.sluice.owner;

import io.vertx.core.Vertx;
import java.time.Duration;
import java.util.function.LongSupplier;

/**
 * Looks often for a while, after units have moved between buckets or were asked for: rows that
 * another instance has left in the ledger are then found soon. On the event loop of its verticle.
 */
final class Haste {
  static final Duration LOOK_EVERY = Duration.ofMillis(20);
  static final Duration LASTS = Duration.ofSeconds(2);

  private final LongSupplier nanoTime;
  private final Runnable look;
  private long endNanos;
  private boolean running;

  Haste(LongSupplier nanoTime, Runnable look) {
    this.nanoTime = nanoTime;
    this.look = look;
  }

  /** Looks often from now on. */
  void begin(Vertx vertx) {
    endNanos = nanoTime.getAsLong() + LASTS.toNanos();
    if (!running) {
      running = true;
      vertx.setPeriodic(LOOK_EVERY.toMillis(), id -> again(vertx, id));
    }
  }

  private void again(Vertx vertx, long timer) {
    running = endNanos - nanoTime.getAsLong() > 0;
    if (running) {
      look.run();
    } else {
      vertx.cancelTimer(timer);
    }
  }
}
