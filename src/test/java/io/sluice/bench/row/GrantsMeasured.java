package io.sluice.bench.row;

import io.sluice.bench.Plan;
import io.sluice.bench.Result;
import io.sluice.bench.load.Heard;
import io.sluice.bench.load.LoadSpec;
import io.sluice.bench.site.CpuSpent;
import io.sluice.bench.site.ServiceMetrics;
import io.sluice.bench.site.Site;
import java.util.function.Consumer;

/** Row 2: more units than are ordered, so every request is a durable grant. */
public final class GrantsMeasured implements Measurement {
  static final long PLENTY = 100_000_000;

  @Override
  public void measure(Site site, Plan plan, Result result, Consumer<String> step) {
    LoadSpec plenty = site.volley(site.newSkus(1, PLENTY), 1);
    LoadSpec bare = plenty.at(site.bareUrl());
    step.accept("warming up");
    site.warmUp(plenty, plan);
    site.drain();
    site.warmUp(bare, plan);
    CpuSpent cpu = CpuSpent.of(site);
    long granted = 0;
    String batches = "";
    for (int run = 0; run < plan.runs(); run++) {
      // Booking the backlog of the previous run would slow down the reference.
      step.accept("booking");
      site.drain();
      step.accept("bare");
      Heard reference = site.fire(bare);
      step.accept("grants");
      ServiceMetrics before = ServiceMetrics.of(site);
      cpu.begin();
      Heard heard = site.fire(plenty);
      cpu.end();
      batches = ServiceMetrics.of(site).batchesSince(before);
      granted += heard.accepted();
      Refused.none(heard);
      result.figure("bare POST/s", reference.perSecond());
      result.figure("durable grants/s", heard.accepted() / heard.seconds());
      result.figure("bare p99 us", reference.p99Us());
      result.figure("grants p99 us", heard.p99Us());
      result.ratio(heard.accepted() / heard.seconds() / reference.perSecond());
    }
    result.note("last run: " + batches);
    result.note("while granting, with as many bookings as fit in: " + cpu.perOrder(granted));
  }
}
