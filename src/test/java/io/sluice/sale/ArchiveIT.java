package io.sluice.sale;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.sluice.testkit.mysql.EveryRow;
import io.sluice.testkit.mysql.LedgerReader;
import io.sluice.testkit.site.Answer;
import io.sluice.testkit.site.Buyer;
import io.sluice.testkit.site.Call;
import io.sluice.testkit.site.Sale;
import io.sluice.testkit.site.SaleSite;
import io.vertx.core.json.JsonObject;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HexFormat;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** An ended sale moves to the archive, and every question about it is answered as before. */
class ArchiveIT {
  @RegisterExtension static final SaleSite site = SaleSite.withInstances(2);

  private static final Duration LIMIT = Duration.ofSeconds(40);
  private static final Buyer ALICE = Buyer.named("alice");
  private static final Buyer BOB = Buyer.named("bob");
  private static final Buyer CAROL = Buyer.named("carol");

  private static JsonObject paid(String ref) {
    return new JsonObject().put("payment_ref", ref);
  }

  private static Answer forget(String userId) {
    return site.http()
        .ask(
            Call.post(site.instance(0).adminUrl() + "/admin/buyers/" + userId + "/forget")
                .within(LIMIT));
  }

  /** How many orders are looked up by this. */
  private static int found(String query) {
    return site.desk("GET", "/admin/orders?" + query).json().getJsonArray("orders").size();
  }

  private static void end(Sale sale) {
    sale.close();
    await().atMost(LIMIT).until(() -> sale.end().json().getString("state").equals("ENDED"));
  }

  private static void archive(Sale sale) {
    await().atMost(LIMIT).until(() -> sale.archive().json().getString("state").equals("ARCHIVED"));
  }

  /** All that can be asked about a sale's orders. */
  private static List<String> told(Sale sale, List<String> tokens) {
    List<String> told = new ArrayList<>();
    for (String token : tokens) {
      told.add(sale.status(token).body());
      told.add(sale.story(token).body());
    }
    told.add(site.desk("GET", "/admin/orders?sku_id=" + sale.skuId()).body());
    told.add(site.desk("GET", "/admin/orders?limit=1&sku_id=" + sale.skuId()).body());
    told.add(site.desk("GET", "/admin/orders?format=ndjson&sku_id=" + sale.skuId()).body());
    return told;
  }

  private static List<Object> viewed(Sale sale) {
    List<Object> viewed = new ArrayList<>();
    viewed.add(sale.ledger());
    viewed.addAll(site.ledger().orders(sale.skuId()));
    viewed.addAll(
        site.ledger()
            .query(
                "SELECT order_token, action, qty, created_at FROM stock_txn WHERE sku_id = ? ORDER"
                    + " BY 1, 2, 3",
                row -> row.deepToString(),
                sale.skuId()));
    return viewed;
  }

  @Test
  void shouldAnswerAsBeforeWhenTheSaleIsArchived() {
    // given
    Sale sale = site.sale().withStock(10).withBuckets(2).open();
    String sold = sale.order(ALICE, "", 3).token();
    String canceled = sale.order(BOB).token();
    String refunded = sale.order(CAROL).token();
    sale.tell(sold, "/confirm", paid("p1"));
    sale.tell(sold, "/refunds", new JsonObject().put("refund_id", "r1").put("qty", 1));
    sale.tell(sold, "/refunds/r1/complete", null);
    sale.tell(sold, "/refunds", new JsonObject().put("refund_id", "r2").put("qty", 1));
    sale.cancel(BOB, canceled);
    sale.pay(refunded);
    sale.refund(refunded);
    site.awaitReady();
    List<String> tokens = List.of(sold, canceled, refunded);
    end(sale);
    List<String> before = told(sale, tokens);
    List<Object> viewedBefore = viewed(sale);

    // when
    archive(sale);

    // then
    assertThat(told(sale, tokens)).isEqualTo(before);
    assertThat(viewed(sale)).isEqualTo(viewedBefore);
    assertThat(
            site.ledger().count("SELECT COUNT(*) FROM order_hold WHERE sku_id = " + sale.skuId()))
        .isZero();
    assertThat(site.ledger().skusInDisagreement()).isZero();

    // when
    List<Answer> commands =
        List.of(
            sale.cancel(BOB, canceled),
            sale.refund(sold),
            sale.tell(sold, "/refunds/r2/complete", null),
            sale.tell(sold, "/extend", new JsonObject().put("seconds", 60)),
            sale.pay(sold));

    // then
    assertThat(commands).extracting(Answer::brief).containsOnly("409 archived");
    assertThat(commands.get(1).json().getJsonObject("order").getString("order_token"))
        .isEqualTo(sold);
    assertThat(told(sale, tokens)).isEqualTo(before);
  }

  @Test
  void shouldTellOfPaymentsThatComeForAnArchivedOrder() {
    // given
    Sale sale = site.sale().withStock(2).open();
    String sold = sale.order(ALICE).token();
    String canceled = sale.order(BOB).token();
    sale.tell(sold, "/confirm", paid("p1"));
    sale.cancel(BOB, canceled);
    end(sale);
    archive(sale);

    // when
    Answer late = sale.tell(canceled, "/confirm", paid("l1"));
    Answer lateAgain = sale.tell(canceled, "/confirm", paid("l1"));
    Answer secondLate = sale.tell(canceled, "/confirm", paid("l2"));
    Answer same = sale.tell(sold, "/confirm", paid("p1"));
    Answer other = sale.tell(sold, "/confirm", paid("p2"));

    // then
    assertThat(List.of(late, lateAgain, secondLate, same, other))
        .extracting(Answer::brief)
        .containsOnly("409 archived");
    await()
        .atMost(LIMIT)
        .untilAsserted(
            () -> {
              OrderEvents events = new OrderEvents(site);
              assertThat(events.count(canceled, "PAYMENT_LATE")).isEqualTo(1);
              assertThat(events.count(canceled, "PAYMENT_DOUBLE")).isEqualTo(1);
              assertThat(events.count(sold, "PAYMENT_DOUBLE")).isEqualTo(1);
            });
    assertThat(sale.status(canceled).brief()).isEqualTo("200 CANCELED");
    assertThat(site.ledger().skusInDisagreement()).isZero();
  }

  @Test
  void shouldRefuseToArchiveWhatHasNotEnded() {
    // given
    Sale sale = site.sale().withStock(1).open();

    // when
    Answer open = sale.archive();
    sale.close();
    Answer closed = sale.archive();

    // then
    assertThat(List.of(open, closed)).extracting(Answer::brief).containsOnly("409 not-ended");
  }

  private static String named(Sale sale, Buyer buyer, String reference) {
    JsonObject body =
        new JsonObject().put("sku_id", sale.skuId()).put("qty", 1).put("reference", reference);
    Call call = Call.post(site.instance(0).url() + "/v1/orders").as(buyer).json(body);
    return site.http().ask(call).token();
  }

  private static JsonObject onlyOrder(Sale sale, String userId) {
    List<JsonObject> orders =
        site.desk("GET", "/admin/orders?format=ndjson&sku_id=" + sale.skuId())
            .body()
            .lines()
            .map(JsonObject::new)
            .filter(order -> userId.equals(order.getString("user_id")))
            .toList();
    assertThat(orders).hasSize(1);
    return orders.get(0);
  }

  /** Events have their names until they are deleted, 2 minutes after they were sent. */
  private static void noRowHas(String... names) {
    EveryRow.of(sql -> site.ledger().query(sql, row -> row))
        .forEach(
            (table, rows) -> {
              if (!table.equals("outbox")) {
                assertThat(rows)
                    .as(table)
                    .noneMatch(row -> List.of(names).stream().anyMatch(row::contains));
              }
            });
  }

  private static String idOf(String token) {
    return token.substring(token.lastIndexOf('.') + 1);
  }

  private static String hexOf(String token) {
    return HexFormat.of().withUpperCase().formatHex(Base64.getUrlDecoder().decode(idOf(token)));
  }

  @Test
  void shouldTakeABuyerOutOfEndedSalesAlone() {
    // given
    Buyer dave = Buyer.named("dave-of-the-archive");
    Sale archived = site.sale().withStock(2).open();
    String first = named(archived, dave, "daves-cart-1");
    String others = archived.order(ALICE).token();
    archived.tell(first, "/confirm", paid("daves-payment-1"));
    archived.tell(first, "/confirm", paid("daves-payment-2"));
    archived.pay(others);
    end(archived);
    archive(archived);
    Sale ended = site.sale().withStock(1).open();
    String second = named(ended, dave, "daves-cart-2");
    ended.tell(second, "/confirm", paid("daves-payment-3"));
    ended.tell(second, "/refunds", new JsonObject().put("refund_id", "daves-refund").put("qty", 1));
    ended.tell(second, "/refunds/daves-refund/reject", new JsonObject());
    end(ended);
    Sale running = site.sale().withStock(1).open();
    String third = running.order(dave).token();
    running.pay(third);
    await().atMost(LIMIT).until(() -> found("user_id=dave-of-the-archive") == 3);
    assertThat(found("reference=daves-cart-1")).isEqualTo(1);
    assertThat(found("payment_ref=daves-payment-2")).isEqualTo(1);

    // when
    Answer forgotten = forget("dave-of-the-archive");

    // then
    assertThat(forgotten.status()).isEqualTo(200);
    String pseudonym = forgotten.json().getString("pseudonym");
    assertThat(pseudonym).startsWith("forgotten-").doesNotContain("dave");
    assertThat(forgotten.json().getLong("replaced")).isEqualTo(2);
    assertThat(forgotten.json().getLong("left")).isEqualTo(1);
    noRowHas("daves-", idOf(first), idOf(second), hexOf(first), hexOf(second));
    assertThat(List.of(archived.story(first), ended.story(second)))
        .extracting(Answer::brief)
        .containsOnly("404 unknown-order");
    assertThat(found("user_id=dave-of-the-archive")).isEqualTo(1);
    assertThat(found("reference=daves-cart-1")).isZero();
    assertThat(found("payment_ref=daves-payment-2")).isZero();
    assertThat(archived.story(others).json().getString("user_id")).isEqualTo("alice");
    assertThat(running.story(third).json().getString("user_id")).isEqualTo("dave-of-the-archive");
    assertThat(site.ledger().orders())
        .filteredOn(order -> order.userId().equals("dave-of-the-archive"))
        .extracting(LedgerReader.OrderRow::token)
        .containsExactly(third);
    assertThat(site.instance(0).log().lines().filter(line -> line.contains("operator=")).toList())
        .noneMatch(line -> line.contains("dave"));

    // when
    JsonObject firstNow = onlyOrder(archived, pseudonym);
    String secondNow = onlyOrder(ended, pseudonym).getString("order_token");

    // then
    assertThat(firstNow.getString("reference")).isNull();
    assertThat(firstNow.getString("payment_ref")).startsWith("forgotten-");
    assertThat(archived.story(firstNow.getString("order_token")).body())
        .contains("BOOKED", "CONFIRM", "DOUBLE", pseudonym);
    assertThat(ended.refund(secondNow).brief()).isEqualTo("200 REFUNDED");
    assertThat(ended.pay(second).brief()).isEqualTo("404 unknown-order");
    assertThat(site.ledger().skusInDisagreement()).isZero();

    // when
    Answer again = forget("dave-of-the-archive");

    // then
    assertThat(again.json().getLong("replaced")).isZero();
    assertThat(site.ledger().count("SELECT COUNT(*) FROM forget_job")).isZero();
  }
}
