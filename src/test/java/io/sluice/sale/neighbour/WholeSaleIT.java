package io.sluice.sale.neighbour;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.sluice.testkit.site.Answer;
import io.sluice.testkit.site.Buyer;
import io.sluice.testkit.site.Call;
import io.sluice.testkit.site.Sale;
import io.sluice.testkit.site.SaleBodies;
import io.sluice.testkit.site.SaleSite;
import io.vertx.core.json.JsonObject;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * A sale of two SKUs from its beginning to its archive, and its next one. What one release begins,
 * the other one goes on with.
 */
class WholeSaleIT {
  @RegisterExtension
  static final SaleSite site =
      SaleSite.withInstances(0).withFaults().setting("SLUICE_RESERVATION_COMMAND_WAIT_MS", 10_000);

  private static final Duration LIMIT = Duration.ofSeconds(60);
  private static final int UNITS = 10_000;
  private static final int BUCKETS = 4;
  private static final int VISITORS = 4;
  private static final int ORDERS = 60;
  private static final Buyer ALICE = Buyer.named("alice");
  private static final Neighbours NEIGHBOURS = new Neighbours(site, Side.KEPT);

  private final List<Sale> skus = List.of(site.known(site.newSkuId()), site.known(site.newSkuId()));
  private final String saleId = "sale-" + skus.get(0).skuId();
  private final String nextId = "next-" + skus.get(0).skuId();

  @ParameterizedTest
  @EnumSource
  void shouldGoThroughASaleAndTheNextOneSideBySide(Side side) {
    // given
    NEIGHBOURS.bringUp();
    put(side, saleId);
    List<Flow> flows = skus.stream().map(sku -> Flow.of(site.vertx(), sku, VISITORS)).toList();
    flows.forEach(flow -> flow.awaitOrders(ORDERS));

    // when
    NEIGHBOURS.instance(side).kill();
    flows.forEach(flow -> flow.awaitOrders(ORDERS));
    NEIGHBOURS.bringUp();
    flows.forEach(flow -> flow.awaitOrders(ORDERS));
    flows.forEach(Flow::end);

    // then
    for (int i = 0; i < skus.size(); i++) {
      Aftermath.assertKept(site, skus.get(i), flows.get(i));
      payAll(skus.get(i), flows.get(i).kept());
    }

    // when
    int begun = tell(side, saleId, "end").status();
    NEIGHBOURS.instance(side).kill();
    until(side.other(), saleId, "end");
    NEIGHBOURS.bringUp();

    // then
    assertThat(begun).isEqualTo(202);
    skus.forEach(sku -> assertThat(site.stock().keysOf(sku.skuId())).isEmpty());
    for (int i = 0; i < skus.size(); i++) {
      String paid = flows.get(i).paid().get(0);
      assertThat(at(side, i).status(paid).brief()).isEqualTo("200 CONFIRMED");
      assertThat(at(side, i).refund(paid).brief()).isEqualTo("200 REFUNDED");
      assertThat(at(side.other(), i).refund(paid).brief()).isEqualTo("200 REFUNDED");
    }
    JsonObject totals = totals(side, saleId);
    assertThat(totals(side.other(), saleId)).isEqualTo(totals);

    // when
    until(side, saleId, "archive");

    // then
    assertThat(totals(side, saleId)).isEqualTo(totals);
    assertThat(totals(side.other(), saleId)).isEqualTo(totals);

    // when
    put(side.other(), nextId);

    // then
    for (int i = 0; i < skus.size(); i++) {
      String paid = flows.get(i).paid().get(1);
      String again = bought(at(side, i));
      assertThat(bought(at(side.other(), i))).isEqualTo(again);
      assertThat(at(side, i).pay(again).brief()).isEqualTo("200 CONFIRMED");
      assertThat(at(side.other(), i).status(paid).brief()).isEqualTo("200 CONFIRMED");
      assertThat(at(side.other(), i).rebuild().brief()).startsWith("200");
      Sale sku = skus.get(i);
      await().atMost(LIMIT).until(() -> sku.status(again).brief().equals("200 CONFIRMED"));
    }
    assertThat(site.ledger().skusInDisagreement()).isZero();
    Neighbours.assertNoErrors(site);
  }

  private Sale at(Side side, int sku) {
    return NEIGHBOURS.at(side, skus.get(sku));
  }

  private static Answer desk(Side side, String method, String path, JsonObject body) {
    Call call = Call.of(method, NEIGHBOURS.instance(side).adminUrl() + "/admin/sales/" + path);
    return site.http().ask(body == null ? call : call.json(body));
  }

  private static Answer tell(Side side, String saleId, String what) {
    return desk(side, "POST", saleId + "/" + what, null);
  }

  private static void until(Side side, String saleId, String what) {
    await().atMost(LIMIT).until(() -> tell(side, saleId, what).status() == 200);
  }

  private static JsonObject totals(Side side, String saleId) {
    return desk(side, "GET", saleId, null).json().getJsonObject("totals");
  }

  private void put(Side side, String id) {
    JsonObject terms =
        new JsonObject().put("total_stock", UNITS).put("limit_per_user", 1).put("buckets", BUCKETS);
    JsonObject body = SaleBodies.of("phones", skus.stream().map(Sale::skuId).toList(), terms);
    await().atMost(LIMIT).until(() -> desk(side, "PUT", id, body).status() / 10 == 20 && open(id));
  }

  private static boolean open(String id) {
    return List.of(Side.values()).stream()
        .allMatch(side -> desk(side, "GET", id, null).json().getString("state", "").equals("OPEN"));
  }

  private static void payAll(Sale sku, List<String> tokens) {
    assertThat(tokens.stream().map(token -> sku.pay(token).brief())).containsOnly("200 CONFIRMED");
  }

  /** An instance that has not heard of the next sale yet answers busy, or not-open. */
  private static String bought(Sale sku) {
    return await().atMost(LIMIT).until(() -> sku.order(ALICE), Answer::isYes).token();
  }
}
