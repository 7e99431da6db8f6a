package io.sluice.bench.row;

import io.sluice.bench.Plan;
import io.sluice.bench.Result;
import io.sluice.bench.load.Heard;
import io.sluice.bench.load.LoadSpec;
import io.sluice.bench.site.BacklogBooked;
import io.sluice.bench.site.Site;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Consumer;

/**
 * Row 18: the same demand for one SKU in one bucket, and in several, on one Redis; and how fast the
 * backlog that it leaves is booked.
 */
public final class BucketsMeasured implements Measurement {
  private static final int ONE = 1;
  private static final int MOST = 64;
  private static final int[] BUCKETS = {ONE, 4, 16, MOST};

  @Override
  public void measure(Site site, Plan plan, Result result, Consumer<String> step) {
    Map<Integer, LoadSpec> volleys = new LinkedHashMap<>();
    for (int buckets : BUCKETS) {
      volleys.put(buckets, site.volley(site.inBuckets.put(buckets, GrantsMeasured.PLENTY), 1));
    }
    step.accept("warming up");
    site.warmUp(volleys.get(ONE), plan);
    site.warmUp(volleys.get(MOST), plan.once(false));
    site.drain();
    for (int run = 0; run < plan.runs(); run++) {
      Map<Integer, Double> perSecond = new LinkedHashMap<>();
      volleys.forEach(
          (buckets, volley) -> {
            step.accept("%d buckets".formatted(buckets));
            Heard heard = site.fire(volley);
            Refused.none(heard);
            perSecond.put(buckets, heard.perSecond());
            result.figure("%d buckets: grants/s".formatted(buckets), heard.perSecond());
            result.figure("%d buckets: p99 us".formatted(buckets), heard.p99Us());
            step.accept("booking");
            result.figure(
                "%d buckets: booked/s".formatted(buckets),
                BacklogBooked.watch(site, volley.firstSku(), 1).perSecond());
          });
      result.ratio(perSecond.get(MOST) / perSecond.get(ONE));
    }
  }
}
