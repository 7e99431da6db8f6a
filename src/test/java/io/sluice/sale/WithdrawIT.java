package io.sluice.sale;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.sluice.testkit.server.ServerOptions;
import io.sluice.testkit.site.Answer;
import io.sluice.testkit.site.Buyer;
import io.sluice.testkit.site.Call;
import io.sluice.testkit.site.CartSale;
import io.sluice.testkit.site.Sale;
import io.sluice.testkit.site.SaleSite;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Refunds whose units leave the stock, on real servers: no unit of them is sold again. */
class WithdrawIT {
  @RegisterExtension
  static final SaleSite site =
      SaleSite.withInstances(2).withFaults().withServersOfItsOwn(ServerOptions.none());

  private static final Duration LIMIT = Duration.ofSeconds(60);
  private static final JsonObject NOT_AGAIN = new JsonObject().put("restock", false);
  private static final JsonObject AGAIN = new JsonObject().put("restock", true);

  private static String bought(Sale sale, String buyer, int qty) {
    Answer order =
        await()
            .atMost(LIMIT)
            .until(
                () -> sale.order(Buyer.named(buyer), "k1", qty), answer -> answer.status() < 300);
    assertThat(sale.pay(order.token()).brief()).isEqualTo("200 CONFIRMED");
    return order.token();
  }

  /** What a buyer hears who insists on it. */
  private static String heard(Sale sale, String buyer) {
    Answer answer = sale.order(Buyer.named(buyer));
    return answer.status() < 300 ? "yes" : answer.brief();
  }

  private static void awaitHeard(Sale sale, String buyer, String brief) {
    await().atMost(LIMIT).untilAsserted(() -> assertThat(heard(sale, buyer)).isEqualTo(brief));
  }

  private static JsonObject refund(String id, int qty) {
    return new JsonObject().put("refund_id", id).put("qty", qty);
  }

  private static List<JsonObject> drifts() {
    return site.reconciled().stream().filter(report -> report.getInteger("drift") > 0).toList();
  }

  private static Stream<JsonObject> eventsOf(String token, String type) {
    return new OrderEvents(site).of(token).filter(event -> type.equals(event.getString("type")));
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void shouldSellNoUnitAgainThatHasLeftTheStock(boolean direct) {
    // given
    var terms = site.sale().withStock(5);
    Sale sale = (direct ? terms.direct() : terms).open();
    String whole = bought(sale, "alice", 2);
    String parts = bought(sale, "bob", 3);

    // when
    Answer first = sale.tell(whole, "/refund", NOT_AGAIN);
    Answer repeated = sale.tell(whole, "/refund", AGAIN);
    sale.tell(parts, "/refunds", refund("a", 1));
    sale.tell(parts, "/refunds", refund("b", 1));
    Answer again = sale.tell(parts, "/refunds/a/complete", AGAIN);
    Answer notAgain = sale.tell(parts, "/refunds/b/complete", NOT_AGAIN);

    // then
    assertThat(List.of(first.brief(), repeated.brief(), again.brief(), notAgain.brief()))
        .containsExactly("200 REFUNDED", "200 REFUNDED", "200 CONFIRMED", "200 CONFIRMED");
    assertThat(sale.ledger().total()).isEqualTo(2);
    assertThat(sale.ledger().sold()).isEqualTo(1);
    awaitHeard(sale, "carol", "yes");
    awaitHeard(sale, "dave", "409 sold-out");
    assertThat(
            sale.story(parts).json().getJsonArray("story").stream()
                .map(JsonObject.class::cast)
                .filter(chapter -> chapter.getString("what").equals("REFUND"))
                .map(chapter -> chapter.getBoolean("restock", true)))
        .containsExactly(true, false);
  }

  @Test
  void shouldKeepThemOutOfTheStockWhenRedisIsKilled() {
    // given
    Sale sale = site.sale().withStock(6).withLimit(4).open();
    String whole = bought(sale, "alice", 2);
    String parts = bought(sale, "bob", 4);
    sale.tell(whole, "/refund", NOT_AGAIN);
    sale.tell(parts, "/refunds", refund("a", 1));
    sale.tell(parts, "/refunds", refund("b", 1));
    sale.tell(parts, "/refunds", refund("c", 1));
    sale.tell(parts, "/refunds/a/complete", NOT_AGAIN);
    await().atMost(LIMIT).until(() -> site.ledger().outboxPending() == 0);
    List<JsonObject> before = drifts();

    // when
    site.backends().redis().kill();
    sale.tell(parts, "/refunds/b/complete", NOT_AGAIN);
    site.backends().redis().start();
    await().atMost(LIMIT).until(() -> site.stock().available(sale.skuId(), 0) == 0);
    sale.tell(parts, "/refunds/c/complete", AGAIN);

    // then
    assertThat(before).isEmpty();
    awaitHeard(sale, "carol", "yes");
    awaitHeard(sale, "dave", "409 sold-out");
    assertThat(drifts()).isEmpty();
    assertThat(sale.ledger().total()).isEqualTo(2);
    assertThat(sale.look().json().getString("state")).isEqualTo("OPEN");

    // when
    sale.restock("more", 2);
    sale.refund(parts);

    // then
    await().atMost(LIMIT).until(() -> site.stock().available(sale.skuId(), 0) == 3);
    assertThat(sale.ledger().available()).isEqualTo(3);
    assertThat(drifts()).isEmpty();
  }

  @Test
  void shouldWithdrawTheLinesOfACart() {
    // given
    CartSale sale = CartSale.open(site, 2, 3);
    String token = sale.order(Buyer.named("alice"), "k1", sale.lines(0, 2, 1, 3)).token();
    sale.sku(0).pay(token);

    // when
    Answer refunded = sale.sku(0).tell(token, "/refund", NOT_AGAIN);

    // then
    assertThat(refunded.brief()).isEqualTo("200 REFUNDED");
    assertThat(List.of(sale.sku(0).ledger().total(), sale.sku(1).ledger().total()))
        .containsExactly(1L, 0L);
    awaitHeard(sale.sku(0), "bob", "yes");
    awaitHeard(sale.sku(1), "bob", "409 sold-out");
    assertThat(drifts()).isEmpty();
  }

  @Test
  void shouldWithdrawByListsAndByOperators() {
    // given
    Sale sale = site.sale().withStock(3).open();
    String listed = bought(sale, "alice", 1);
    String byHand = bought(sale, "bob", 1);
    JsonObject command = new JsonObject().put("order_token", listed).put("command", "refund");
    JsonObject list =
        new JsonObject().put("commands", JsonArray.of(command.copy().put("restock", false)));

    // when
    Answer results =
        site.http().ask(Call.post(site.instance(0).url() + "/v1/orders/commands").json(list));
    Answer done =
        site.desk(
            "POST",
            "/admin/orders/" + byHand + "/command",
            new JsonObject().put("command", "refund").put("restock", false));

    // then
    assertThat(results.json().getJsonArray("results").getJsonObject(0).getInteger("status"))
        .isEqualTo(200);
    assertThat(done.brief()).isEqualTo("200 REFUNDED");
    assertThat(sale.ledger().total()).isEqualTo(1);
    awaitHeard(sale, "carol", "yes");
    awaitHeard(sale, "dave", "409 sold-out");
  }

  @Test
  void shouldWithdrawAllUnitsOfAJob() {
    // given
    Sale sale = site.sale().withStock(20).withBuckets(2).open();
    List<String> tokens = IntStream.range(0, 10).mapToObj(i -> bought(sale, "b" + i, 2)).toList();
    JsonObject job =
        new JsonObject()
            .put("action", "refund-paid")
            .put("sku_id", sale.skuId())
            .put("restock", false);

    // when
    Answer started = site.desk("PUT", "/admin/jobs/rain", job);
    await()
        .atMost(LIMIT)
        .until(() -> "DONE".equals(site.desk("GET", "/admin/jobs/rain").json().getString("state")));
    Answer otherwise = site.desk("PUT", "/admin/jobs/rain", job.copy().put("restock", true));

    // then
    assertThat(started.status()).isEqualTo(202);
    assertThat(started.json().getBoolean("restock")).isFalse();
    assertThat(otherwise.brief()).isEqualTo("409 key-mismatch");
    assertThat(sale.ledger().total()).isZero();
    awaitHeard(sale, "carol", "409 sold-out");
    for (String token : tokens) {
      assertThat(eventsOf(token, "STOCK_RETURNED").map(event -> event.getInteger("returned_qty")))
          .containsExactly(2);
    }
    assertThat(drifts()).isEmpty();
  }
}
