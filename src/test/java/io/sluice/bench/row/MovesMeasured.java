package io.sluice.bench.row;

import io.sluice.bench.Plan;
import io.sluice.bench.Result;
import io.sluice.bench.load.Heard;
import io.sluice.bench.site.InsistingBuyers;
import io.sluice.bench.site.InsistingBuyers.Sold;
import io.sluice.bench.site.ServiceMetrics;
import io.sluice.bench.site.Site;
import io.vertx.core.Vertx;
import java.util.List;
import java.util.function.Consumer;

/**
 * Row 19: how much longer it takes to sell the units of many buckets to buyers of a few of them,
 * who ask again every 100 ms while they hear that it is busy. Beside it, how soon buyers are
 * answered while all buckets of a SKU are empty.
 */
public final class MovesMeasured implements Measurement {
  private static final int UNITS = 10_000;
  private static final int BUCKETS = 16;
  private static final List<Integer> FEW = List.of(2, 7, 11);
  private static final int DRY = 64;

  @Override
  public void measure(Site site, Plan plan, Result result, Consumer<String> step) {
    Vertx vertx = Vertx.vertx();
    try {
      measure(site, new InsistingBuyers(site, vertx), plan, result, step);
    } finally {
      vertx.close();
    }
  }

  private static void measure(
      Site site, InsistingBuyers buyers, Plan plan, Result result, Consumer<String> step) {
    step.accept("warming up");
    long endNs = System.nanoTime() + plan.warmUp().toNanos();
    do {
      buyers.buyAll(site.inBuckets.put(1, UNITS), UNITS, 1, List.of(0));
      buyers.buyAll(site.inBuckets.put(BUCKETS, UNITS), UNITS, BUCKETS, FEW);
    } while (System.nanoTime() - endNs < 0);
    for (int run = 0; run < plan.runs(); run++) {
      step.accept("one bucket");
      site.drain();
      Sold one = buyers.buyAll(site.inBuckets.put(1, UNITS), UNITS, 1, List.of(0));
      step.accept("%d buckets, through %d of them".formatted(BUCKETS, FEW.size()));
      site.drain();
      ServiceMetrics before = ServiceMetrics.of(site);
      Sold many = buyers.buyAll(site.inBuckets.put(BUCKETS, UNITS), UNITS, BUCKETS, FEW);
      ServiceMetrics after = ServiceMetrics.of(site);
      result.figure("one bucket: sold after s", one.seconds());
      result.figure("16 buckets: sold after s", many.seconds());
      result.figure("16 buckets: answers busy", many.busy());
      result.figure("16 buckets: moves", after.moves() - before.moves());
      result.figure("16 buckets: units moved", after.movedUnits() - before.movedUnits());
      dry(site, plan, result, step);
      result.ratio(many.seconds() / one.seconds());
    }
  }

  private static void dry(Site site, Plan plan, Result result, Consumer<String> step) {
    step.accept("%d empty buckets".formatted(DRY));
    site.drain();
    Heard one = site.fire(site.volley(site.inBuckets.put(1, DRY), 1).lasting(plan.length()));
    Heard dry = site.fire(site.volley(site.inBuckets.put(DRY, DRY), 1).lasting(plan.length()));
    result.figure("one empty bucket: p99 us", one.p99Us());
    result.figure("64 empty buckets: p99 us", dry.p99Us());
    result.figure("one empty bucket: answers/s", one.perSecond());
    result.figure("64 empty buckets: answers/s", dry.perSecond());
  }
}
