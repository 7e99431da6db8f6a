package io.sluice.bench.row;

import io.sluice.bench.Plan;
import io.sluice.bench.Result;
import io.sluice.bench.load.Buyers;
import io.sluice.bench.row.Turns.Pair;
import io.sluice.bench.row.Turns.Side;
import io.sluice.bench.site.Site;
import java.util.function.Consumer;

/**
 * Row 17, in {@link Turns}: orders of three SKUs, which are all in one partition, beside orders of
 * one SKU.
 */
public final class CartsMeasured implements Measurement {
  @Override
  public int ratios(Plan plan) {
    return Turns.pairs(plan);
  }

  @Override
  public void measure(Site site, Plan plan, Result result, Consumer<String> step) {
    long first = site.newCartSkus(Buyers.CART_LINES, GrantsMeasured.PLENTY);
    step.accept("warming up");
    Side carts = new Side(site, site.volley(first, 1).by(Buyers.NEW_WITH_CARTS)).warmUp(plan);
    Side orders = Side.of(site, GrantsMeasured.PLENTY, Buyers.NEW).warmUp(plan);
    for (int run = 0; run < plan.runs(); run++) {
      step.accept("carts of three lines and orders of one SKU");
      for (Pair pair : new Turns(carts, orders).run()) {
        pair.refuseNone();
        result.figure("carts/s", pair.one().perSecond());
        result.figure("orders of one SKU/s", pair.other().perSecond());
        result.figure("carts p99 us", pair.one().p99Us());
        result.figure("orders of one SKU p99 us", pair.other().p99Us());
        result.ratio(pair.ratio());
      }
    }
    result
        .ratios()
        .confidence()
        .ifPresent(range -> result.note("ratio, median with 95 % confidence: " + range));
  }
}
