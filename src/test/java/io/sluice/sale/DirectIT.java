package io.sluice.sale;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.sluice.testkit.site.Answer;
import io.sluice.testkit.site.Buyer;
import io.sluice.testkit.site.Call;
import io.sluice.testkit.site.Crowd;
import io.sluice.testkit.site.Sale;
import io.sluice.testkit.site.SaleBodies;
import io.sluice.testkit.site.SaleSite;
import io.sluice.testkit.site.SluiceProcess;
import io.vertx.core.Future;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** A service of two instances and a database: no Redis, no Kafka. */
class DirectIT {
  @RegisterExtension
  static final SaleSite site =
      SaleSite.withInstances(2)
          .withFaults()
          .withLedgerAlone()
          .setting("SLUICE_RECONCILE_INTERVAL_MS", 500);

  private static final Duration LIMIT = Duration.ofSeconds(60);
  private static final Buyer ALICE = Buyer.named("alice");
  private static final Buyer BOB = Buyer.named("bob");
  private static final Buyer CAROL = Buyer.named("carol");

  private static Answer ask(String path) {
    return site.http().ask(Call.get(site.instance(0).adminUrl() + path));
  }

  private static Answer put(String path, JsonObject body) {
    return site.http().ask(Call.put(site.instance(0).adminUrl() + path).json(body));
  }

  private static List<Supplier<Future<Answer>>> orders(Sale sale, int buyers) {
    return IntStream.range(0, buyers)
        .<Supplier<Future<Answer>>>mapToObj(
            i -> () -> sale.ordering(Buyer.named("buyer-" + i), "", 1))
        .toList();
  }

  /** All events so far, page by page. */
  private static List<JsonObject> events() {
    List<JsonObject> all = new ArrayList<>();
    long after = 0;
    while (true) {
      JsonObject page = ask("/admin/events?limit=7&after=" + after).json();
      JsonArray events = page.getJsonArray("events");
      if (events.isEmpty()) {
        assertThat(page.getLong("next")).isEqualTo(after);
        return all;
      }
      events.forEach(event -> all.add((JsonObject) event));
      after = page.getLong("next");
    }
  }

  private static List<String> eventsOf(String token) {
    return events().stream()
        .filter(event -> token.equals(event.getString("order_token")))
        .map(event -> event.getString("type"))
        .toList();
  }

  @Test
  void shouldBeReadyWithTheLedgerAlone() {
    // when
    Answer ready = site.instance(0).readiness();

    // then
    assertThat(ready.status()).isEqualTo(200);
    assertThat(ready.json().getJsonObject("parts").fieldNames())
        .containsExactlyInAnyOrder("mysql", "service");
  }

  @Test
  void shouldTakeDirectSkusAlone() {
    // given
    long skuId = site.newSkuId();
    JsonObject terms = new JsonObject().put("total_stock", 5);

    // when
    Answer fast = put("/admin/skus/" + skuId, terms);
    Answer ofSale = put("/admin/sales/fast-" + skuId, SaleBodies.of("fast", List.of(skuId), terms));
    Answer direct = put("/admin/skus/" + skuId, terms.copy().put("mode", "direct"));
    Answer again = put("/admin/skus/" + skuId, terms.copy().put("mode", "direct"));
    Answer other = put("/admin/skus/" + skuId, terms);

    // then
    assertThat(fast.brief()).isEqualTo("409 mode-unavailable");
    assertThat(ofSale.brief()).isEqualTo("409 mode-unavailable");
    assertThat(direct.status()).isEqualTo(201);
    assertThat(again.status()).isEqualTo(200);
    assertThat(other.brief()).isEqualTo("409 setting-fixed");
    assertThat(direct.json().getString("mode")).isEqualTo("direct");
  }

  @Test
  void shouldLeadOrdersThroughTheirWholeLives() {
    // given
    Sale sale = site.sale().withStock(10).withLimit(4).direct().open();

    // when
    Answer first = sale.order(ALICE, "", 3);
    Answer again = sale.order(ALICE, "", 3);
    Answer other = sale.order(ALICE, "", 2);
    Answer over = sale.order(ALICE, "second", 2);
    String token = first.token();
    Answer seen = sale.status(ALICE, token);
    Answer hidden = sale.status(BOB, token);
    Answer extended = sale.tell(token, "/extend", new JsonObject().put("seconds", 7_200));
    Answer paid = sale.tell(token, "/confirm", new JsonObject().put("payment_ref", "p1"));
    Answer late = sale.cancel(ALICE, token);
    Answer asked =
        sale.tell(token, "/refunds", new JsonObject().put("refund_id", "r1").put("qty", 1));
    Answer part = sale.tell(token, "/refunds/r1/complete", null);
    Answer all = sale.refund(token);
    Answer soldNow = sale.order(BOB, "", 4);
    Answer canceled = sale.cancel(BOB, soldNow.token());
    Answer paidLate = sale.pay(soldNow.token());
    Answer ended = sale.order(BOB, "", 4);

    // then
    assertThat(first.brief()).isEqualTo("201 PENDING");
    assertThat(again.brief()).isEqualTo("200 PENDING");
    assertThat(again.token()).isEqualTo(token);
    assertThat(other.brief()).isEqualTo("409 key-mismatch");
    assertThat(over.brief()).isEqualTo("409 limit-reached");
    assertThat(seen.brief()).isEqualTo("200 PENDING");
    assertThat(hidden.brief()).isEqualTo("404 unknown-order");
    assertThat(extended.brief()).isEqualTo("200 PENDING");
    assertThat(paid.brief()).isEqualTo("200 CONFIRMED");
    assertThat(late.brief()).isEqualTo("409 already-confirmed");
    assertThat(asked.brief()).isEqualTo("200 CONFIRMED");
    assertThat(part.json().getInteger("refunded_qty")).isEqualTo(1);
    assertThat(all.brief()).isEqualTo("200 REFUNDED");
    assertThat(canceled.brief()).isEqualTo("200 CANCELED");
    assertThat(paidLate.brief()).isEqualTo("409 payment-late");
    assertThat(ended.brief()).isEqualTo("409 order-ended");
    assertThat(sale.ledger().available()).isEqualTo(10);
    assertThat(sale.story(token).json().getJsonArray("story")).isNotEmpty();
    assertThat(sale.look().json().getJsonObject("audit").getBoolean("agrees")).isTrue();
    await()
        .atMost(LIMIT)
        .untilAsserted(
            () ->
                assertThat(eventsOf(token))
                    .containsExactly(
                        "ORDER_BOOKED",
                        "ORDER_EXTENDED",
                        "ORDER_CONFIRMED",
                        "REFUND_REQUESTED",
                        "REFUND_COMPLETED",
                        "ORDER_REFUNDED"));
  }

  @Test
  void shouldTellWaitingCallersWhenAnOrderChanges() {
    // given
    Sale sale = site.sale().withStock(1).direct().open();
    String token = sale.order(ALICE).token();
    Future<Answer> waiting = sale.statusChanging(ALICE, token, Duration.ofSeconds(20));

    // when
    sale.pay(token);

    // then
    assertThat(Crowd.await(waiting.map(List::of)).get(0).brief()).isEqualTo("200 CONFIRMED");
  }

  @Test
  void shouldSellTheLastUnitsOnceWhenManyBuyersRace() {
    // given
    Sale sale = site.sale().withStock(100).withBuckets(8).direct().open();

    // when
    List<Answer> answers = site.crowd(64).send(orders(sale, 600));
    List<Answer> again = site.crowd(64).send(orders(sale, 600));

    // then
    assertThat(Crowd.tally(answers)).containsEntry("201 PENDING", 100L);
    assertThat(Crowd.tally(answers).keySet()).isSubsetOf("201 PENDING", "409 sold-out", "503 busy");
    assertThat(Crowd.tally(again))
        .containsEntry("200 PENDING", 100L)
        .containsEntry("409 sold-out", 500L);
    assertThat(sale.ledger().held()).isEqualTo(100);
    assertThat(sale.level().json().getString("level")).isEqualTo("SOLD_OUT");
  }

  @Test
  void shouldGiveOneOrderWhenTheSameRequestComesManyTimesAtOnce() {
    // given
    Sale sale = site.sale().withStock(10).direct().open();
    List<Supplier<Future<Answer>>> same =
        IntStream.range(0, 200)
            .<Supplier<Future<Answer>>>mapToObj(i -> () -> sale.ordering(ALICE, "key", 2))
            .toList();

    // when
    List<Answer> answers = site.crowd(50).send(same);

    // then
    assertThat(answers).allMatch(Answer::isYes);
    assertThat(answers.stream().map(Answer::token).distinct()).hasSize(1);
    assertThat(answers.stream().filter(answer -> answer.status() == 201)).hasSize(1);
    assertThat(sale.ledger().held()).isEqualTo(2);
  }

  @Test
  void shouldLetOneWinWhenPaymentAndCancelRace() {
    // given
    Sale sale = site.sale().withStock(40).direct().open();
    List<String> tokens =
        IntStream.range(0, 40)
            .mapToObj(i -> sale.order(Buyer.named("racer-" + i)).token())
            .toList();
    List<Supplier<Future<Answer>>> commands = new ArrayList<>();
    for (int i = 0; i < 40; i++) {
      String token = tokens.get(i);
      Buyer buyer = Buyer.named("racer-" + i);
      commands.add(() -> sale.paying(token));
      commands.add(() -> sale.canceling(buyer, token));
    }

    // when
    List<Answer> answers = site.crowd(40).send(commands);

    // then
    for (int i = 0; i < 40; i++) {
      assertThat(List.of(answers.get(2 * i).brief(), answers.get(2 * i + 1).brief()))
          .isIn(
              List.of("200 CONFIRMED", "409 already-confirmed"),
              List.of("409 payment-late", "200 CANCELED"));
    }
  }

  @Test
  void shouldEndOrdersThatNobodyPays() {
    // given
    Sale sale = site.sale().withStock(3).withPaymentWindow(Duration.ofSeconds(1)).direct().open();
    String token = sale.order(ALICE).token();
    String paid = sale.order(BOB).token();
    sale.pay(paid);

    // when
    await().atMost(LIMIT).until(() -> sale.status(token).brief().equals("200 CANCELED"));

    // then
    assertThat(sale.status(token).json().getString("reason")).isEqualTo("TIMEOUT");
    assertThat(sale.status(paid).brief()).isEqualTo("200 CONFIRMED");
    assertThat(sale.ledger().available()).isEqualTo(2);
    await().atMost(LIMIT).until(() -> eventsOf(token).contains("ORDER_CANCELED"));
  }

  @Test
  void shouldAnswerRepeatedRequestsWhenAnInstanceDiesInTheMiddle() {
    // given
    Sale sale = site.sale().withStock(2_000).withBuckets(2).direct().open();
    SluiceProcess dying = site.newInstance(Map.of()).start().awaitReady();
    Future<List<Answer>> selling = site.crowd(32).start(orders(sale.at(dying), 1_500));
    await().atMost(LIMIT).until(() -> sale.ledger().held() > 100);

    // when
    dying.kill();
    List<Answer> first = Crowd.await(selling);
    List<Answer> again = site.crowd(32).send(orders(sale, 1_500));

    // then
    assertThat(first).anyMatch(answer -> !answer.came());
    assertThat(again).allMatch(Answer::isYes);
    assertThat(sale.ledger().held()).isEqualTo(1_500);
    for (int i = 0; i < first.size(); i++) {
      if (first.get(i).isYes()) {
        assertThat(again.get(i).token()).isEqualTo(first.get(i).token());
      }
    }
  }

  @Test
  void shouldTellEventsInOrderWhileManyAreWritten() {
    // given
    Sale sale = site.sale().withStock(300).withBuckets(4).direct().open();
    List<Answer> sold = site.crowd(32).send(orders(sale, 300));
    long wanted = sold.stream().filter(Answer::isYes).count();
    long endNs = System.nanoTime() + LIMIT.toNanos();
    List<Long> numbers = new ArrayList<>();

    // when
    Future<List<Answer>> paying =
        site.crowd(32)
            .start(
                sold.stream()
                    .filter(Answer::isYes)
                    .<Supplier<Future<Answer>>>map(answer -> () -> sale.paying(answer.token()))
                    .toList());
    long after = 0;
    Map<String, List<Long>> versions = new HashMap<>();
    while (versions.values().stream().filter(seen -> seen.size() == 2).count() < wanted) {
      assertThat(System.nanoTime()).as("events so far: %s", versions.size()).isLessThan(endNs);
      JsonObject page = ask("/admin/events?limit=50&after=" + after).json();
      after = page.getLong("next");
      for (Object each : page.getJsonArray("events")) {
        JsonObject event = (JsonObject) each;
        numbers.add(event.getLong("event_no"));
        if (Long.valueOf(sale.skuId()).equals(event.getLong("sku_id"))
            && event.containsKey("order_token")) {
          versions
              .computeIfAbsent(event.getString("order_token"), token -> new ArrayList<>())
              .add(event.getLong("version"));
        }
      }
    }

    // then
    assertThat(Crowd.await(paying)).allMatch(Answer::isYes);
    assertThat(numbers).doesNotHaveDuplicates().isSorted();
    assertThat(versions.values()).allSatisfy(seen -> assertThat(seen).containsExactly(1L, 2L));
  }

  @Test
  void shouldFollowOperators() {
    // given
    Sale sale = site.sale().withStock(5).withBuckets(2).direct().open();

    // when
    String more = sale.restock("more", 5).json().getString("state");
    int taken = sale.restock("less", -9).status();
    String tooMuch = sale.restock("most", -2).brief();
    sale.close();
    String closed = sale.order(ALICE).brief();
    sale.reopen();
    sale.freeze();
    String frozen = sale.order(ALICE).brief();
    sale.unfreeze();
    int rebuilt = sale.rebuild().status();
    String open = sale.order(ALICE).brief();
    String soldOut = sale.order(BOB).brief();

    // then
    assertThat(more).isEqualTo("OPEN");
    assertThat(taken).isEqualTo(200);
    assertThat(tooMuch).isEqualTo("409 not-enough-unsold");
    assertThat(closed).isEqualTo("409 not-open");
    assertThat(frozen).isEqualTo("503 busy");
    assertThat(rebuilt).isEqualTo(200);
    assertThat(open).isEqualTo("201 PENDING");
    assertThat(soldOut).isEqualTo("409 sold-out");
  }

  @Test
  void shouldEndBeArchivedAndSellAgainInTheNextSale() {
    // given
    long skuId = site.newSkuId();
    JsonObject terms = new JsonObject().put("total_stock", 4).put("mode", "direct");
    String first = "first-" + skuId;
    Answer opened = put("/admin/sales/" + first, SaleBodies.of("first", List.of(skuId), terms));
    Sale sale = site.known(skuId);
    String paid = sale.order(ALICE).token();
    sale.pay(paid);
    String held = sale.order(BOB).token();
    SluiceProcess desk = site.instance(0);

    // when
    String end = desk.adminUrl() + "/admin/sales/" + first + "/end";
    int begun = site.http().ask(Call.post(end)).status();
    sale.cancel(BOB, held);
    await().atMost(LIMIT).until(() -> site.http().ask(Call.post(end)).status() == 200);
    String closed = sale.order(CAROL).brief();
    Answer next =
        put(
            "/admin/sales/next-" + skuId,
            SaleBodies.of("next", List.of(skuId), new JsonObject().put("total_stock", 2)));
    String again =
        await()
            .atMost(LIMIT)
            .until(() -> sale.order(ALICE), answer -> answer.status() == 201)
            .token();
    String archive = desk.adminUrl() + "/admin/sales/" + first + "/archive";
    await().atMost(LIMIT).until(() -> site.http().ask(Call.post(archive)).status() == 200);

    // then
    assertThat(opened.status()).isEqualTo(201);
    assertThat(begun).isEqualTo(202);
    assertThat(closed).isEqualTo("409 not-open");
    assertThat(next.status()).isIn(200, 201);
    assertThat(again).isNotEqualTo(paid);
    assertThat(sale.status(paid).brief()).isEqualTo("200 CONFIRMED");
    assertThat(sale.refund(paid).brief()).isEqualTo("409 archived");
    assertThat(site.ledger().count("SELECT COUNT(*) FROM direct_hold WHERE sku_id = " + skuId))
        .isEqualTo(1);
  }

  @Test
  void shouldTellWhenTheStockCrossesAWatermark() {
    // given
    Sale sale = site.sale().withStock(10).direct().open();

    // when
    sale.order(ALICE, "", 9);

    // then
    await()
        .atMost(LIMIT)
        .until(
            () ->
                events().stream()
                    .anyMatch(
                        event ->
                            "WATERMARK_CROSSED".equals(event.getString("type"))
                                && Long.valueOf(sale.skuId()).equals(event.getLong("sku_id"))));
  }

  @Test
  void shouldFreezeWhenCountersAndRowsDisagree() {
    // given
    Sale sale = site.sale().withStock(10).direct().open();
    sale.order(ALICE);
    String wrong = "UPDATE inventory_bucket SET held = held %s 1 WHERE sku_id = " + sale.skuId();

    // when
    site.ledger().query(wrong.formatted("+"), row -> row);
    try {
      await().atMost(LIMIT).until(() -> sale.look().json().getString("state").equals("FROZEN"));
    } finally {
      site.ledger().query(wrong.formatted("-"), row -> row);
    }

    // then
    assertThat(sale.order(BOB).brief()).isEqualTo("503 busy");
    await()
        .atMost(LIMIT)
        .until(
            () ->
                events().stream()
                    .anyMatch(
                        event ->
                            "SKU_FROZEN".equals(event.getString("type"))
                                && Long.valueOf(sale.skuId()).equals(event.getLong("sku_id"))));
  }

  @Test
  void shouldBanOnAllInstances() {
    // given
    Sale sale = site.sale().withStock(10).direct().open();
    Buyer banned = Buyer.named("banned-" + sale.skuId());

    // when
    put(
        "/admin/blacklist/" + banned.userId(),
        new JsonObject().put("ban_s", 60).put("reason", "x"));

    // then
    for (SluiceProcess instance : site.instances().subList(0, 2)) {
      await()
          .atMost(Duration.ofSeconds(5))
          .until(() -> sale.at(instance).order(banned).status() == 429);
    }
  }
}
