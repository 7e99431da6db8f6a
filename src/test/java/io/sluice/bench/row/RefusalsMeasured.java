package io.sluice.bench.row;

import io.sluice.bench.BenchException;
import io.sluice.bench.Plan;
import io.sluice.bench.Result;
import io.sluice.bench.load.Heard;
import io.sluice.bench.load.LoadSpec;
import io.sluice.bench.site.ServiceMetrics;
import io.sluice.bench.site.Site;
import java.util.function.Consumer;

/** Row 1: one unit is sold, then every request is refused as sold out. */
public final class RefusalsMeasured implements Measurement {

  @Override
  public void measure(Site site, Plan plan, Result result, Consumer<String> step) {
    LoadSpec sold = site.volley(site.newSkus(1, 1), 1);
    LoadSpec bare = sold.at(site.bareUrl());
    step.accept("warming up");
    site.warmUp(sold, plan);
    site.warmUp(bare, plan);
    for (int run = 0; run < plan.runs(); run++) {
      step.accept("bare");
      Heard reference = site.fire(bare);
      step.accept("refusals");
      long soldOut = ServiceMetrics.of(site).soldOut();
      Heard heard = site.fire(sold);
      soldOut = ServiceMetrics.of(site).soldOut() - soldOut;
      if (heard.accepted() > 0 || soldOut < heard.refused()) {
        throw new BenchException(
            "Expected only sold-out, but got %s, of which %d are".formatted(heard, soldOut));
      }
      result.figure("bare POST/s", reference.perSecond());
      result.figure("refusals/s", heard.perSecond());
      result.figure("bare p99 us", reference.p99Us());
      result.figure("refusals p99 us", heard.p99Us());
      result.ratio(heard.perSecond() / reference.perSecond());
    }
  }
}
