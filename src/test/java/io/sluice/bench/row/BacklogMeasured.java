package io.sluice.bench.row;

import io.sluice.bench.BenchException;
import io.sluice.bench.Plan;
import io.sluice.bench.Result;
import io.sluice.bench.load.Heard;
import io.sluice.bench.load.LoadSpec;
import io.sluice.bench.site.BacklogBooked;
import io.sluice.bench.site.CpuSpent;
import io.sluice.bench.site.Site;
import java.time.Duration;
import java.util.function.Consumer;

/**
 * Row 3 beside an older build: a volley leaves a backlog in the log, and the service of either
 * build books it. {@link DrainMeasured} runs this build inside the bench, so it cannot measure
 * another.
 */
public final class BacklogMeasured implements Measurement {
  private static final int ORDERS = Integer.getInteger("orders", 200_000);

  /** One bucket each, as many as row 3 has. */
  private static final int SKUS = 128;

  private static final Duration TRIAL = Duration.ofSeconds(2);

  /** Of what was granted: less is no backlog. */
  private static final double BACKLOG_MIN = 0.1;

  @Override
  public void measure(Site site, Plan plan, Result result, Consumer<String> step) {
    LoadSpec volley = site.volley(site.newSkus(SKUS, GrantsMeasured.PLENTY), SKUS);
    step.accept("warming up");
    site.warmUp(volley, plan);
    for (int run = 0; run < plan.runs(); run++) {
      step.accept("booking what is left");
      site.drain();
      step.accept("finding how long to order");
      Heard trial = site.fire(volley.lasting(TRIAL));
      Refused.none(trial);
      site.drain();
      step.accept("ordering %,d units".formatted(ORDERS));
      Heard heard = site.fire(volley.lasting(Orders.next(ORDERS, trial.perSecond())));
      Refused.none(heard);
      step.accept("booking them");
      CpuSpent cpu = CpuSpent.of(site);
      cpu.begin();
      BacklogBooked booked = BacklogBooked.watch(site, volley.firstSku(), SKUS);
      cpu.end();
      if (booked.orders() < BACKLOG_MIN * heard.accepted()) {
        throw new BenchException(
            "Expected a backlog of %,d orders, but %,d were left"
                .formatted(heard.accepted(), booked.orders()));
      }
      result.figure("booked/s, from a backlog", booked.perSecond());
      result.figure("orders of the backlog", booked.orders());
      result.figure("settled after s", booked.settledS());
      result.note("booked and told: " + cpu.perOrder(booked.orders()));
      result.ratio(booked.perSecond());
    }
  }
}
