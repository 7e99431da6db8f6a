package io.sluice.bench.row;

import io.sluice.bench.Figure;
import io.sluice.bench.Measurement;
import io.sluice.bench.Result;
import io.sluice.bench.load.Heard;
import io.sluice.bench.load.Heard.What;
import io.sluice.bench.load.LoadSpec;
import io.sluice.bench.load.OpenLoop;
import io.sluice.bench.site.Spent;

/**
 * Payments while 512 connections ask for grants as fast as they are answered: how long the back
 * office waits. Orders may be {@code busy} here. The yes is that of the stampede.
 */
public final class Crowded {
  private static final int PAID_PER_S = 100;
  private static final int PAY_AFTER_MS = 1_000;

  /** Until then the stampede has begun. */
  private static final int SETTLE_MS = 2_000;

  private Crowded() {}

  public static Measurement.Maker payments() {
    return (site, plan, step) -> {
      LoadSpec stampede =
          site.volley(Saturated.STAMPEDE, site.newSkus(1, Saturated.PLENTY), 1)
              .lasting(plan.lives());
      LoadSpec paid =
          site.volley(Saturated.STAMPEDE, site.newSkus(Lives.SKUS, Saturated.PLENTY), Lives.SKUS)
              .lasting(plan.lives())
              .arriving(PAID_PER_S)
              .paidAfter(PAY_AFTER_MS, SETTLE_MS);
      step.accept("warming up");
      site.warmUp(stampede);
      return result -> {
        site.drain();
        step.accept("a stampede, and payments beside it");
        Spent spent = Spent.begin(site);
        LoadSpec fresh = paid.by(site.buyers());
        try (OpenLoop paying = OpenLoop.start(fresh, -1)) {
          Heard grants = site.fire(stampede);
          Heard payments = site.books().note(fresh, paying.awaitEnd(), 0);
          step.accept("booking");
          site.drain();
          spent.on(grants.accepted() + payments.accepted(), result);
          add(grants, payments, result);
        }
      };
    };
  }

  private static void add(Heard grants, Heard payments, Result result) {
    result.add(Figure.RATE, grants.accepted() / grants.seconds());
    result.add(Figure.YES_P50, grants.yesMs(What.YES_P50_US, What.P50_US));
    result.add(Figure.YES_P99, grants.yesMs(What.YES_P99_US, What.P99_US));
    result.add(Figure.PAY_P50, payments.get(What.PAY_P50_US) / 1e3);
    result.add(Figure.PAY_P99, payments.get(What.PAY_P99_US) / 1e3);
    result.note(
        "%,d orders of the stampede were refused; of the others %,d were paid, %,d heard 202, %,d failed"
            .formatted(
                grants.get(What.REFUSED),
                payments.get(What.PAID),
                payments.get(What.PAY_UNKNOWN),
                payments.notAccepted() + payments.notPaid()));
  }
}
