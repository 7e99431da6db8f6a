package io.sluice.bench.row;

import io.sluice.bench.Measurement;
import io.sluice.bench.Plan;
import io.sluice.bench.Result;
import io.sluice.bench.site.Site;
import java.time.Duration;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;

/** {@link Lives} at one rate, or at the most that is held. */
public final class LivesAt {
  private static final int FIRST_PER_S = Integer.getInteger("rate", 1_000);

  /**
   * At 400 a second the compiler of the JVM is busy for minutes, and takes more than half of the
   * processor time that the service is then told to cost.
   */
  private static final int WARM_UP_PER_S = 1_500;

  private static final Duration SHORTEST = Duration.ofSeconds(3);

  /** Of the hold: attempts in wide steps. */
  private static final int PILOT_PART = 4;

  /** Of the rate that was held last. */
  private static final double WARM_UP = 0.8;

  private LivesAt() {}

  /** At so many a second. */
  public static Measurement.Maker rate(int perS) {
    return (site, plan, step) -> {
      step.accept("warming up");
      Lives.at(site, Math.max(perS, WARM_UP_PER_S), atLeastShortest(plan.warmUp()));
      return result -> {
        step.accept("%,d lives a second".formatted(perS));
        result.addAll(Lives.at(site, perS, plan.lives()).result());
      };
    };
  }

  /** At the highest rate whose backlog does not grow. */
  public static Measurement.Maker most() {
    return Most::new;
  }

  /**
   * Each run has servers of its own, since the ledger of the last one is full. The first one
   * searches in wide steps; later ones begin where it ended.
   */
  private static final class Most implements Measurement {
    private final Site site;
    private final Plan plan;
    private final Consumer<String> step;
    private int heldBefore;

    Most(Site site, Plan plan, Consumer<String> step) {
      this.site = site;
      this.plan = plan;
      this.step = step;
    }

    @Override
    public void run(Result result) {
      step.accept("starting servers of its own");
      try (Site own = site.another()) {
        step.accept("warming up");
        if (heldBefore == 0) {
          Lives.at(own, FIRST_PER_S / 2, atLeastShortest(plan.warmUp()));
          heldBefore = RateSearch.coarse(FIRST_PER_S, perS -> pilot(own, perS));
        } else {
          Lives.at(own, (int) (heldBefore * WARM_UP), plan.hold());
        }
        Map<Integer, Lives> attempts = new TreeMap<>();
        heldBefore = RateSearch.fine(heldBefore, perS -> attempt(own, perS, attempts));
        result.addAll(attempts.get(heldBefore).result());
        result.note(own.books().audit());
      }
    }

    private boolean pilot(Site own, int perS) {
      step.accept("a first try of %,d lives a second".formatted(perS));
      return Lives.at(own, perS, atLeastShortest(plan.hold().dividedBy(PILOT_PART))).isHeld();
    }

    private boolean attempt(Site own, int perS, Map<Integer, Lives> attempts) {
      step.accept("%,d lives a second".formatted(perS));
      Lives lives = Lives.at(own, perS, plan.hold());
      attempts.put(perS, lives);
      return lives.isHeld();
    }
  }

  private static Duration atLeastShortest(Duration other) {
    return other.compareTo(SHORTEST) > 0 ? other : SHORTEST;
  }
}
