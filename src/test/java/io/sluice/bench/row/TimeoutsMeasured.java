package io.sluice.bench.row;

import io.sluice.bench.Plan;
import io.sluice.bench.Result;
import io.sluice.bench.load.Heard;
import io.sluice.bench.load.LoadSpec;
import io.sluice.bench.load.OwnGenerator;
import io.sluice.bench.site.CpuSpent;
import io.sluice.bench.site.DueUnits;
import io.sluice.bench.site.ReleaseLags;
import io.sluice.bench.site.Site;
import java.time.Duration;
import java.util.function.Consumer;

/**
 * Row 14: a hundred thousand orders that nobody pays are due within a minute; how long after its
 * deadline a unit is on sale again. The row's ratio is the 99th percentile, in milliseconds.
 */
public final class TimeoutsMeasured implements Measurement {
  private static final int HOLDS = Integer.getInteger("due", 100_000);
  private static final int WITHIN_S = 60;

  /** All are booked before the first is due. */
  private static final int TIME_TO_PAY_S = WITHIN_S + 15;

  private static final long PLENTY = 1_000_000;
  private static final Duration WARM_UP = Duration.ofSeconds(5);
  private static final Duration LIMIT = Duration.ofSeconds(3 * TIME_TO_PAY_S);

  @Override
  public void measure(Site site, Plan plan, Result result, Consumer<String> step) {
    for (int run = 0; run < plan.runs(); run++) {
      step.accept("warming up");
      long warm = site.newSkus(1, PLENTY, 1);
      site.fire(new OwnGenerator(), site.volley(warm, 1).arriving(1_000).lasting(WARM_UP));
      site.drain();

      long sku = site.newSkus(1, PLENTY, TIME_TO_PAY_S);
      LoadSpec orders =
          site.volley(sku, 1).arriving(HOLDS / WITHIN_S).lasting(Duration.ofSeconds(WITHIN_S));
      step.accept("ordering %,d units within %d s".formatted(HOLDS, WITHIN_S));
      Heard heard = site.fire(new OwnGenerator(), orders);
      Refused.none(heard);
      DueUnits due = new DueUnits(site, sku);
      step.accept("booking them");
      due.awaitBooked(heard.accepted());
      step.accept("waiting for their deadlines");
      CpuSpent cpu = CpuSpent.of(site);
      cpu.begin();
      ReleaseLags lags = due.await(LIMIT);
      cpu.end();
      result.figure("units/s back", heard.accepted() / (double) WITHIN_S);
      result.figure("release lag p50 ms", lags.ms(0.50));
      result.figure("release lag p99 ms", lags.ms(0.99));
      result.figure("release lag, most, ms", lags.ms(1));
      result.note("time-outs: " + cpu.perOrder(heard.accepted()));
      result.ratio(lags.ms(0.99));
    }
  }
}
