package io.sluice.explore.run;

import io.sluice.ledger.InMemoryLedger;
import io.sluice.ledger.SaleLedger.NewSale;
import io.sluice.ledger.SaleLedger.SaleSku;
import io.sluice.ledger.SaleSkus;
import io.sluice.ledger.SkuLedger.NewSku;
import io.sluice.model.BucketId;
import io.sluice.model.Sale.SaleTerms;
import io.sluice.model.Sku;
import io.sluice.model.SkuSettings;
import io.sluice.model.SkuSettings.Watermarks;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import java.util.stream.LongStream;

/** The SKU that is sold in a run, or those that are in a sale with carts. */
public final class Sale {
  /** The only one, or the first. */
  public static final long SKU = 7;

  /** The sale of several SKUs. */
  public static final String CARTS = "carts";

  private static final String NEXT = "next";

  private Sale() {}

  static void open(InMemoryLedger ledger, Scenario scenario) {
    if (scenario.skus() == 1) {
      SkuSettings settings =
          new SkuSettings(scenario.paymentWindowS(), scenario.limitPerUser(), 0, 0);
      ledger.put(new NewSku(SKU, scenario.units(), scenario.buckets(), Sku.Mode.FAST, settings));
      return;
    }
    List<SaleSku> members = members(scenario, skus(scenario));
    ledger.sales().put(new NewSale(CARTS, CARTS, true, terms(scenario), members));
  }

  private static SaleTerms terms(Scenario scenario) {
    return new SaleTerms(0, 0, scenario.paymentWindowS(), false);
  }

  private static List<SaleSku> members(Scenario scenario, List<Long> skuIds) {
    return skuIds.stream()
        .map(
            skuId ->
                SaleSkus.of(
                    skuId,
                    scenario.units(),
                    scenario.buckets(),
                    scenario.limitPerUser(),
                    Watermarks.DEFAULT))
        .toList();
  }

  /** The next sale of SKUs that have ended, with as many units as before. */
  public static NewSale next(Scenario scenario, List<Long> skuIds) {
    boolean carts = skuIds.size() > 1;
    return new NewSale(NEXT, NEXT, carts, terms(scenario), members(scenario, skuIds));
  }

  /** The number of the sale that the SKU is in now. */
  public static long number(World world, long skuId) {
    return world.ledger().sku(skuId).result().orElseThrow().saleNo();
  }

  public static List<Long> skus(Scenario scenario) {
    return LongStream.range(SKU, SKU + scenario.skus()).boxed().toList();
  }

  /** Those of all SKUs. */
  public static List<BucketId> buckets(Scenario scenario) {
    return skus(scenario).stream().flatMap(skuId -> buckets(scenario, skuId).stream()).toList();
  }

  public static List<BucketId> buckets(Scenario scenario, long skuId) {
    return IntStream.range(0, scenario.buckets()).mapToObj(i -> new BucketId(skuId, i)).toList();
  }

  /** Of several SKUs, two buyers in three order some together. */
  static List<Long> wanted(Scenario scenario, SplittableRandom draws) {
    List<Long> all = new ArrayList<>(skus(scenario));
    boolean alone = all.size() == 1 || draws.nextInt(3) == 0;
    int lines = alone ? 1 : draws.nextInt(2, all.size() + 1);
    while (all.size() > lines) {
      all.remove(draws.nextInt(all.size()));
    }
    return List.copyOf(all);
  }

  /** In some runs all are buyers of one bucket, to which the units of the others must move. */
  static BucketId lastBucket(Scenario scenario, long skuId, int number, SplittableRandom draws) {
    List<BucketId> all = buckets(scenario, skuId);
    int first = draws.nextInt(all.size());
    return all.get((first + (draws.nextBoolean() ? number : 0)) % all.size());
  }
}
