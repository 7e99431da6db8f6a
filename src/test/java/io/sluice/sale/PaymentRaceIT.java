package io.sluice.sale;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.sluice.testkit.mysql.LedgerReader.OrderRow;
import io.sluice.testkit.site.Answer;
import io.sluice.testkit.site.Buyer;
import io.sluice.testkit.site.Sale;
import io.sluice.testkit.site.SaleSite;
import io.vertx.core.CompositeFuture;
import io.vertx.core.Future;
import io.vertx.core.json.JsonObject;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Two payments, more time to pay and the time-out race; so do the steps of a refund. */
class PaymentRaceIT {
  @RegisterExtension static final SaleSite site = SaleSite.withInstances(2);

  private static final int ORDERS = 300;
  private static final int VISITORS = 64;
  private static final int QTY = 3;
  private static final Duration WINDOW = Duration.ofSeconds(4);
  private static final Duration LIMIT = Duration.ofSeconds(30);
  private static final int EXTENSION_S = 3;

  /** Around the end of their time to pay. */
  private static final int JITTER_MS = 1_200;

  private static final Set<String> EXTENDED_OR_NOT = Set.of("200 PENDING", "409 already-confirmed");
  private static final int RACES_MAX = 3;
  private static final long SEED = 12;

  private static final Timetable TIMES = new Timetable();

  private final Random random = new Random(SEED);

  @AfterAll
  static void close() {
    TIMES.close();
  }

  private static JsonObject paid(String ref) {
    return new JsonObject().put("payment_ref", ref);
  }

  /** The caller repeats it while he is told nothing of its outcome. */
  private static Future<Answer> paying(Sale sale, String token, String ref) {
    return Insistence.on(() -> sale.telling(token, "/confirm", paid(ref)));
  }

  private List<Answer> ordered(Sale sale, int qty) {
    List<Answer> granted =
        site.crowd(VISITORS).send(Buyer.crowd(ORDERS), buyer -> sale.ordering(buyer, "k1", qty));
    assertThat(granted).extracting(Answer::status).containsOnly(201);
    return granted;
  }

  private static List<Told> ended(List<Future<Told>> races) {
    CompositeFuture all = Future.all(races);
    await().atMost(LIMIT).until(all::isComplete);
    return all.list();
  }

  private Future<Answer> near(Instant end, Supplier<Future<Answer>> request) {
    return TIMES.at(end.plusMillis(random.nextInt(2 * JITTER_MS) - JITTER_MS), request);
  }

  /** All that was told of one order. */
  private record Told(Answer first, Answer second, Answer extended, Instant sentAt) {
    Stream<Answer> payments() {
      return Stream.of(first, second);
    }
  }

  /** Where the machine stands still at the end of the time to pay, nobody is told in time. */
  @Test
  void shouldLetOnePaymentWinWhenTwoRaceWithTheTimeout() {
    // given
    Set<String> seen = new HashSet<>();

    // when
    for (int race = 0; race < RACES_MAX && !seen.containsAll(EXTENDED_OR_NOT); race++) {
      seen.addAll(raceForPayment());
    }

    // then
    assertThat(seen).containsAll(EXTENDED_OR_NOT);
  }

  /** All race for the orders of a sale; returns what extensions were told, once all is true. */
  private Set<String> raceForPayment() {
    Sale sale = site.sale().withStock(ORDERS).withPaymentWindow(WINDOW).open();
    List<Answer> granted = ordered(sale, 1);
    List<Future<Told>> races = new ArrayList<>();
    for (Answer order : granted) {
      String token = order.token();
      Instant end = Instant.parse(order.json().getString("pay_before"));
      var first = near(end, () -> paying(sale, token, "p1"));
      var second = near(end, () -> paying(sale, token, "p2"));
      JsonObject more = new JsonObject().put("seconds", EXTENSION_S);
      var extended = near(end, () -> sale.telling(token, "/extend", more));
      races.add(
          Future.all(first, second, extended)
              .map(all -> new Told(first.result(), second.result(), extended.result(), end)));
    }
    List<Told> told = ended(races);
    await().atMost(LIMIT).until(() -> sale.ledger().held() == 0);
    await().atMost(LIMIT).until(() -> site.ledger().outboxPending() == 0);
    Map<String, OrderRow> orders = orders(sale);
    var events = new OrderEvents(site);
    for (int i = 0; i < ORDERS; i++) {
      assertToldTheTruth(orders.get(granted.get(i).token()), told.get(i), events);
    }
    return told.stream().map(all -> all.extended().brief()).collect(Collectors.toSet());
  }

  private static void assertToldTheTruth(OrderRow order, Told told, OrderEvents events) {
    boolean confirmed = order.status().equals("CONFIRMED");
    assertThat(told.payments().map(Answer::brief))
        .as("payments of %s", order)
        .containsExactlyInAnyOrder(
            confirmed ? "200 CONFIRMED" : "409 payment-late",
            confirmed ? "409 already-confirmed" : "409 payment-late");
    if (!confirmed) {
      assertThat(order.reason()).isEqualTo("TIMEOUT");
      assertThat(events.count(order.token(), "PAYMENT_LATE")).as("%s", order).isEqualTo(1);
    }
    assertThat(events.count(order.token(), "PAYMENT_DOUBLE")).as("%s", order).isEqualTo(1);
    assertThat(told.extended().brief())
        .as("extension of %s", order)
        // Of an unavailable one nothing is known.
        .isIn(
            "200 PENDING",
            "503 unavailable",
            confirmed ? "409 already-confirmed" : "409 order-ended");
    if (told.extended().status() == 200) {
      assertThat(events.count(order.token(), "ORDER_EXTENDED")).as("%s", order).isEqualTo(1);
    }
  }

  @Test
  void shouldReturnEachUnitOnceWhenTheStepsOfRefundsRace() {
    // given
    Sale sale = site.sale().withStock(ORDERS * QTY).open();
    List<Answer> granted = ordered(sale, QTY);
    List<String> tokens = granted.stream().map(Answer::token).toList();
    told(sale, tokens, "/confirm", paid("p"));
    told(sale, tokens, "/refunds", new JsonObject().put("refund_id", "r1").put("qty", 1));

    // when
    List<Future<Told>> races = new ArrayList<>();
    Instant start = Instant.now().plus(WINDOW);
    for (String token : tokens) {
      var complete = near(start, () -> sale.telling(token, "/refunds/r1/complete", null));
      var again = near(start, () -> sale.telling(token, "/refunds/r1/complete", null));
      String end = random.nextBoolean() ? "/refunds/r1/reject" : "/refund";
      var other = near(start, () -> sale.telling(token, end, null));
      races.add(
          Future.all(complete, again, other)
              .map(all -> new Told(complete.result(), again.result(), other.result(), start)));
    }
    List<Told> told = ended(races);

    // then
    await().atMost(LIMIT).until(() -> site.ledger().outboxPending() == 0);
    Map<String, OrderRow> orders = orders(sale);
    long refunded = 0;
    for (int i = 0; i < ORDERS; i++) {
      Answer order = sale.status(tokens.get(i));
      refunded += order.json().getInteger("refunded_qty", 0);
      assertOneEndWon(orders.get(tokens.get(i)), order, told.get(i));
    }
    assertThat(sale.ledger().sold()).isEqualTo(ORDERS * QTY - refunded);
    assertThat(buyAll(sale)).isEqualTo(refunded);
  }

  /** Completed and rejected exclude each other; both callers of complete are told the same. */
  private static void assertOneEndWon(OrderRow row, Answer order, Told told) {
    int refunded = order.json().getInteger("refunded_qty", 0);
    assertThat(told.payments().map(Answer::problem).distinct()).as("%s", row).hasSize(1);
    boolean completed = told.first().status() == 200;
    boolean whole = row.status().equals("REFUNDED");
    assertThat(refunded).as("%s", row).isEqualTo(whole ? QTY : completed ? 1 : 0);
    if (!completed) {
      assertThat(told.first().problem()).isEqualTo("refund-ended");
    }
    boolean rejected = told.extended().status() == 200 && !whole;
    assertThat(rejected && completed).as("%s is completed and rejected", row).isFalse();
  }

  private void told(Sale sale, List<String> tokens, String path, JsonObject body) {
    List<Answer> answers =
        site.crowd(VISITORS).send(tokens, token -> sale.telling(token, path, body));
    assertThat(answers).extracting(Answer::status).containsOnly(200);
  }

  /** Buys one unit after the other until there is none; returns how many there were. */
  private long buyAll(Sale sale) {
    long free = sale.ledger().available();
    List<Answer> bought =
        site.crowd(VISITORS)
            .send(Buyer.crowd((int) free + 1), buyer -> sale.ordering(buyer, "rest", 1));
    return bought.stream().filter(answer -> answer.status() == 201).count();
  }

  private static Map<String, OrderRow> orders(Sale sale) {
    return site.ledger().orders(sale.skuId()).stream()
        .collect(Collectors.toMap(OrderRow::token, Function.identity()));
  }
}
