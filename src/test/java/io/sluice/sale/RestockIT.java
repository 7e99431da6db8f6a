package io.sluice.sale;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.sluice.testkit.site.Answer;
import io.sluice.testkit.site.Buyer;
import io.sluice.testkit.site.Crowd;
import io.sluice.testkit.site.Sale;
import io.sluice.testkit.site.SaleSite;
import io.vertx.core.Future;
import java.time.Duration;
import java.util.List;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
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
