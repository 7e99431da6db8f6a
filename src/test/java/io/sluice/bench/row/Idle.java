package io.sluice.bench.row;

import io.sluice.bench.Measurement;
import io.sluice.bench.site.Site;
import io.sluice.bench.site.Spent;

/**
 * The part of a processor that the service takes while ten thousand SKUs are open and nobody
 * orders. They rest before the first run, so that all of them have been watched and compared.
 */
public final class Idle {
  private static final int UNITS = 1_000;

  private Idle() {}

  public static Measurement.Maker skus() {
    return (site, plan, step) -> {
      step.accept("creating %,d SKUs".formatted(Saturated.MANY));
      site.newSkus(Saturated.MANY, UNITS);
      step.accept("resting");
      site.drain();
      Site.pass(plan.hold());
      return result -> {
        step.accept("idle");
        Spent spent = Spent.begin(site);
        Site.pass(plan.lives());
        spent.idle(result);
      };
    };
  }
}
