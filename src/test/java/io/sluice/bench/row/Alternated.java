package io.sluice.bench.row;

import io.sluice.bench.Plan;
import io.sluice.bench.Result;
import io.sluice.bench.load.Buyers;
import io.sluice.bench.load.Heard;
import io.sluice.bench.site.CpuSpent;
import io.sluice.bench.site.Site;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * One kind of request on this build and on an older one, in {@link Turns}. Each pair of turns is a
 * ratio, that of the two rates. The bare server is not asked: it would divide both by the same
 * number.
 *
 * @param figure the name of the rate
 * @param units of the SKU that is ordered: one, and all are refused, or plenty
 */
public record Alternated(String figure, long units, Site baseline) implements Measurement {
  private static final String SERVICE_US = "service us/request";

  /** More units than are ordered. */
  public static final long PLENTY = GrantsMeasured.PLENTY;

  @Override
  public int ratios(Plan plan) {
    return Turns.pairs(plan);
  }

  @Override
  public void measure(Site site, Plan plan, Result result, Consumer<String> step) {
    step.accept("warming up");
    Turns.Side before = Turns.Side.of(baseline, units, Buyers.NEW).warmUp(plan);
    Turns turns = new Turns(Turns.Side.of(site, units, Buyers.NEW).warmUp(plan), before);
    for (int run = 0; run < plan.runs(); run++) {
      step.accept("both builds in turn");
      CpuSpent cpuBefore = CpuSpent.of(baseline);
      CpuSpent cpu = CpuSpent.of(site);
      cpuBefore.begin();
      cpu.begin();
      List<Turns.Pair> pairs = turns.run();
      baseline.drain();
      site.drain();
      cpuBefore.end();
      cpu.end();
      pairs.forEach(pair -> add(pair, result));
      double older = spent("baseline: ", cpuBefore, pairs, Turns.Pair::other, result);
      double now = spent("", cpu, pairs, Turns.Pair::one, result);
      result.figure(SERVICE_US + ", this / older build", now / older);
    }
    result
        .ratios()
        .confidence()
        .ifPresent(range -> result.note("ratio, median with 95 % confidence: " + range));
  }

  /** The service alone: its time is what a build can change by itself. */
  private static double spent(
      String whose,
      CpuSpent cpu,
      List<Turns.Pair> pairs,
      Function<Turns.Pair, Heard> side,
      Result result) {
    long answers = pairs.stream().map(side).mapToLong(Heard::requests).sum();
    double us = cpu.usPerOrder(CpuSpent.SERVICE, answers);
    result.figure(whose + SERVICE_US, us);
    result.note(whose + cpu.perOrder(answers));
    return us;
  }

  private void add(Turns.Pair pair, Result result) {
    if (units > 1) {
      pair.refuseNone();
    }
    result.figure("baseline: " + figure, pair.other().perSecond());
    result.figure(figure, pair.one().perSecond());
    result.figure("baseline: p99 us", pair.other().p99Us());
    result.figure("p99 us", pair.one().p99Us());
    result.ratio(pair.ratio());
  }
}
