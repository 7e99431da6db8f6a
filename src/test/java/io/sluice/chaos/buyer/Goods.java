package io.sluice.chaos.buyer;

import io.sluice.testkit.site.Answer;
import io.sluice.testkit.site.Sale;
import io.sluice.testkit.site.SaleSite;
import io.sluice.testkit.site.SkuIds;
import io.vertx.core.json.JsonObject;
import java.time.Duration;
import java.util.List;

/**
 * The SKUs of a run: one with a single bucket and a limit per buyer, one with several buckets, one
 * with free claims, and one that only the prober buys.
 */
public record Goods(Item limited, Item spread, Item free, Item probed) {
  /**
   * One SKU.
   *
   * @param limit units per buyer, 0 for no limit
   * @param users number of different buyers, 0 where each comes once
   */
  public record Item(
      Sale sale, String name, int firstStock, int buckets, int windowS, int limit, int users) {
    public long skuId() {
      return sale.skuId();
    }
  }

  /** Extends the time to pay so far that no held unit returns during the sell-out. */
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
