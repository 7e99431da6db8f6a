package io.sluice.sale;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.sluice.testkit.site.Answer;
import io.sluice.testkit.site.Buyer;
import io.sluice.testkit.site.Crowd;
import io.sluice.testkit.site.Sale;
import io.sluice.testkit.site.SaleSite;
import io.vertx.core.Future;
import io.vertx.core.json.JsonArray;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Stock that grows and shrinks during the sale. */
class RestockIT {
  @RegisterExtension static final SaleSite site = SaleSite.withInstances(2);

  private static final Buyer ALICE = Buyer.named("alice");
  private static final Duration LIMIT = Duration.ofSeconds(30);

  @Test
  void shouldRestockOnceWhenTheSameIdIsRepeated() {
    // given
    Sale sale = site.sale().withStock(10).open();

    // when
    List<Answer> ups = site.crowd(8).send(List.of(restock(sale, "up", 5), restock(sale, "up", 5)));
    List<Answer> downs =
        site.crowd(8).send(List.of(restock(sale, "down", -3), restock(sale, "down", -3)));

    // then
    assertThat(ups).extracting(Answer::status).containsOnly(200);
    assertThat(downs).extracting(Answer::status).containsOnly(200);
    assertThat(sale.restock("up", 5).status()).isEqualTo(200);
    assertThat(sale.ledger().total()).isEqualTo(12);
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 4})
  void shouldTakeBackOnlyWhatIsUnsold(int buckets) {
    // given
    Sale sale = site.sale().withStock(20).withBuckets(buckets).open();
    String token = sale.order(ALICE, "k1", 3).token();
    sale.pay(token);
    sale.order(ALICE, "k2", 2);

    // when
    Answer tooMuch = sale.restock("too-much", -16);
    Answer all = sale.restock("all", -15);

    // then
    assertThat(tooMuch.status()).isEqualTo(409);
    assertThat(all.status()).isEqualTo(200);
    assertThat(sale.ledger().total()).isEqualTo(5);
    assertThat(sale.ledger().available()).isZero();
    assertThat(sale.order(ALICE, "k3").brief()).isEqualTo("409 sold-out");
  }

  /** Asks again where Redis does not show the change in time. */
  private static Answer decided(Sale sale, String restockId, long qty) {
    return await()
        .atMost(LIMIT.multipliedBy(4))
        .until(() -> sale.restock(restockId, qty), answer -> answer.status() != 503);
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 4})
  void shouldKeepTheSumRightWhenRestockedUnderLoad(int buckets) {
    // given
    Sale sale = site.sale().withStock(500).withBuckets(buckets).open();
    List<Buyer> buyers = Buyer.crowd(2_000);
    Future<List<Answer>> load = site.crowd(64).start(buyers, buyer -> buyOrRegret(sale, buyer));

    // when
    long total = 500;
    int step = 0;
    while (!load.isComplete() || step < 6) {
      long qty = step % 2 == 0 ? 60 : -40;
      Answer restocked = decided(sale, "step-" + step++, qty);
      total += restocked.isYes() ? qty : 0;
      assertThat(restocked.status()).as("%s", restocked).isIn(200, 409);
      assertThat(site.ledger().skusInDisagreement()).isZero();
    }

    // then
    assertThat(Crowd.tally(Crowd.await(load)).keySet())
        .allMatch(brief -> brief.matches("20[012] [A-Z]+|409 sold-out|503 (busy|unavailable)"));
    assertThat(sale.ledger().total()).isEqualTo(total);
    await()
        .atMost(LIMIT)
        .untilAsserted(
            () -> assertThat(site.ledger().orders(sale.skuId())).hasSizeGreaterThan(400));
  }

  // ---- a PUT of another total

  private static Sale of(int buckets, String mode) {
    var sale = site.sale().withStock(20).withBuckets(buckets);
    return mode.equals("direct") ? sale.direct().open() : sale.open();
  }

  private static List<Sale> everywhere(Sale sale) {
    return site.instances().stream().map(sale::at).toList();
  }

  @ParameterizedTest
  @CsvSource({"1, fast", "4, fast", "1, direct", "4, direct"})
  void shouldSellTheTotalOfTheLastPut(int buckets, String mode) {
    // given
    Sale sale = of(buckets, mode);

    // when
    List<Answer> answers = Stream.of(3, 30, 5).map(sale::total).toList();
    Answer again = everywhere(sale).get(1).total(5);

    // then
    assertThat(answers).extracting(Answer::status).containsOnly(200);
    assertThat(answers)
        .extracting(answer -> answer.json().getInteger("total_stock"))
        .containsExactly(3, 30, 5);
    assertThat(answers)
        .extracting(answer -> answer.json().getJsonArray("changed"))
        .containsOnly(new JsonArray().add("total_stock"));
    assertThat(again.json().getJsonArray("changed")).isEmpty();
    List<Buyer> buyers = Buyer.crowd(12);
    List<Answer> orders =
        site.crowd(4).send(buyers.stream().map(each -> order(sale, each)).toList());
    assertThat(Crowd.tally(orders).entrySet())
        .filteredOn(tally -> tally.getKey().startsWith("201"))
        .extracting(Map.Entry::getValue)
        .containsExactly(5L);
    await().atMost(LIMIT).until(() -> sale.ledger().available() == 0);
    String refused = sale.total(4).brief();
    assertThat(List.of(refused, sale.total(6).brief())).containsOnly("409 setting-fixed");
    assertThat(sale.ledger().total()).isEqualTo(5);
  }

  @ParameterizedTest
  @CsvSource({"1, fast", "4, fast", "4, direct"})
  void shouldCountOnceWhenInstancesPutTheSameTotalAtOnce(int buckets, String mode) {
    // given
    Sale sale = of(buckets, mode);
    String tag = sale.look().header("etag");

    // when
    List<Answer> downs =
        site.crowd(8)
            .send(
                Stream.of(null, null, tag, tag)
                    .flatMap(read -> everywhere(sale).stream().map(at -> total(at, 7, read)))
                    .toList());
    Answer down = await().atMost(LIMIT).until(() -> sale.total(7), Answer::isYes);
    Answer stale = sale.total(20, tag);

    // then
    assertThat(Crowd.tally(downs).keySet())
        .allMatch(brief -> brief.matches("200|503 busy|412 changed-since"));
    assertThat(down.json().getInteger("total_stock")).isEqualTo(7);
    assertThat(stale.brief()).isEqualTo("412 changed-since");
    assertThat(sale.ledger().total()).isEqualTo(7);
    assertThat(site.ledger().skusInDisagreement()).isZero();
  }

  @Test
  void shouldKeepARestockUnlessTheCallerHasSeenIt() {
    // given
    Sale sale = of(4, "fast");
    sale.restock("more", 10);

    // when
    Answer old = sale.total(20);
    Answer other = sale.total(25);
    Answer seen = sale.total(20, sale.look().header("etag"));

    // then
    assertThat(old.json().getInteger("total_stock")).isEqualTo(30);
    assertThat(old.json().getJsonArray("changed")).isEmpty();
    assertThat(other.brief()).isEqualTo("409 setting-fixed");
    assertThat(other.json().getString("detail")).contains("30").contains("If-Match");
    assertThat(seen.json().getInteger("total_stock")).isEqualTo(20);
    assertThat(sale.ledger().total()).isEqualTo(20);
  }

  /** What Redis has granted is known to the ledger later; the PUT finds out when it takes units. */
  @ParameterizedTest
  @ValueSource(ints = {1, 4})
  void shouldNeverOversellWhenTheTotalFallsWhileTheyBuy(int buckets) {
    // given
    Sale sale = site.sale().withStock(400).withBuckets(buckets).open();
    Future<List<Answer>> load =
        site.crowd(32).start(Buyer.crowd(600), buyer -> sale.ordering(buyer, "k1", 1));

    // when
    Answer put =
        await()
            .atMost(LIMIT.multipliedBy(4))
            .until(() -> sale.total(50), answer -> answer.status() != 503);
    List<Answer> orders = Crowd.await(load);

    // then
    assertThat(put.status()).as("%s", put).isIn(200, 409);
    assertThat(sale.ledger().total()).isEqualTo(put.isYes() ? 50 : 400);
    // Some may be answered busy, while units move to their bucket.
    long yeses = orders.stream().filter(Answer::isYes).count();
    assertThat(yeses).isPositive().isLessThanOrEqualTo(sale.ledger().total());
    assertThat(site.ledger().skusInDisagreement()).isZero();
  }

  private static Supplier<Future<Answer>> total(Sale sale, long units, String tag) {
    return () -> sale.totaling(units, tag);
  }

  private static Supplier<Future<Answer>> order(Sale sale, Buyer buyer) {
    return () -> sale.ordering(buyer, "k1", 1);
  }

  private static Supplier<Future<Answer>> restock(Sale sale, String id, long qty) {
    return () -> sale.restocking(id, qty);
  }

  /** Every third buyer who gets a unit cancels the order. */
  private static Future<Answer> buyOrRegret(Sale sale, Buyer buyer) {
    Future<Answer> order = sale.ordering(buyer, "k1", 1);
    return order.compose(
        answer ->
            answer.status() == 201 && buyer.userId().hashCode() % 3 == 0
                ? sale.canceling(buyer, answer.token())
                : order);
  }
}
