package io.sluice.sale.neighbour;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.sluice.sale.OrderEvents;
import io.sluice.testkit.site.Answer;
import io.sluice.testkit.site.Buyer;
import io.sluice.testkit.site.Call;
import io.sluice.testkit.site.Sale;
import io.sluice.testkit.site.SaleSite;
import io.sluice.testkit.site.SkuIds;
import io.sluice.testkit.site.SluiceProcess;
import io.vertx.core.Future;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * A whole sale of two releases without faults. Each owns some of the partitions, so that each books
 * what the other has granted. What one does or says, the other must continue, repeat and know.
 */
abstract class SideBySideSuite {
  private static final Duration LIMIT = Duration.ofSeconds(30);
  private static final int BUCKETS = 16;

  /** So many that no bucket is dry after a few orders. */
  private static final int UNITS = 160;

  private static final Buyer ALICE = Buyer.named("alice");
  private static final Buyer BOB = Buyer.named("bob");
  private static final String BANNED = "429 too-many-requests";

  private final SaleSite site;
  private final Neighbours neighbours;

  SideBySideSuite(SaleSite site, Neighbours neighbours) {
    this.site = site;
    this.neighbours = neighbours;
  }

  @BeforeEach
  void bringUp() {
    neighbours.bringUp();
  }

  @ParameterizedTest
  @EnumSource
  void shouldAnswerARepeatedRequestAsTheOtherHas(Side granter) {
    // given
    Sale sale = openAt(granter, UNITS, Duration.ofHours(1));
    Sale there = neighbours.at(granter.other(), sale);
    Answer granted = neighbours.at(granter, sale).order(ALICE, "k1", 2);

    // when
    Answer again = there.order(ALICE, "k1", 2);
    Answer another = there.order(ALICE, "k1", 1);
    Answer stranger = there.status(BOB, granted.token());

    // then
    assertThat(granted.brief()).isEqualTo("201 RESERVED");
    assertThat(again.status()).isEqualTo(200);
    for (String field : List.of("order_token", "sku_id", "qty", "seq", "pay_before")) {
      assertThat(again.json().getValue(field))
          .as(field)
          .isNotNull()
          .isEqualTo(granted.json().getValue(field));
    }
    assertThat(another.brief()).isEqualTo("409 key-mismatch");
    assertThat(stranger.brief()).isEqualTo("404 unknown-order");
    await()
        .atMost(LIMIT)
        .until(() -> there.status(ALICE, granted.token()).brief().equals("200 PENDING"));
  }

  @ParameterizedTest
  @EnumSource
  void shouldEndAtTheOtherWhatOneHasGranted(Side granter) {
    // given
    Sale sale = openAt(granter, UNITS, Duration.ofHours(1));
    Sale here = neighbours.at(granter, sale);
    Sale there = neighbours.at(granter.other(), sale);
    String refunded = here.order(ALICE, "refunded").token();
    String canceled = here.order(ALICE, "canceled").token();
    awaitPending(here, refunded);

    // when
    Future<Answer> waiting = here.statusChanging(ALICE, refunded, Duration.ofSeconds(20));
    List<String> paid = List.of(there.pay(refunded).brief(), here.pay(refunded).brief());
    List<String> back = List.of(there.refund(refunded).brief(), here.refund(refunded).brief());
    List<String> ended =
        List.of(there.cancel(ALICE, canceled).brief(), here.cancel(ALICE, canceled).brief());
    List<String> late = List.of(here.pay(canceled).brief(), there.pay(canceled).brief());

    // then
    assertThat(paid).containsOnly("200 CONFIRMED");
    assertThat(back).containsOnly("200 REFUNDED");
    assertThat(ended).containsOnly("200 CANCELED");
    assertThat(late).containsOnly("409 payment-late");
    await().atMost(LIMIT).until(waiting::isComplete);
    assertThat(waiting.result().brief()).isIn("200 CONFIRMED", "200 REFUNDED");
    assertThat(there.order(ALICE, "canceled").brief()).isEqualTo("409 order-ended");
    await().atMost(LIMIT).untilAsserted(() -> assertTold(refunded, canceled));
  }

  private void assertTold(String refunded, String canceled) {
    var events = new OrderEvents(site);
    assertThat(events.statuses(refunded)).containsExactly("PENDING", "CONFIRMED", "REFUNDED");
    assertThat(events.statuses(canceled)).containsExactly("PENDING", "CANCELED");
    assertThat(events.count(canceled, "PAYMENT_LATE")).isEqualTo(1);
    assertThat(events.versions(refunded)).isSorted();
  }

  @ParameterizedTest
  @EnumSource
  void shouldTellTheOtherWhenNobodyHasPaidInTime(Side granter) {
    // given
    Sale sale = openAt(granter, UNITS, Duration.ofSeconds(3));
    Sale there = neighbours.at(granter.other(), sale);

    // when
    List<String> tokens =
        Buyer.crowd(16).stream()
            .map(buyer -> neighbours.at(granter, sale).order(buyer, "k1").token())
            .toList();

    // then
    await().atMost(LIMIT).until(() -> sale.tokens("CANCELED").toList().containsAll(tokens));
    // The other one hears of it by its event, a moment after the commit.
    await()
        .atMost(LIMIT)
        .untilAsserted(
            () ->
                assertThat(tokens)
                    .extracting(token -> there.status(token).json().getString("reason"))
                    .containsOnly("TIMEOUT"));
    assertThat(sale.ledger().available()).isEqualTo(UNITS);
  }

  @Test
  void shouldSellExactlyWhatThereIs() {
    // given
    int units = 300;
    Sale sale = openAt(Side.KEPT, units, Duration.ofHours(1));

    // when
    LastBuyers buyers = LastBuyers.of(site, sale);
    List<Answer> again = buyers.askAgain();
    List<Answer> paid = buyers.pay();
    List<Answer> reports = Stream.of(Side.values()).map(this::reconcile).toList();

    // then
    assertThat(buyers.unexpected()).isEmpty();
    assertThat(buyers.tokens()).hasSize(units).doesNotHaveDuplicates();
    assertThat(again).extracting(Answer::status).containsOnly(200);
    assertThat(paid).extracting(Answer::brief).containsOnly("200 CONFIRMED");
    assertThat(sale.ledger().sold()).isEqualTo(units);
    assertThat(sale.ledger().available()).isZero();
    for (Side side : Side.values()) {
      assertThat(neighbours.at(side, sale).order(ALICE).brief()).isEqualTo("409 sold-out");
    }
    assertThat(reports).extracting(SideBySideSuite::drift).containsOnly(0);
  }

  private Answer reconcile(Side side) {
    String desk = neighbours.instance(side).adminUrl();
    return site.http().ask(Call.post(desk + "/admin/reconcile").within(Duration.ofSeconds(40)));
  }

  private static int drift(Answer answer) {
    assertThat(answer.status()).as("%s", answer).isEqualTo(200);
    JsonArray reports = answer.json().getJsonArray("reports");
    return IntStream.range(0, reports.size())
        .map(i -> reports.getJsonObject(i).getInteger("drift"))
        .sum();
  }

  @ParameterizedTest
  @EnumSource
  void shouldSellWhatTheOtherHasRestocked(Side restocker) {
    // given
    Sale sale = openAt(restocker, 0, Duration.ofHours(1));
    Sale here = neighbours.at(restocker, sale);
    Sale there = neighbours.at(restocker.other(), sale);
    String before = there.order(ALICE, "k1").brief();

    // when
    List<Answer> ups = List.of(here.restock("up", 40), there.restock("up", 40));
    Answer another = there.restock("up", 41);
    List<Answer> downs = List.of(there.restock("down", -8), here.restock("down", -8));
    Answer tooMany = here.restock("too-many", -33);

    // then
    assertThat(before).isEqualTo("409 sold-out");
    assertThat(ups).extracting(Answer::status).containsOnly(200);
    assertThat(another.status()).isEqualTo(409);
    assertThat(downs).extracting(Answer::status).containsOnly(200);
    assertThat(tooMany.brief()).isEqualTo("409 not-enough-unsold");
    assertThat(sale.ledger().total()).isEqualTo(32);
    await().atMost(LIMIT).until(() -> there.order(ALICE, "k1").brief().equals("201 RESERVED"));
  }

  @ParameterizedTest
  @EnumSource
  void shouldObeyTheOthersOperators(Side operator) {
    // given
    Sale sale = openAt(operator, UNITS, Duration.ofHours(1));
    Sale here = neighbours.at(operator, sale);
    Sale there = neighbours.at(operator.other(), sale);
    String token = there.order(ALICE, "k1").token();
    awaitPending(there, token);

    // when
    here.freeze();
    Answer frozen = there.order(BOB, "k1");
    there.unfreeze();
    List<Answer> rebuilt = List.of(there.rebuild(), here.rebuild());
    Answer open = there.order(BOB, "k1");
    Answer same = here.order(ALICE, "k1");
    here.close();
    Answer closed = there.order(BOB, "k2");
    there.reopen();
    Answer again = here.order(BOB, "k2");

    // then
    assertThat(frozen.brief()).isEqualTo("503 busy");
    assertThat(rebuilt).extracting(Answer::status).containsOnly(200);
    assertThat(open.brief()).isEqualTo("201 RESERVED");
    assertThat(same.brief()).isEqualTo("200 PENDING");
    assertThat(same.token()).isEqualTo(token);
    assertThat(closed.brief()).isEqualTo("409 not-open");
    assertThat(again.brief()).isEqualTo("201 RESERVED");
    assertThat(there.put(terms(UNITS, Duration.ofHours(1))).status()).isEqualTo(200);
    assertThat(there.pay(token).brief()).isEqualTo("200 CONFIRMED");
  }

  @ParameterizedTest
  @EnumSource
  void shouldRefuseTheBuyerWhomTheOtherHasBanned(Side operator) {
    // given
    Sale sale = openAt(operator, UNITS, Duration.ofHours(1));
    SluiceProcess here = neighbours.instance(operator);
    Sale there = neighbours.at(operator.other(), sale);
    Buyer carol = Buyer.named("carol-" + operator);
    String path = "/admin/blacklist/" + carol.userId();

    // when
    Answer banned =
        site.http()
            .ask(Call.put(here.adminUrl() + path).json("{\"ban_s\":600,\"reason\":\"fraud\"}"));

    // then
    assertThat(banned.isYes()).as("%s", banned).isTrue();
    await().atMost(LIMIT).until(() -> there.order(carol, "k1").brief().equals(BANNED));
    String desk = neighbours.instance(operator.other()).adminUrl();
    assertThat(site.http().ask(Call.of("DELETE", desk + path)).isYes()).isTrue();
    await().atMost(LIMIT).until(() -> sale.at(here).order(carol, "k1").isYes());
  }

  private Sale openAt(Side desk, int units, Duration window) {
    SluiceProcess instance = neighbours.instance(desk);
    return site.sale(SkuIds.spread(site, BUCKETS), instance)
        .withStock(units)
        .withBuckets(BUCKETS)
        .withPaymentWindow(window)
        .open();
  }

  private static JsonObject terms(int units, Duration window) {
    return new JsonObject()
        .put("total_stock", units)
        .put("buckets", BUCKETS)
        .put("payment_window_s", window.toSeconds());
  }

  private static void awaitPending(Sale sale, String token) {
    await().atMost(LIMIT).until(() -> sale.status(ALICE, token).brief().equals("200 PENDING"));
  }
}
