package io.sluice.bench.row;

import io.sluice.bench.load.LivesHeard;
import io.sluice.bench.site.CpuSpent;
import io.sluice.bench.site.LivesBacklog;
import java.time.Duration;
import java.util.Locale;
import java.util.Optional;

/**
 * Whether a rate of whole lives was held, and what it took.
 *
 * @param perS the rate at which orders arrived
 * @param trend without the first part, in which the first orders run out of time
 * @param backlog when the last order had arrived
 * @param cpu spent during the trend
 */
record LivesVerdict(
    int perS,
    Duration length,
    LivesHeard heard,
    LivesTrend trend,
    LivesBacklog backlog,
    CpuSpent cpu) {
  /** The part of the orders, and of the confirmations, that may fail. */
  static final double LOST_MAX = 0.01;

  /** The part of the rate by which the backlog may grow. */
  static final double GROWTH_MAX = 0.02;

  /** By how much the lowest points of two bursts differ, as seconds of arrivals. */
  static final double NOISE_S = 0.6;

  boolean isHeld() {
    return fault().isEmpty();
  }

  /** Why it was not held. */
  Optional<String> fault() {
    if (heard.notGranted() > LOST_MAX * perS * length.toSeconds()) {
      return Optional.of("%,d orders were not granted".formatted(heard.notGranted()));
    }
    if (heard.notPaid() > LOST_MAX * heard.granted()) {
      return Optional.of("%,d confirmations were late or failed".formatted(heard.notPaid()));
    }
    return trend.growthPerS() > perS * (GROWTH_MAX + NOISE_S / trend.halfS())
        ? Optional.of(
            String.format(
                Locale.ROOT, "the backlog grew by %,.0f lives a second", trend.growthPerS()))
        : Optional.empty();
  }

  /** As a note in the report. */
  String text() {
    return "%,d a second for %d s %s; then %s"
        .formatted(
            perS,
            length.toSeconds(),
            fault().map(fault -> "were not held: " + fault).orElse("were held"),
            backlog.text());
  }
}
