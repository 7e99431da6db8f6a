package io.sluice.webhook;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.DoubleSupplier;

/**
 * When an event that was not accepted is sent again: for three days, ever more seldom.
 *
 * @param chance from 0 to 1; what came together does not come together again
 */
record RetrySchedule(DoubleSupplier chance) {
  static final Duration FOR = Duration.ofDays(3);

  private static final List<Duration> STEPS =
      List.of(
          Duration.ofSeconds(5),
          Duration.ofSeconds(30),
          Duration.ofMinutes(2),
          Duration.ofMinutes(10),
          Duration.ofMinutes(30),
          Duration.ofHours(1),
          Duration.ofHours(2),
          Duration.ofHours(4));

  /** A tenth longer at most. */
  private static final double SPREAD = 0.1;

  /**
   * The time to the next attempt; empty if it has failed.
   *
   * @param attempts so far, at least 1
   * @param since the first of them
   */
  Optional<Duration> next(int attempts, Duration since) {
    Duration step = STEPS.get(Math.min(attempts, STEPS.size()) - 1);
    Duration wait = step.plusMillis((long) (step.toMillis() * SPREAD * chance.getAsDouble()));
    return since.plus(wait).compareTo(FOR) > 0 ? Optional.empty() : Optional.of(wait);
  }
}
