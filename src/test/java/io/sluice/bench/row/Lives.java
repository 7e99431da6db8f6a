package io.sluice.bench.row;

import io.sluice.bench.Figure;
import io.sluice.bench.Result;
import io.sluice.bench.load.Heard;
import io.sluice.bench.load.Heard.What;
import io.sluice.bench.load.LoadSpec;
import io.sluice.bench.load.OpenLoop;
import io.sluice.bench.site.ServiceMetrics;
import io.sluice.bench.site.Site;
import io.sluice.bench.site.Spent;
import java.time.Duration;
import java.util.Locale;
import java.util.Optional;

/**
 * Whole lives at a rate: orders of 32 SKUs arrive, whether or not they are answered. Nine in ten
 * are paid a second after their yes, the tenth times out.
 *
 * @param perS the rate at which orders arrived
 * @param trend without the first third, in which the first orders run out of time
 * @param result the figures, of the same time
 */
record Lives(int perS, Duration length, Heard heard, LivesTrend trend, Result result) {
  /** They spread over the partitions. */
  static final int SKUS = 32;

  /** The part of the orders, and of the payments, that may fail. */
  static final double LOST_MAX = 0.01;

  /** The part of the rate by which the backlog may grow. */
  static final double GROWTH_MAX = 0.02;

  /** By how much the lowest points of two bursts differ, as seconds of arrivals. */
  static final double NOISE_S = 0.6;

  private static final int CONNECTIONS = 512;
  private static final int PAY_AFTER_MS_MAX = 1_000;
  private static final long WINDOW_S_MAX = 10;
  private static final int SAMPLES = 60;

  /** Of the length: until then the first orders have run out of time. */
  private static final int SETTLED_AFTER = 3;

  /** Tries a rate on SKUs of its own, and waits for the end of all lives. */
  static Lives at(Site site, int perS, Duration length) {
    long windowS = windowS(length);
    long firstSku = site.newSkus(SKUS, Saturated.PLENTY, windowS);
    int settleMs = (int) length.toMillis() / SETTLED_AFTER;
    LoadSpec orders =
        site.volley(CONNECTIONS, firstSku, SKUS)
            .lasting(length)
            .arriving(perS)
            .paidAfter((int) Math.min(PAY_AFTER_MS_MAX, windowS * 500), settleMs);
    Result result = new Result();
    site.books().expect(orders);
    try (OpenLoop running = OpenLoop.start(orders, -1)) {
      LivesTrend trend = watch(site, length, result);
      String backlog = site.books().backlog();
      Heard heard = site.books().note(orders, running.awaitEnd(), 0);
      // Booked first: until then nothing is held. An order that times out leaves rows to pass on.
      Site.await("all bookings", () -> site.unbookedRecords() == 0);
      Site.await("the end of all lives", () -> site.books().held(firstSku, SKUS) == 0);
      site.drain();
      Lives lives = new Lives(perS, length, heard, trend, result);
      lives.addFigures(backlog);
      return lives;
    }
  }

  /** So short that the first orders have timed out before the trend begins. */
  static long windowS(Duration length) {
    return Math.max(1, Math.min(WINDOW_S_MAX, length.toSeconds() / 2 / SETTLED_AFTER));
  }

  private static LivesTrend watch(Site site, Duration length, Result result) {
    long startNs = System.nanoTime();
    Site.pass(length.dividedBy(SETTLED_AFTER));
    LivesTrend trend = new LivesTrend();
    Spent spent = Spent.begin(site);
    sample(site, startNs, trend);
    while (System.nanoTime() - startNs < length.toNanos()) {
      Site.pass(length.dividedBy(SAMPLES));
      sample(site, startNs, trend);
    }
    spent.on(trend.granted(), result);
    return trend;
  }

  private static void sample(Site site, long startNs, LivesTrend trend) {
    double atS = (System.nanoTime() - startNs) / 1e9;
    trend.add(atS, ServiceMetrics.of(site).grants(), site.livesTold());
  }

  private void addFigures(String backlog) {
    result.add(Figure.RATE, trend.grantedPerS());
    result.add(Figure.YES_P50, heard.get(What.YES_P50_US) / 1e3);
    result.add(Figure.YES_P99, heard.get(What.YES_P99_US) / 1e3);
    result.add(Figure.PAY_P50, heard.get(What.PAY_P50_US) / 1e3);
    result.add(Figure.PAY_P99, heard.get(What.PAY_P99_US) / 1e3);
    result.note(
        "%,d lives a second for %d s %s; then %s"
            .formatted(
                perS,
                length.toSeconds(),
                fault().map(fault -> "were not held: " + fault).orElse("were held"),
                backlog));
  }

  boolean isHeld() {
    return fault().isEmpty();
  }

  /** Why the rate was not held. */
  Optional<String> fault() {
    if (heard.notAccepted() > LOST_MAX * perS * length.toSeconds()) {
      return Optional.of("%,d orders were not granted".formatted(heard.notAccepted()));
    }
    if (heard.notPaid() > LOST_MAX * heard.accepted()) {
      return Optional.of("%,d payments were late or failed".formatted(heard.notPaid()));
    }
    return trend.growthPerS() > perS * (GROWTH_MAX + NOISE_S / trend.halfS())
        ? Optional.of(
            String.format(
                Locale.ROOT, "the backlog grew by %,.0f lives a second", trend.growthPerS()))
        : Optional.empty();
  }
}
