package io.sluice.bench.row;

import io.sluice.bench.Plan;
import io.sluice.bench.Result;
import io.sluice.bench.load.Buyers;
import io.sluice.bench.row.Turns.Pair;
import io.sluice.bench.row.Turns.Side;
import io.sluice.bench.site.BooksCheck;
import io.sluice.bench.site.Site;
import io.sluice.testkit.trace.Collector;
import java.util.Map;
import java.util.function.Consumer;

/**
 * Row 15, what tracing costs, in {@link Turns} of grants: a service that traces as by default, to a
 * collector in this process, beside one that traces nothing.
 */
public final class TracingMeasured implements Measurement {
  @Override
  public int ratios(Plan plan) {
    return Turns.pairs(plan);
  }

  @Override
  public void measure(Site site, Plan plan, Result result, Consumer<String> step) {
    step.accept("starting another set of servers");
    try (Collector collector = Collector.start();
        Site traced = Site.open(plan, Map.of("SLUICE_TRACING_ENDPOINT", collector.endpoint()))) {
      step.accept("warming up");
      Side with = Side.of(traced, GrantsMeasured.PLENTY, Buyers.NEW).warmUp(plan);
      Side without = Side.of(site, GrantsMeasured.PLENTY, Buyers.NEW).warmUp(plan);
      for (int run = 0; run < plan.runs(); run++) {
        step.accept("grants, traced and not");
        for (Pair pair : new Turns(with, without).run()) {
          pair.refuseNone();
          result.figure("grants/s, traced", pair.one().perSecond());
          result.figure("grants/s, not traced", pair.other().perSecond());
          result.ratio(pair.ratio());
        }
      }
      result
          .ratios()
          .confidence()
          .ifPresent(range -> result.note("ratio, median with 95 % confidence: " + range));
      step.accept("booking");
      traced.drain();
      step.accept("auditing");
      result.note("traced: " + new BooksCheck(traced).run());
      result.note("the collector got %,d spans".formatted(collector.spans().size()));
    }
  }
}
