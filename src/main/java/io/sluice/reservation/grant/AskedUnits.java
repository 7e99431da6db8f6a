package io.sluice.reservation.grant;

import io.sluice.async.LoopContext;
import java.time.Duration;

/** How many units buyers ask of a bucket, as one event loop knows them. */
final class AskedUnits {
  /** The shortest time of which a rate is computed: a first burst is none. */
  private static final Duration RATE_OVER = Duration.ofMillis(100);

  private final LoopContext loop;
  private final Duration period;

  /** Units that were asked in this period, and in the one before. */
  private long now;

  private long before;
  private long beganNanos;

  AskedUnits(LoopContext loop, Duration period) {
    this.loop = loop;
    this.period = period;
    this.beganNanos = loop.now();
  }

  void add(long units) {
    turn();
    now += units;
  }

  private void turn() {
    long periods = loop.since(beganNanos).toNanos() / period.toNanos();
    if (periods > 0) {
      before = periods == 1 ? now : 0;
      now = 0;
      beganNanos += periods * period.toNanos();
    }
  }

  /** The units asked for in a period. */
  long inAPeriod() {
    return Math.max(now, before);
  }

  /** The units to be asked for in this time, at the present rate. */
  long in(Duration time) {
    long overMs = Math.max(loop.since(beganNanos).toMillis(), RATE_OVER.toMillis());
    return Math.max(before * time.toMillis() / period.toMillis(), now * time.toMillis() / overMs);
  }

  /** Whether anything was asked a short while ago. */
  boolean isRecent() {
    return loop.since(beganNanos).compareTo(period.multipliedBy(2)) < 0;
  }
}
