package io.sluice.sale;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.sluice.testkit.mysql.LedgerReader.OrderRow;
import io.sluice.testkit.site.Answer;
import io.sluice.testkit.site.Buyer;
import io.sluice.testkit.site.Crowd;
import io.sluice.testkit.site.Sale;
import io.sluice.testkit.site.SaleSite;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
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
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Payment, time-out and cancel race for the same orders: one wins, and all parties learn which. */
class RaceIT {
  @RegisterExtension static final SaleSite site = SaleSite.withInstances(2);

  private static final int ORDERS = 500;
  private static final int VISITORS = 64;
  private static final Duration WINDOW = Duration.ofSeconds(10);
  private static final Duration LIMIT = Duration.ofSeconds(30);

  private static final Set<String> PARTIES =
      Set.of("CONFIRMED", "CANCELED BUYER", "CANCELED TIMEOUT");

  /** How long before the end of its time to pay an order is raced for. */
  private static final int EARLIEST_MS = 1_000;

  /**
   * And how long afterwards. Where the machine stood still, the time to pay is extended by as much:
   * nobody is late before then, and the race is repeated with more time.
   */
  private static final int FIRST_LATEST_MS = 3_000;

  private static final int LAST_LATEST_MS = 24_000;
  private static final long SEED = 11;

  private static final Vertx CLOCK = Vertx.vertx();

  private final Random random = new Random(SEED);

  @AfterAll
  static void close() {
    CLOCK.close();
  }

  /** The answers to payment and buyer about one order. */
  private record BookedMark(Answer payment, Answer cancel) {}

  @Test
  void shouldLetOneWinWhenPaymentCancelAndTimeoutRace() {
    // given
    Set<String> won = new HashSet<>();
    int latestMs = FIRST_LATEST_MS;

    // when
    do {
      won.addAll(race(latestMs));
      latestMs *= 2;
    } while (!won.containsAll(PARTIES) && latestMs <= LAST_LATEST_MS);

    // then
    assertThat(won).containsExactlyInAnyOrderElementsOf(PARTIES);
  }

  /** All three race for the orders of a sale; returns who won any, once all told the truth. */
  private Set<String> race(int latestMs) {
    Sale sale = site.sale().withStock(ORDERS).withPaymentWindow(WINDOW).open();
    List<Buyer> buyers = Buyer.crowd(ORDERS);
    List<Answer> granted = order(sale, buyers);
    var payments = new ArrayList<Future<Answer>>();
    var cancels = new ArrayList<Future<Answer>>();
    for (int i = 0; i < ORDERS; i++) {
      String token = granted.get(i).token();
      Buyer buyer = buyers.get(i);
      Instant end = Instant.parse(granted.get(i).json().getString("pay_before"));
      Instant fight = end.plusMillis(random.nextInt(EARLIEST_MS + latestMs) - EARLIEST_MS);
      payments.add(
          at(fight.plusMillis(random.nextInt(20)), () -> Insistence.on(() -> sale.paying(token))));
      cancels.add(
          at(
              fight.plusMillis(random.nextInt(20)),
              () -> Insistence.on(() -> sale.canceling(buyer, token))));
    }
    List<Answer> paid = Crowd.await(Future.all(payments).map(all -> all.list()));
    List<Answer> canceled = Crowd.await(Future.all(cancels).map(all -> all.list()));
    await().atMost(LIMIT).until(() -> sale.ledger().held() == 0);
    Map<String, OrderRow> orders =
        site.ledger().orders(sale.skuId()).stream()
            .collect(Collectors.toMap(OrderRow::token, Function.identity()));
    assertThat(orders).hasSize(ORDERS);
    for (int i = 0; i < ORDERS; i++) {
      assertToldTheTruth(
          orders.get(granted.get(i).token()), new BookedMark(paid.get(i), canceled.get(i)));
    }
    assertPaidLateOnce(orders, granted, paid);
    return winners(orders);
  }

  private static List<Answer> order(Sale sale, List<Buyer> buyers) {
    List<Answer> granted =
        site.crowd(VISITORS)
            .send(
                buyers.stream()
                    .<Supplier<Future<Answer>>>map(buyer -> () -> sale.ordering(buyer, "k1", 1))
                    .toList());
    assertThat(granted).extracting(Answer::status).containsOnly(201);
    return granted;
  }

  private static void assertToldTheTruth(OrderRow order, BookedMark told) {
    boolean confirmed = order.status().equals("CONFIRMED");
    boolean byBuyer = "BUYER".equals(order.reason());
    assertThat(told.payment().brief())
        .as("payment of %s", order)
        .isEqualTo(confirmed ? "200 CONFIRMED" : "409 payment-late");
    assertThat(told.cancel().brief())
        .as("cancel of %s", order)
        .isEqualTo(confirmed ? "409 already-confirmed" : "200 CANCELED");
    if (!confirmed) {
      assertThat(told.cancel().json().getString("reason")).isEqualTo(byBuyer ? "BUYER" : "TIMEOUT");
    }
  }

  private static Set<String> winners(Map<String, OrderRow> orders) {
    return orders.values().stream()
        .map(
            order ->
                order.reason() == null ? order.status() : order.status() + " " + order.reason())
        .collect(Collectors.toSet());
  }

  private static void assertPaidLateOnce(
      Map<String, OrderRow> orders, List<Answer> granted, List<Answer> paid) {
    await().atMost(LIMIT).until(() -> site.ledger().outboxPending() == 0);
    var events = new OrderEvents(site);
    for (int i = 0; i < ORDERS; i++) {
      String token = granted.get(i).token();
      long late = "payment-late".equals(paid.get(i).problem()) ? 1 : 0;
      assertThat(events.count(token, "PAYMENT_LATE")).as("%s", orders.get(token)).isEqualTo(late);
    }
  }

  private static Future<Answer> at(Instant time, Supplier<Future<Answer>> request) {
    Promise<Answer> answer = Promise.promise();
    long delayMs = Math.max(1, Duration.between(Instant.now(), time).toMillis());
    CLOCK.setTimer(delayMs, id -> request.get().onComplete(answer));
    return answer.future();
  }
}
