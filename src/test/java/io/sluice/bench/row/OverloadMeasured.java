package io.sluice.bench.row;

import io.sluice.bench.Plan;
import io.sluice.bench.Result;
import io.sluice.bench.load.Generator;
import io.sluice.bench.load.Heard;
import io.sluice.bench.load.LoadSpec;
import io.sluice.bench.load.OwnGenerator;
import io.sluice.bench.site.BooksCheck;
import io.sluice.bench.site.CpuSpent;
import io.sluice.bench.site.Memory;
import io.sluice.bench.site.Processors;
import io.sluice.bench.site.Site;
import java.util.Map;
import java.util.function.Consumer;

/**
 * Row 8: requests arrive at a half, once, twice and three times the highest rate of which nearly
 * all are granted, whether or not they are answered. The row's ratio is that of the grants at three
 * times the highest rate to those of the best load; the ratio of their p99 is a figure beside it.
 * Latency counts from when a request was due. With {@code -Dlimit} the service admits this many
 * calls per second, and the highest rate is that.
 */
public final class OverloadMeasured implements Measurement {
  /** Enough that arrivals need not wait for a free connection. */
  private static final int CONNECTIONS = Integer.getInteger("overload.connections", 10_000);

  /** How much faster requests arrive in the next attempt. */
  private static final double STEP = 1.15;

  private static final int ATTEMPTS_MAX = 8;

  /** More than is granted, so that the code that refuses is compiled as well. */
  private static final int WARM_UP_PER_S = 40_000;

  /** The part of the arrivals that a rate must grant. */
  private static final double NEARLY_ALL = 0.99;

  /** {@code admission.instance_per_s}; 0 for none. */
  private static final int LIMIT = Integer.getInteger("limit", 0);

  private static final double[] LOADS = {0.5, 1, 2, 3};

  @Override
  public void measure(Site site, Plan plan, Result result, Consumer<String> step) {
    if (LIMIT == 0) {
      measureAt(site, plan, result, step);
      return;
    }
    step.accept("starting another set of servers");
    try (Site limited =
        Site.open(plan, Map.of("SLUICE_ADMISSION_INSTANCE_PER_S", String.valueOf(LIMIT)))) {
      measureAt(limited, plan, result, step);
      step.accept("auditing");
      result.note("with the limit: " + new BooksCheck(limited).run());
    }
  }

  @SuppressWarnings("try") // The split ends with the block.
  private static void measureAt(Site site, Plan plan, Result result, Consumer<String> step) {
    LoadSpec plenty = site.volley(site.newSkus(1, GrantsMeasured.PLENTY), 1);
    try (Processors processors = Processors.split(site)) {
      Generator generator = new OwnGenerator(processors.ofGenerator());
      result.note(processors.text());
      step.accept("warming up");
      site.fire(generator, plenty.lasting(plan.warmUp()));
      site.drain();
      step.accept("warming up refusals");
      site.fire(generator, plenty.over(CONNECTIONS).lasting(plan.warmUp()).arriving(WARM_UP_PER_S));
      site.drain();
      for (int run = 0; run < plan.runs(); run++) {
        step.accept("finding the highest rate");
        double highest = LIMIT > 0 ? LIMIT : highestRate(site, generator, plenty);
        result.figure("highest rate/s", highest);
        loads(site, generator, plenty.over(CONNECTIONS), highest, result, step);
      }
    }
  }

  /**
   * The rate of a closed loop, or the highest above it, in steps, of which nearly all are granted.
   */
  private static double highestRate(Site site, Generator generator, LoadSpec volley) {
    Heard closed = site.fire(generator, volley);
    Refused.none(closed);
    site.drain();
    double highest = closed.perSecond();
    boolean isGranted = true;
    for (int attempt = 0; isGranted && attempt < ATTEMPTS_MAX; attempt++) {
      double faster = STEP * highest;
      Heard heard = site.fire(generator, volley.over(CONNECTIONS).arriving((int) faster));
      site.drain();
      isGranted = heard.accepted() >= NEARLY_ALL * faster * volley.length().toSeconds();
      highest = isGranted ? faster : highest;
    }
    return highest;
  }

  private static void loads(
      Site site,
      Generator generator,
      LoadSpec volley,
      double highest,
      Result result,
      Consumer<String> step) {
    double most = 0;
    double atThree = 0;
    double p99AtOnce = 0;
    double p99AtThree = 0;
    double heapBefore = Memory.liveHeapMib(site.service().pid());
    for (double load : LOADS) {
      String times = "%s times".formatted(load == 0.5 ? "0.5" : String.valueOf((int) load));
      step.accept(times + " the highest rate");
      CpuSpent cpu = CpuSpent.of(site);
      cpu.begin();
      Heard heard = site.fire(generator, volley.arriving((int) (load * highest)));
      cpu.end();
      result.note(times + ", bookings and refusals included: " + cpu.perOrder(heard.accepted()));
      double granted = heard.accepted() / heard.seconds();
      result.figure("grants/s at " + times, granted);
      result.figure("answered otherwise at " + times, heard.refused() + heard.failed());
      result.figure("grants p99 us at " + times, heard.acceptedP99Us());
      most = Math.max(most, granted);
      p99AtOnce = load == 1 ? heard.acceptedP99Us() : p99AtOnce;
      atThree = granted;
      p99AtThree = heard.acceptedP99Us();
      step.accept("booking");
      site.drain();
    }
    result.figure("live heap before, MiB", heapBefore);
    result.figure("live heap after, MiB", Memory.liveHeapMib(site.service().pid()));
    result.figure("grants/s, the most", most);
    result.figure("p99 of grants, three times / once the highest rate", p99AtThree / p99AtOnce);
    result.ratio(atThree / most);
  }
}
