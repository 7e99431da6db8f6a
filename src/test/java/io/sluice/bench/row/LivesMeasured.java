package io.sluice.bench.row;

import io.sluice.bench.Plan;
import io.sluice.bench.Result;
import io.sluice.bench.load.LoadSpec;
import io.sluice.bench.site.Site;
import java.time.Duration;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Consumer;

/**
 * Row 11: the highest rate of whole lives (granted, booked, confirmed or timed out, told, units
 * back) whose backlog does not grow. Each run has servers of its own, since the ledger of the last
 * one is full. The first run of a build searches in wide steps; later ones begin where it ended.
 */
public final class LivesMeasured implements Measurement {
  private static final int FIRST_PER_S = Integer.getInteger("rate", 1_000);
  private static final Duration SHORTEST = Duration.ofSeconds(3);
  private static final Duration BARE = Duration.ofSeconds(4);

  /** Of the hold: attempts in wide steps. */
  private static final int PILOT_PART = 4;

  /** Of the rate that was held last. */
  private static final double WARM_UP = 0.8;

  private static final String LIVES = "whole lives/s";

  private final Map<Site, Integer> heldBefore = new HashMap<>();

  @Override
  public void measure(Site site, Plan plan, Result result, Consumer<String> step) {
    for (int run = 0; run < plan.runs(); run++) {
      step.accept("starting servers of its own");
      try (Site own = site.another()) {
        run(site, own, plan, result, step);
      }
    }
  }

  /** Both builds' lives, since each build has its own bare server and its noise. */
  @Override
  public double beside(Result before, Result now) {
    return now.figures().get(LIVES).median() / before.figures().get(LIVES).median();
  }

  private void run(Site site, Site own, Plan plan, Result result, Consumer<String> step) {
    LivesAttempt attempt = new LivesAttempt(own);
    Integer before = heldBefore.get(site);
    step.accept("warming up");
    if (before == null) {
      attempt.run(FIRST_PER_S / 2, atLeast(plan.warmUp(), SHORTEST));
    } else {
      attempt.run((int) (before * WARM_UP), plan.hold());
    }
    step.accept("bare");
    double bare = bare(own);
    Map<Integer, LivesVerdict> verdicts = new LinkedHashMap<>();
    Duration pilot = atLeast(plan.hold().dividedBy(PILOT_PART), SHORTEST);
    int from =
        before != null
            ? before
            : RateSearch.coarse(
                FIRST_PER_S,
                perS -> {
                  step.accept("a first try of %,d lives a second".formatted(perS));
                  return attempt.run(perS, pilot).isHeld();
                });
    int held =
        RateSearch.fine(
            from,
            perS -> {
              step.accept("%,d lives a second".formatted(perS));
              verdicts.put(perS, attempt.run(perS, plan.hold()));
              return verdicts.get(perS).isHeld();
            });
    heldBefore.put(site, held);
    report(verdicts.get(held), bare, result);
    verdicts.values().forEach(verdict -> result.note(verdict.text()));
  }

  private static void report(LivesVerdict held, double bare, Result result) {
    LivesTrend trend = held.trend();
    result.figure(LIVES, trend.grantedPerS());
    result.figure("CPU us/life", held.cpu().usPerOrder(trend.granted()));
    result.figure("bare POST/s", bare);
    result.figure("lives: grants p99 us", held.heard().grantP99Us());
    result.figure("lives: confirmations p99 us", held.heard().payP99Us());
    result.note("whole lives, at the rate that is held: " + held.cpu().perOrder(trend.granted()));
    result.ratio(trend.grantedPerS() / bare);
  }

  private static double bare(Site own) {
    LoadSpec bare = own.volley(own.bareUrl(), BARE, own.newSkus(1, 1), 1);
    own.fire(bare);
    return own.fire(bare).perSecond();
  }

  private static Duration atLeast(Duration one, Duration other) {
    return one.compareTo(other) > 0 ? one : other;
  }
}
