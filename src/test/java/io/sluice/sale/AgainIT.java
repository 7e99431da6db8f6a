package io.sluice.sale;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.sluice.testkit.site.Answer;
import io.sluice.testkit.site.Buyer;
import io.sluice.testkit.site.Sale;
import io.sluice.testkit.site.SaleBodies;
import io.sluice.testkit.site.SaleSite;
import io.vertx.core.json.JsonObject;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** The same SKUs are sold again next week, to the same buyers. */
class AgainIT {
  @RegisterExtension static final SaleSite site = SaleSite.withInstances(2);

  private static final Duration LIMIT = Duration.ofSeconds(60);
  private static final int STOCK = 10;
  private static final Buyer ALICE = Buyer.named("alice");
  private static final Buyer BOB = Buyer.named("bob");

  private final List<Sale> skus = List.of(site.known(site.newSkuId()), site.known(site.newSkuId()));

  /** Puts a sale of both SKUs. */
  private void put(String saleId) {
    JsonObject terms =
        new JsonObject().put("total_stock", STOCK).put("limit_per_user", 1).put("buckets", 2);
    site.putSale(saleId, SaleBodies.of("phones", skus.stream().map(Sale::skuId).toList(), terms));
  }

  /** The instance may not have heard of the next sale yet: busy, or the answer of the old one. */
  private static String bought(Sale sku, Buyer buyer, String before) {
    return await()
        .atMost(LIMIT)
        .until(
            () -> {
              Answer answer = sku.order(buyer);
              return answer.status() == 201 || answer.status() == 200 ? answer.token() : before;
            },
            token -> !token.equals(before));
  }

  private static void end(Sale sku) {
    await().atMost(LIMIT).until(() -> sku.end().json().getString("state").equals("ENDED"));
    await().atMost(LIMIT).until(() -> site.stock().keysOf(sku.skuId()).isEmpty());
  }

  /** Alice buys both SKUs at one instance, and pays. */
  private List<String> sellAndEnd(String saleId) {
    put(saleId);
    List<String> tokens = new ArrayList<>();
    for (Sale sku : skus) {
      String token = bought(sku, ALICE, "");
      assertThat(sku.pay(token).brief()).isEqualTo("200 CONFIRMED");
      sku.at(site.instance(1)).order(BOB);
      sku.cancel(BOB, bought(sku, BOB, ""));
      tokens.add(token);
    }
    site.awaitReady();
    skus.forEach(AgainIT::end);
    return tokens;
  }

  private static void agrees(Sale sku) {
    assertThat(site.ledger().skusInDisagreement()).isZero();
    JsonObject view = site.desk("GET", "/admin/skus/" + sku.skuId()).json();
    assertThat(view.getString("state")).isEqualTo("OPEN");
  }

  @Test
  void shouldSellToTheSameBuyersAgainWhenTheSkusJoinTheNextSale() {
    // given
    List<String> old = sellAndEnd("first-" + skus.get(0).skuId());

    // when
    put("second-" + skus.get(0).skuId());

    // then
    for (int i = 0; i < skus.size(); i++) {
      Sale sku = skus.get(i);
      String first = old.get(i);
      String again = bought(sku.at(site.instance(1)), ALICE, first);
      assertThat(bought(sku, ALICE, first)).isEqualTo(again);
      assertThat(sku.pay(again).brief()).isEqualTo("200 CONFIRMED");

      // when
      assertThat(sku.refund(first).brief()).isEqualTo("200 REFUNDED");
      sku.rebuild();
      site.awaitReady();

      // then
      await()
          .atMost(LIMIT)
          .untilAsserted(
              () -> assertThat(new OrderEvents(site).count(first, "STOCK_RETURNED")).isEqualTo(1));
      assertThat(sku.status(again).brief()).isEqualTo("200 CONFIRMED");
      assertThat(bought(sku, ALICE, first)).isEqualTo(again);
      assertThat(
              site.ledger()
                  .query(
                      "SELECT SUM(allotted - base), SUM(held + sold - base), SUM(base) FROM"
                          + " inventory_bucket WHERE sku_id = ?",
                      row -> List.of(row.getLong(0), row.getLong(1), row.getLong(2)),
                      sku.skuId()))
          .containsExactly(List.of((long) STOCK, 1L, 0L));
      agrees(sku);
    }
  }

  private static JsonObject saleNow(String saleId) {
    return site.desk("GET", "/admin/sales/" + saleId).json();
  }

  private static JsonObject units(int allotted, int held, int sold) {
    return new JsonObject()
        .put("allotted", allotted)
        .put("held", held)
        .put("sold", sold)
        .put("available", allotted - held - sold);
  }

  private void hasItsBooks(String saleId, String stateOfSkus, int sold) {
    JsonObject view = saleNow(saleId);
    assertThat(view.getJsonObject("states"))
        .isEqualTo(new JsonObject().put(stateOfSkus, skus.size()));
    assertThat(view.getJsonObject("totals")).isEqualTo(units(2 * STOCK, 0, sold));
    assertThat(view.getJsonArray("skus")).hasSize(skus.size());
    JsonObject report = site.desk("GET", "/admin/sales/" + saleId + "/report").json();
    assertThat(report.getJsonObject("units"))
        .isEqualTo(new JsonObject().put("on_sale", 2 * STOCK).put("sold", sold).put("held", 0));
    assertThat(report.getJsonObject("orders"))
        .contains(Map.entry("granted", 4), Map.entry("paid", 2), Map.entry("canceled", 2));
    assertThat(report.getJsonObject("audit").getBoolean("clean")).isTrue();
  }

  @Test
  void shouldKeepTheBooksOfTheFirstSaleWhenItsSkusAreInTheNextOne() {
    // given
    String first = "fifth-" + skus.get(0).skuId();
    String second = "sixth-" + skus.get(0).skuId();
    List<String> old = sellAndEnd(first);
    put(second);
    String again = bought(skus.get(0), ALICE, old.get(0));
    assertThat(skus.get(0).pay(again).brief()).isEqualTo("200 CONFIRMED");
    hasItsBooks(first, "ENDED", 2);

    // when
    assertThat(skus.get(0).refund(old.get(0)).brief()).isEqualTo("200 REFUNDED");
    site.desk("POST", "/admin/sales/" + first + "/end");
    await().atMost(LIMIT).until(() -> saleNow(first).getString("state").equals("ENDED"));
    hasItsBooks(first, "ENDED", 1);
    await()
        .atMost(LIMIT)
        .until(() -> site.desk("POST", "/admin/sales/" + first + "/archive").status() == 200);

    // then
    hasItsBooks(first, "ARCHIVED", 1);
    assertThat(saleNow(first).getString("state")).isEqualTo("ARCHIVED");
    assertThat(skus.get(0).status(old.get(0)).brief()).isEqualTo("200 REFUNDED");
    assertThat(skus.get(1).refund(old.get(1)).brief()).isEqualTo("409 archived");
    assertThat(
            site.ledger()
                .query(
                    "SELECT COUNT(*) FROM order_hold WHERE sku_id IN (?, ?) AND sale_no < 2",
                    row -> row.getLong(0),
                    skus.get(0).skuId(),
                    skus.get(1).skuId()))
        .containsExactly(0L);
    assertThat(saleNow(second).getJsonObject("totals")).isEqualTo(units(2 * STOCK, 0, 1));
    skus.get(0).rebuild();
    site.awaitReady();
    assertThat(bought(skus.get(1), ALICE, old.get(1))).isNotEqualTo(old.get(1));
    skus.forEach(AgainIT::agrees);
  }

  @Test
  void shouldSellAgainWhenTheFirstSaleIsArchivedBefore() {
    // given
    List<String> old = sellAndEnd("third-" + skus.get(0).skuId());
    skus.forEach(
        sku ->
            await()
                .atMost(LIMIT)
                .until(() -> sku.archive().json().getString("state").equals("ARCHIVED")));

    // when
    put("fourth-" + skus.get(0).skuId());

    // then
    for (int i = 0; i < skus.size(); i++) {
      Sale sku = skus.get(i);
      String again = bought(sku, ALICE, old.get(i));
      assertThat(sku.pay(again).brief()).isEqualTo("200 CONFIRMED");
      assertThat(sku.status(old.get(i)).brief()).isEqualTo("200 CONFIRMED");
      assertThat(sku.refund(old.get(i)).brief()).isEqualTo("409 archived");
      sku.rebuild();
      site.awaitReady();
      agrees(sku);
    }
  }
}
