package io.sluice.bench.row;

import io.sluice.bench.Plan;
import io.sluice.bench.Result;
import io.sluice.bench.load.Buyers;
import io.sluice.bench.site.Site;
import java.util.function.Consumer;

/**
 * One kind of request on this build and on an older one, in {@link Turns}. Each pair of turns is a
 * ratio, that of the two rates. The bare server is not asked: it would divide both by the same
 * number.
 *
 * @param figure the name of the rate
 * @param units of the SKU that is ordered: one, and all are refused, or plenty
 */
public record Alternated(String figure, long units, Site baseline) implements Measurement {
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
      turns.run().forEach(pair -> add(pair, result));
    }
    result
        .ratios()
        .confidence()
        .ifPresent(range -> result.note("ratio, median with 95 % confidence: " + range));
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
