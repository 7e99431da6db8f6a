package io.sluice.chaos.buyer;

import io.sluice.testkit.site.Answer;
import io.sluice.testkit.site.Sale;
import io.sluice.testkit.site.SaleSite;
import io.sluice.testkit.site.SkuIds;
import io.vertx.core.json.JsonObject;
import java.time.Duration;
import java.util.List;

/**
 * The SKUs of a run: one with one bucket and a limit for each buyer, one with several buckets, one
 * whose claims are free, and one that only the prober buys.
 */
public record Goods(Item limited, Item spread, Item free, Item probed) {
  /**
   * One SKU.
   *
   * @param limit units for each buyer, 0 where there is none
   * @param users how many different buyers there are, 0 where each comes once
   */
  public record Item(
      Sale sale, String name, int firstStock, int buckets, int windowS, int limit, int users) {
    public long skuId() {
      return sale.skuId();
    }
  }

  /** Gives buyers so much time to pay that what they hold does not come back any more. */
  public static Answer giveTime(Item item) {
    return item.sale()
        .put(
            new JsonObject()
                .put("total_stock", item.firstStock())
                .put("buckets", item.buckets())
                .put("limit_per_user", item.limit())
                .put("payment_window_s", 3_600));
  }

  public static Goods open(SaleSite site) {
    return new Goods(
        open(site, "limited", 300, 1, 10, 2, 400),
        open(site, "spread", 400, 4, 8, 0, 0),
        open(site, "free", 200, 1, 0, 0, 0),
        open(site, "probed", 800, 8, 5, 0, 0));
  }

  public List<Item> sold() {
    return List.of(limited, spread, free);
  }

  public List<Item> all() {
    return List.of(limited, spread, free, probed);
  }

  public Item of(long skuId) {
    return all().stream().filter(item -> item.skuId() == skuId).findFirst().orElseThrow();
  }

  private static Item open(
      SaleSite site, String name, int stock, int buckets, int windowS, int limit, int users) {
    Sale sale =
        site.sale(SkuIds.spread(site, buckets))
            .withStock(stock)
            .withBuckets(buckets)
            .withLimit(limit)
            .withPaymentWindow(Duration.ofSeconds(windowS))
            .open();
    return new Item(sale, name, stock, buckets, windowS, limit, users);
  }
}
