package io.sluice.testkit;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.concurrent.atomic.AtomicReference;

/** A clock that advances only when a test advances it. Any thread may read it. */
public final class ManualClock implements InstantSource {
  /** Noon on a sale day. */
  private static final Instant START = Instant.parse("2026-11-27T12:00:00Z");

  private final AtomicReference<Instant> now = new AtomicReference<>(START);

  @Override
  public Instant instant() {
    return now.get();
  }

  /** Advances the clock and returns the new time; it cannot be set back. */
  public Instant advance(Duration by) {
    if (by.isNegative()) {
      throw new IllegalArgumentException("expected to move forward, but was " + by);
    }
    return now.updateAndGet(instant -> instant.plus(by));
  }
}
