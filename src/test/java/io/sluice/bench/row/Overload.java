package io.sluice.bench.row;

import io.sluice.bench.Figure;
import io.sluice.bench.Measurement;
import io.sluice.bench.Result;
import io.sluice.bench.load.Heard;
import io.sluice.bench.load.Heard.What;
import io.sluice.bench.load.LoadSpec;
import io.sluice.bench.site.Processors;
import io.sluice.bench.site.Site;
import io.sluice.bench.site.Spent;
import java.util.Map;
import java.util.function.Consumer;

/**
 * Orders arrive at three times the highest rate of which nearly all are granted. The ratio is that
 * of the grants to what arithmetic leaves of that rate: to answer those who are refused costs at
 * least what the bare server takes for an answer. With {@code -Dlimit} the service admits this many
 * calls a second, and the highest rate is that.
 */
public final class Overload implements Measurement {
  /** Enough that arrivals need not wait for a free connection. */
  private static final int CONNECTIONS = 10_000;

  /** How much faster requests arrive in the next attempt. */
  private static final double STEP = 1.15;

  private static final int ATTEMPTS_MAX = 8;
  private static final int TIMES = 3;

  /** More than is granted, so that the code that refuses is compiled as well. */
  private static final int WARM_UP_PER_S = 40_000;

  /** The part of the arrivals that a rate must grant. */
  private static final double NEARLY_ALL = 0.99;

  /** Arithmetic leaves less if refusals alone take all. */
  private static final double LEFT_MIN = 0.05;

  /** {@code admission.instance_per_s}; 0 for none. */
  private static final int LIMIT = Integer.getInteger("limit", 0);

  private static final String LIMIT_KEY = "SLUICE_ADMISSION_INSTANCE_PER_S";
  private static final int LOOPS = Runtime.getRuntime().availableProcessors();

  private final Site site;
  private final Consumer<String> step;
  private final Processors processors;
  private final LoadSpec plenty;
  private double highest;

  private Overload(Site site, LoadSpec plenty, Consumer<String> step) {
    this.site = site;
    this.step = step;
    this.plenty = plenty;
    this.processors = Processors.split(site);
  }

  public static Maker threeTimes() {
    return (site, plan, step) -> {
      if (LIMIT > 0) {
        site.restart(Map.of(LIMIT_KEY, String.valueOf(LIMIT)));
      }
      LoadSpec plenty = site.volley(Saturated.STAMPEDE, site.newSkus(1, Saturated.PLENTY), 1);
      Overload made = new Overload(site, plenty, step);
      step.accept("warming up");
      site.fire(plenty.lasting(plan.warmUp()));
      site.fire(plenty.over(CONNECTIONS).lasting(plan.warmUp()).arriving(WARM_UP_PER_S));
      return made;
    };
  }

  @Override
  public void run(Result result) {
    site.drain();
    double bareUs = bareUs();
    step.accept("finding the highest rate");
    highest = LIMIT > 0 ? LIMIT : highestRate();
    double most = granted(1, new Result());
    double atThree = granted(TIMES, result);
    double arrivals = TIMES * highest;
    double left = Math.max(LEFT_MIN, 1 - arrivals * bareUs / 1e6 / processors.ofService());
    result.add(Figure.RATIO, atThree / most / left);
    result.note(
        "of %,.0f grants a second at the highest rate, arithmetic leaves %.2f at three times as much"
                .formatted(most, left)
            + " (%.1f us an answer of the bare server); %.2f were granted"
                .formatted(bareUs, atThree / most));
  }

  /** What an answer costs that says nothing. */
  private double bareUs() {
    step.accept("bare");
    long pid = site.bare(LOOPS).pid();
    LoadSpec bare = plenty.at(site.bareUrl(LOOPS));
    site.fire(bare);
    double before = Spent.processorUs(pid);
    long answers = site.fire(bare).accepted();
    return (Spent.processorUs(pid) - before) / answers;
  }

  /** The rate of a closed loop, or the highest above it, in steps. */
  private double highestRate() {
    Heard closed = site.fire(plenty);
    Saturated.expectGranted(closed);
    double rate = closed.perSecond();
    boolean isGranted = true;
    for (int attempt = 0; isGranted && attempt < ATTEMPTS_MAX; attempt++) {
      site.drain();
      int faster = (int) (STEP * rate);
      Heard heard = site.fire(plenty.over(CONNECTIONS).arriving(faster));
      isGranted = heard.accepted() >= NEARLY_ALL * faster * plenty.length().toSeconds();
      rate = isGranted ? faster : rate;
    }
    return rate;
  }

  private double granted(int times, Result result) {
    site.drain();
    step.accept("%d times the highest rate".formatted(times));
    Spent spent = Spent.begin(site);
    Heard heard = site.fire(plenty.over(CONNECTIONS).arriving((int) (times * highest)));
    step.accept("booking");
    site.drain();
    spent.on(heard.accepted(), result);
    result.add(Figure.RATE, heard.accepted() / heard.seconds());
    result.add(Figure.YES_P50, heard.get(What.YES_P50_US) / 1e3);
    result.add(Figure.YES_P99, heard.get(What.YES_P99_US) / 1e3);
    return heard.accepted() / heard.seconds();
  }

  @Override
  public void close() {
    processors.close();
    if (LIMIT > 0) {
      site.restart(Map.of(LIMIT_KEY, "0"));
    }
  }
}
