package io.sluice.sale;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.sluice.testkit.site.Answer;
import io.sluice.testkit.site.Buyer;
import io.sluice.testkit.site.CartSale;
import io.sluice.testkit.site.Crowd;
import io.sluice.testkit.site.Sale;
import io.sluice.testkit.site.SaleSite;
import io.vertx.core.CompositeFuture;
import io.vertx.core.Future;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Orders of one SKU and of several in races: each ends as a whole, and no unit is sold twice. */
class CartRaceIT {
  @RegisterExtension
  static final SaleSite site = SaleSite.withInstances(2).setting("SLUICE_MYSQL_WRITERS", 2);

  private static final Duration LIMIT = Duration.ofSeconds(60);
  private static final int ORDERS = 120;
  private static final int WINDOW_S = 5;

  /** When races begin, counted from the ends of the time to pay: no end is far from all of them. */
  private static final int EARLIEST_MS = -1_500;

  private static final int LATEST_MS = 2_500;
  private static final int JITTER_MS = 200;
  private static final long SEED = 35;

  private static final Timetable TIMES = new Timetable();

  private final Random random = new Random(SEED);

  @AfterAll
  static void close() {
    TIMES.close();
  }

  private static JsonObject units(long units) {
    return new JsonObject().put("total_stock", units);
  }

  @Test
  void shouldSellEveryUnitOnceWhenCartsCrossEachOther() {
    // given
    int units = 60;
    CartSale sale = CartSale.open(site, 3, units);
    List<JsonArray> carts =
        List.of(
            sale.lines(0, 1, 1, 1),
            sale.lines(1, 1, 0, 1),
            sale.lines(1, 1, 2, 1),
            sale.lines(0, 2, 1, 1, 2, 1));
    List<Supplier<Future<Answer>>> requests = new ArrayList<>();
    for (int i = 0; i < 300; i++) {
      Buyer buyer = Buyer.named("buyer-" + i);
      JsonArray lines = carts.get(i % carts.size());
      // Each buyer asks twice, at once.
      requests.add(() -> insisting(sale, buyer, lines, 100));
      requests.add(() -> insisting(sale, buyer, lines, 100));
      Sale alone = sale.sku(i % 3);
      requests.add(() -> insisting(() -> alone.ordering(buyer, "single", 1), 100));
    }

    // when
    List<Answer> answers = site.crowd(48).send(requests);

    // then
    assertThat(answers.stream().map(Answer::brief).collect(Collectors.toSet()))
        .isSubsetOf(Set.of("201 RESERVED", "200 RESERVED", "200 PENDING", "409 sold-out"));
    await()
        .atMost(LIMIT)
        .untilAsserted(
            () ->
                assertThat(sale.sku(1).order(Buyer.named("last"), "k", 1).brief())
                    .isEqualTo("409 sold-out"));
    site.checkPromises();
    assertThat(sale.sku(1).ledger().held()).isEqualTo(units);
  }

  @ParameterizedTest(name = "{0} lines")
  @ValueSource(ints = {1, 2})
  void shouldLetOneWinWhenPaymentCancelAndTimeoutRace(int lines) {
    // given
    CartSale sale =
        CartSale.open(
            site, lines, units(ORDERS), new JsonObject().put("payment_window_s", WINDOW_S));
    List<Buyer> buyers = Buyer.crowd(ORDERS);
    List<Answer> granted = granted(sale, buyers);

    // when
    List<Future<List<Answer>>> races = new ArrayList<>();
    for (int i = 0; i < ORDERS; i++) {
      Instant end = Instant.parse(granted.get(i).json().getString("pay_before"));
      Instant start = end.plusMillis(EARLIEST_MS + i * (LATEST_MS - EARLIEST_MS) / ORDERS);
      races.add(raceAt(start, sale.sku(0), buyers.get(i), granted.get(i).token()));
    }
    await().atMost(LIMIT).until(Future.all(races)::isComplete);

    // then
    await().atMost(LIMIT).until(() -> site.ledger().outboxPending() == 0);
    Map<String, String> ends = ends(sale.sku(0));
    OrderEvents events = new OrderEvents(site);
    for (int i = 0; i < ORDERS; i++) {
      String token = granted.get(i).token();
      String end = ends.get(idOf(token));
      boolean paid = end.equals("CONFIRMED");
      List<Answer> told = races.get(i).result();
      assertThat(told)
          .extracting(Answer::brief)
          .as("told of %s, which is %s", token, end)
          .containsExactly(
              paid ? "200 CONFIRMED" : "409 payment-late",
              paid ? "409 already-confirmed" : "200 CANCELED",
              paid ? "200 CONFIRMED" : "409 payment-late");
      if (!paid) {
        assertThat(told.get(1).json().getString("reason")).isEqualTo(end);
      }
      assertThat(events.statuses(token))
          .containsExactly("PENDING", paid ? "CONFIRMED" : "CANCELED");
      assertThat(events.count(token, "PAYMENT_LATE")).as("%s", token).isEqualTo(paid ? 0 : 1);
    }
    assertThat(sale.skuIds())
        .extracting(sku -> ends(site.known(sku)))
        .as("all lines")
        .containsOnly(ends);
    assertThat(ends.values()).as("who has won").contains("CONFIRMED", "BUYER", "TIMEOUT");
    site.checkPromises();
  }

  private static List<Answer> granted(CartSale sale, List<Buyer> buyers) {
    List<Answer> granted = site.crowd(32).send(buyers, buyer -> ordering(sale, buyer));
    assertThat(granted).extracting(Answer::status).containsOnly(201);
    return granted;
  }

  /** A unit of each of its SKUs: of one alone, or as a cart. */
  private static Future<Answer> ordering(CartSale sale, Buyer buyer) {
    return sale.skuIds().size() == 1
        ? sale.sku(0).ordering(buyer, "k", 1)
        : sale.ordering(buyer, "k", sale.lines(0, 1, 1, 1));
  }

  /** Two payments and a cancel of one order, soon after this time. */
  private Future<List<Answer>> raceAt(Instant start, Sale sku, Buyer buyer, String token) {
    List<Supplier<Future<Answer>>> requests =
        List.of(
            () -> sku.paying(token), () -> sku.canceling(buyer, token), () -> sku.paying(token));
    List<Future<Answer>> answers = new ArrayList<>();
    for (Supplier<Future<Answer>> request : requests) {
      Instant at = start.plusMillis(random.nextInt(JITTER_MS));
      answers.add(TIMES.at(at, () -> Insistence.on(request)));
    }
    return Future.all(answers).map(CompositeFuture::list);
  }

  /** How each line of this SKU has ended: CONFIRMED, or why it was canceled. */
  private static Map<String, String> ends(Sale sku) {
    return site.ledger().orders(sku.skuId()).stream()
        .collect(
            Collectors.toMap(
                line -> idOf(line.token()),
                line -> line.status().equals("CANCELED") ? line.reason() : line.status()));
  }

  /** What the tokens of all lines of an order have in common. */
  private static String idOf(String token) {
    return token.substring(token.indexOf('.'));
  }

  @Test
  void shouldKeepCartsWholeWhenABucketIsRebuiltMeanwhile() {
    // given
    CartSale sale = CartSale.open(site, 3, units(400).put("buckets", 2), new JsonObject());
    List<Supplier<Future<Answer>>> requests = new ArrayList<>();
    for (int i = 0; i < 400; i++) {
      Buyer buyer = Buyer.named("buyer-" + i);
      JsonArray lines = i % 2 == 0 ? sale.lines(0, 1, 1, 1, 2, 1) : sale.lines(1, 1, 2, 1);
      requests.add(() -> insisting(sale, buyer, lines, 100));
    }

    // when
    Future<List<Answer>> selling = site.crowd(24).start(requests);
    Answer first = sale.sku(1).rebuild();
    Answer second = sale.sku(2).rebuild();
    List<Answer> answers = Crowd.await(selling);

    // then
    assertThat(first.status()).isEqualTo(200);
    assertThat(second.status()).isEqualTo(200);
    assertThat(answers).allMatch(Answer::isYes);
    Set<Long> epochs =
        new HashSet<>(
            site.ledger()
                .query(
                    "SELECT epoch FROM inventory_bucket WHERE sku_id IN (?, ?, ?)",
                    row -> row.getLong(0),
                    sale.skuIds().toArray()));
    assertThat(epochs).hasSize(1);
    site.checkPromises();
    assertThat(sale.sku(0).ledger().held()).isEqualTo(200);
    assertThat(sale.sku(1).ledger().held()).isEqualTo(400);
  }

  /** Asks again with the same key until the answer is certain. */
  private static Future<Answer> insisting(CartSale sale, Buyer buyer, JsonArray lines, int tries) {
    return insisting(() -> sale.ordering(buyer, "k", lines), tries);
  }

  private static Future<Answer> insisting(Supplier<Future<Answer>> asking, int tries) {
    return asking
        .get()
        .compose(
            answer ->
                (answer.status() != 503 && answer.came()) || tries == 0
                    ? Future.succeededFuture(answer)
                    : site.vertx().timer(100).compose(later -> insisting(asking, tries - 1)));
  }
}
