package io.sluice.bench.row;

import io.sluice.bench.Figure;
import io.sluice.bench.Measurement;
import io.sluice.bench.load.Heard;
import io.sluice.bench.load.Heard.What;
import io.sluice.bench.load.LoadSpec;
import io.sluice.bench.site.Spent;
import java.util.Map;

/**
 * The first seconds of a service that has just started: lives arrive as soon as it is ready, and
 * each of them counts. The rate is that of the lives that had their yes, and their payment if it
 * was due. {@code -DserviceJvm} adds what an image gives its JVM.
 */
public final class Cold {
  private static final int PER_S = 1_500;
  private static final int CONNECTIONS = 512;
  private static final int PAY_AFTER_MS = 1_000;

  private Cold() {}

  public static Measurement.Maker start() {
    return (site, plan, step) -> {
      LoadSpec lives =
          site.volley(CONNECTIONS, site.newSkus(Lives.SKUS, Saturated.PLENTY), Lives.SKUS)
              .lasting(plan.lives())
              .arriving(PER_S)
              .paidAfter(PAY_AFTER_MS, 0);
      return result -> {
        site.drain();
        step.accept("starting the service");
        site.restart(Map.of());
        step.accept("its first %d s".formatted(plan.lives().toSeconds()));
        Spent spent = Spent.begin(site);
        Heard heard = site.fire(lives);
        step.accept("booking");
        site.drain();
        spent.on(heard.accepted(), result);
        double whole = heard.get(What.PAID) / (1 - 1.0 / LoadSpec.UNPAID_ONE_IN);
        result.add(Figure.RATE, whole / plan.lives().toSeconds());
        result.add(Figure.YES_P50, heard.get(What.YES_P50_US) / 1e3);
        result.add(Figure.YES_P99, heard.get(What.YES_P99_US) / 1e3);
        result.add(Figure.PAY_P50, heard.get(What.PAY_P50_US) / 1e3);
        result.add(Figure.PAY_P99, heard.get(What.PAY_P99_US) / 1e3);
      };
    };
  }
}
