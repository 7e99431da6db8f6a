package io.sluice.chaos.buyer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.sluice.model.BucketId;
import io.sluice.testkit.site.Answer;
import io.sluice.testkit.site.Call;
import io.sluice.testkit.site.CartSale;
import io.sluice.testkit.site.Sale;
import io.sluice.testkit.site.SaleBodies;
import io.sluice.testkit.site.SaleSite;
import io.sluice.testkit.site.SkuIds;
import io.sluice.testkit.site.SluiceProcess;
import io.vertx.core.json.JsonObject;
import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * The SKUs of a run: one with a single bucket and a limit per buyer, one with several buckets, one
 * with free claims, one with free claims in many buckets of which few have buyers, some that are
 * ordered together, one that is sold in one sale after the other, and one that only the prober
 * buys.
 */
public record Goods(
    SaleSite site,
    Item limited,
    Item spread,
    Item free,
    Item lopsided,
    CartSale carts,
    List<Item> together,
    Item seasonal,
    Item probed) {
  private static final int LOPSIDED_BUCKETS = 12;
  private static final int LOPSIDED_ASKED = 3;
  private static final int TOGETHER = 3;
  private static final int TOGETHER_BUCKETS = 2;
  private static final int TOGETHER_STOCK = 250;
  private static final int TOGETHER_WINDOW_S = 8;
  private static final int TOGETHER_LIMIT = 3;
  private static final int TOGETHER_USERS = 300;
  private static final int SEASON_STOCK = 120;
  private static final int SEASON_BUCKETS = 2;
  private static final int SEASON_WINDOW_S = 5;
  private static final int LAST_SEASON = 1_000;
  private static final int LAST_WINDOW_S = 3_600;
  private static final Duration SHOWN_WITHIN = Duration.ofSeconds(60);
  private static final String WINDOW = "payment_window_s";

  /**
   * One SKU.
   *
   * @param limit units per buyer, 0 for no limit
   * @param users number of different buyers, 0 where each comes once
   * @param asked the number of buckets whose buyers come
   */
  public record Item(
      Sale sale,
      String name,
      int firstStock,
      int buckets,
      int windowS,
      int limit,
      int users,
      int asked) {
    public long skuId() {
      return sale.skuId();
    }

    /** A user of a bucket that has buyers, whose id begins so. */
    public String user(String begin) {
      return asked == buckets
          ? begin
          : IntStream.iterate(0, i -> i + 1)
              .mapToObj(i -> begin + "-" + i)
              .filter(user -> BucketId.of(skuId(), user, buckets).bucket() < asked)
              .findFirst()
              .orElseThrow();
    }
  }

  public static Goods open(SaleSite site) {
    CartSale carts =
        CartSale.open(
            site, TOGETHER, termsTogether(), new JsonObject().put(WINDOW, TOGETHER_WINDOW_S));
    return new Goods(
        site,
        open(site, "limited", 300, 1, 10, 2, 400, 1),
        open(site, "spread", 400, 4, 8, 0, 0, 4),
        open(site, "free", 200, 1, 0, 0, 0, 1),
        open(site, "lopsided", 480, LOPSIDED_BUCKETS, 0, 0, 0, LOPSIDED_ASKED),
        carts,
        IntStream.range(0, TOGETHER).mapToObj(n -> together(carts, n)).toList(),
        seasonal(site),
        open(site, "probed", 800, 8, 5, 0, 0, 8));
  }

  /** Those that are ordered alone. */
  public List<Item> alone() {
    return List.of(limited, spread, free, lopsided, seasonal);
  }

  /** Those of which no unit comes back. */
  public List<Item> givenAway() {
    return alone().stream().filter(item -> item.windowS() == 0).toList();
  }

  /** Those that an operator restocks. */
  public List<Item> restocked() {
    return Stream.concat(alone().stream(), together.stream())
        .filter(item -> !item.equals(seasonal))
        .toList();
  }

  public List<Item> all() {
    return Stream.concat(restocked().stream(), Stream.of(seasonal, probed)).toList();
  }

  public Item of(long skuId) {
    return all().stream().filter(item -> item.skuId() == skuId).findFirst().orElseThrow();
  }

  /**
   * Extends the time to pay so far that no held unit returns during the sell-out; begins the last
   * sale of what is sold in one after the other.
   */
  public Answer giveTime(Item item) {
    if (item.equals(seasonal)) {
      return shown(site, season(site.instance(0), item, LAST_SEASON, LAST_WINDOW_S));
    }
    if (together.contains(item)) {
      JsonObject body =
          SaleBodies.of("Carts", carts.skuIds(), termsTogether())
              .put("carts", true)
              .put(WINDOW, LAST_WINDOW_S);
      String url = site.instance(0).adminUrl() + "/admin/sales/" + carts.saleId();
      return shown(site, Call.put(url).json(body));
    }
    return item.sale()
        .put(
            new JsonObject()
                .put("total_stock", item.firstStock())
                .put("buckets", item.buckets())
                .put("limit_per_user", item.limit())
                .put(WINDOW, LAST_WINDOW_S));
  }

  /** Repeats it until Redis shows the sale. */
  private static Answer shown(SaleSite site, Call put) {
    return await()
        .atMost(SHOWN_WITHIN)
        .until(() -> site.http().ask(put), answer -> answer.status() != 202);
  }

  /**
   * Puts a sale of a SKU that is sold in one sale after the other. Every second one is a sale with
   * carts, so that its buckets move to another partition and back.
   */
  static Call season(SluiceProcess desk, Item item, int number, int windowS) {
    JsonObject terms =
        new JsonObject().put("total_stock", item.firstStock()).put("buckets", item.buckets());
    return Call.put(desk.adminUrl() + "/admin/sales/" + seasonId(item, number))
        .json(
            SaleBodies.of("Season", List.of(item.skuId()), terms)
                .put("carts", number % 2 == 0)
                .put(WINDOW, windowS));
  }

  static String seasonId(Item item, int number) {
    return "season-" + item.skuId() + "-" + number;
  }

  private static Item seasonal(SaleSite site) {
    Sale sale = site.known(SkuIds.spread(site, SEASON_BUCKETS));
    Item item =
        new Item(
            sale, "seasonal", SEASON_STOCK, SEASON_BUCKETS, SEASON_WINDOW_S, 0, 0, SEASON_BUCKETS);
    Answer put = shown(site, season(site.instance(0), item, Seasons.FIRST, item.windowS()));
    assertThat(put.isYes()).as("PUT of the first sale: %s", put).isTrue();
    return item;
  }

  private static JsonObject termsTogether() {
    return new JsonObject()
        .put("total_stock", TOGETHER_STOCK)
        .put("buckets", TOGETHER_BUCKETS)
        .put("limit_per_user", TOGETHER_LIMIT);
  }

  private static Item together(CartSale carts, int number) {
    return new Item(
        carts.sku(number),
        "together " + number,
        TOGETHER_STOCK,
        TOGETHER_BUCKETS,
        TOGETHER_WINDOW_S,
        TOGETHER_LIMIT,
        TOGETHER_USERS,
        TOGETHER_BUCKETS);
  }

  private static Item open(
      SaleSite site,
      String name,
      int stock,
      int buckets,
      int windowS,
      int limit,
      int users,
      int asked) {
    Sale sale =
        site.sale(SkuIds.spread(site, buckets))
            .withStock(stock)
            .withBuckets(buckets)
            .withLimit(limit)
            .withPaymentWindow(Duration.ofSeconds(windowS))
            .open();
    return new Item(sale, name, stock, buckets, windowS, limit, users, asked);
  }
}
