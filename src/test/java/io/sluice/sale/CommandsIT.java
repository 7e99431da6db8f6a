package io.sluice.sale;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.sluice.testkit.site.Answer;
import io.sluice.testkit.site.Buyer;
import io.sluice.testkit.site.Call;
import io.sluice.testkit.site.Sale;
import io.sluice.testkit.site.SaleSite;
import io.sluice.testkit.site.SluiceProcess;
import io.vertx.core.Future;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Commands in lists, on real servers: each order ends as by its own call, also after a kill. */
class CommandsIT {
  @RegisterExtension static final SaleSite site = SaleSite.withInstances(2).withFaults();

  private static final Duration LIMIT = Duration.ofSeconds(60);
  private static final String NOBODYS = "1.0.AAAAAAAAAAAAAAAAAAAAAA";

  private static JsonObject command(String token, String command) {
    return new JsonObject().put("order_token", token).put("command", command);
  }

  private static Call call(int instance, List<JsonObject> commands) {
    return Call.post(site.instance(instance).url() + "/v1/orders/commands")
        .within(LIMIT)
        .json(new JsonObject().put("commands", new JsonArray(commands)));
  }

  /** As {@link Answer#brief} tells a single call. */
  private static List<String> briefs(Answer answer) {
    assertThat(answer.status()).as(answer.body()).isEqualTo(200);
    List<String> briefs = new ArrayList<>();
    for (Object each : answer.json().getJsonArray("results")) {
      JsonObject result = (JsonObject) each;
      JsonObject order = result.getJsonObject("order");
      String word =
          order == null
              ? result.getJsonObject("problem").getString("type").replace("/problems/", "")
              : order.getString("status");
      briefs.add(result.getInteger("status") + " " + word);
    }
    return briefs;
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void shouldEndEachOrderAsItsOwnCallDoes(boolean direct) {
    // given
    var terms = site.sale().withStock(20).withBuckets(4);
    Sale sale = (direct ? terms.direct() : terms).open();
    List<String> tokens =
        IntStream.range(0, 4).mapToObj(i -> sale.order(Buyer.named("b" + i)).token()).toList();
    List<JsonObject> commands =
        List.of(
            command(tokens.get(0), "confirm").put("payment_ref", "p1"),
            command(tokens.get(1), "cancel"),
            command(tokens.get(2), "extend").put("seconds", 7_200),
            command(tokens.get(3), "refund"),
            command(NOBODYS, "confirm"),
            command(tokens.get(0), "confirm").put("payment_ref", "p2"),
            command(tokens.get(2), "confirm"),
            command(tokens.get(0), "refund"));

    // when
    Answer first = site.http().ask(call(0, commands));
    Answer again = site.http().ask(call(1, commands));

    // then
    assertThat(briefs(first))
        .containsExactly(
            "200 CONFIRMED",
            "200 CANCELED",
            "200 PENDING",
            "409 not-confirmed",
            "404 unknown-order",
            "409 already-confirmed",
            "200 CONFIRMED",
            "200 REFUNDED");
    assertThat(briefs(again))
        .containsExactly(
            "409 already-refunded",
            "200 CANCELED",
            "409 already-confirmed",
            "409 not-confirmed",
            "404 unknown-order",
            "409 already-refunded",
            "200 CONFIRMED",
            "200 REFUNDED");
    assertThat(sale.ledger().sold()).isEqualTo(1);
    await().atMost(LIMIT).until(() -> sale.ledger().available() == 18);
  }

  private static List<String> bought(Sale sale, int orders) {
    return new ArrayList<>(
        site
            .crowd(16)
            .send(
                IntStream.range(0, orders).boxed().toList(),
                i -> Insistence.on(() -> sale.ordering(Buyer.named("k" + i), "", 1)))
            .stream()
            .map(Answer::token)
            .toList());
  }

  private static JsonObject startJob(SluiceProcess at, String action, Sale sale) {
    JsonObject body = new JsonObject().put("action", action).put("sku_id", sale.skuId());
    String url = at.adminUrl() + "/admin/jobs/" + action + "-" + sale.skuId();
    return site.http().ask(Call.put(url).json(body)).json();
  }

  @Test
  void shouldRefundEveryPaidOrderOnceWhenEachInstanceIsKilledWhileAJobRuns() {
    // given
    Sale sale = site.sale().withStock(600).withBuckets(4).open();
    List<String> tokens = bought(sale, 600);
    List<String> paid = tokens.subList(0, 500);
    List<JsonObject> payments = paid.stream().map(token -> command(token, "confirm")).toList();
    await()
        .atMost(LIMIT)
        .untilAsserted(
            () ->
                assertThat(briefs(site.http().ask(call(0, payments))))
                    .containsOnly("200 CONFIRMED"));

    // when
    JsonObject started = startJob(site.instance(0), "refund-paid", sale);
    for (SluiceProcess instance : site.instances()) {
      instance.kill();
      instance.start().awaitReady();
    }

    // then
    assertThat(started.getString("state")).isEqualTo("RUNNING");
    await().atMost(LIMIT).until(() -> isDone(startJob(site.instance(1), "refund-paid", sale)));
    assertThat(moves(sale, "REFUND")).isEqualTo(500);
    assertThat(sale.ledger().sold()).isZero();
    startJob(site.instance(0), "cancel-unpaid", sale);
    await().atMost(LIMIT).until(() -> isDone(startJob(site.instance(1), "cancel-unpaid", sale)));
    assertThat(moves(sale, "CANCEL")).isEqualTo(100);
    await().atMost(LIMIT).until(() -> sale.ledger().available() == 600);
  }

  private static boolean isDone(JsonObject job) {
    return "DONE".equals(job.getString("state"));
  }

  private static long moves(Sale sale, String action) {
    return site.ledger()
        .query(
            "SELECT COUNT(*) FROM stock_move WHERE sku_id = ? AND action = ?",
            row -> row.getLong(0),
            sale.skuId(),
            action)
        .get(0);
  }

  @Test
  void shouldPayEveryOrderOnceWhenAnInstanceIsKilledAndTheListsAreRepeated() {
    // given
    Sale sale = site.sale().withStock(400).withBuckets(4).open();
    List<String> tokens = bought(sale, 400);
    Collections.shuffle(tokens);
    List<JsonObject> commands =
        tokens.stream()
            .map(token -> command(token, "confirm").put("payment_ref", "p-" + token))
            .toList();

    // when
    Future<Answer> cutOff = site.http().send(call(1, commands));
    site.instance(1).kill();
    await().atMost(LIMIT).until(cutOff::isComplete);
    await()
        .atMost(LIMIT)
        .untilAsserted(
            () ->
                assertThat(briefs(site.http().ask(call(0, commands))))
                    .containsOnly("200 CONFIRMED"));
    site.instance(1).start().awaitReady();

    // then
    assertThat(sale.ledger().sold()).isEqualTo(400);
    assertThat(moves(sale, "CONFIRM")).isEqualTo(400);
  }
}
