package io.sluice.bench.row;

import io.sluice.bench.Plan;
import io.sluice.bench.Result;
import io.sluice.bench.load.Heard;
import io.sluice.bench.load.LoadSpec;
import io.sluice.bench.site.CpuSpent;
import io.sluice.bench.site.ServiceMetrics;
import io.sluice.bench.site.Site;
import java.util.function.Consumer;

/**
 * Row 6: the same demand spread over ten thousand SKUs, so that requests cannot be batched by SKU.
 */
public final class SkusMeasured implements Measurement {
  private static final int SKUS = Integer.getInteger("skus", 10_000);

  @Override
  public void measure(Site site, Plan plan, Result result, Consumer<String> step) {
    step.accept("creating %,d SKUs".formatted(SKUS));
    LoadSpec many = site.volley(site.newSkus(SKUS, 1_000_000), SKUS);
    LoadSpec one = site.volley(site.newSkus(1, GrantsMeasured.PLENTY), 1);
    step.accept("warming up");
    site.warmUp(many, plan);
    site.warmUp(one, plan);
    CpuSpent cpu = CpuSpent.of(site);
    long granted = 0;
    String batches = "";
    for (int run = 0; run < plan.runs(); run++) {
      step.accept("booking");
      site.drain();
      step.accept("one SKU");
      Heard ofOne = site.fire(one);
      step.accept("booking");
      site.drain();
      step.accept("%,d SKUs".formatted(SKUS));
      ServiceMetrics before = ServiceMetrics.of(site);
      cpu.begin();
      Heard ofMany = site.fire(many);
      cpu.end();
      batches = ServiceMetrics.of(site).batchesSince(before);
      granted += ofMany.accepted();
      Refused.none(ofOne);
      Refused.none(ofMany);
      result.figure("one SKU/s", ofOne.perSecond());
      result.figure("many SKUs/s", ofMany.perSecond());
      result.ratio(ofMany.perSecond() / ofOne.perSecond());
    }
    result.note("last run over many: " + batches);
    result.note("over many, with as many bookings as fit in: " + cpu.perOrder(granted));
  }
}
