package io.sluice.sale;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.sluice.testkit.site.Answer;
import io.sluice.testkit.site.Buyer;
import io.sluice.testkit.site.Sale;
import io.sluice.testkit.site.SaleSite;
import io.sluice.testkit.site.SluiceProcess;
import io.vertx.core.json.JsonObject;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** The answers to a request for a unit: a grant, or a refusal with its reason. */
class GrantIT {
  @RegisterExtension static final SaleSite site = SaleSite.withInstances(2);

  private static final Buyer ALICE = Buyer.named("alice");
  private static final Buyer BOB = Buyer.named("bob");
  private static final Duration LIMIT = Duration.ofSeconds(30);

  private static final String TIME = "\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d\\.\\d{3}Z";

  @Test
  void shouldGrantWhenAUnitIsFree() {
    // given
    Sale sale = site.sale().withStock(3).withPaymentWindow(Duration.ofMinutes(10)).open();

    // when
    Answer answer = sale.order(ALICE, "k1", 2);

    // then
    JsonObject order = answer.json();
    assertThat(answer.status()).as("%s", answer).isEqualTo(201);
    assertThat(answer.contentType()).isEqualTo("application/json");
    assertThat(order.getString("order_token")).matches(sale.skuId() + "\\.0\\.[A-Za-z0-9_-]{22}");
    assertThat(order.getLong("sku_id")).isEqualTo(sale.skuId());
    assertThat(order.getInteger("qty")).isEqualTo(2);
    assertThat(order.getLong("seq")).isEqualTo(2);
    assertThat(order.getString("status")).isEqualTo("RESERVED");
    assertThat(order.getString("pay_before")).matches(TIME);
    assertThat(Instant.parse(order.getString("pay_before")))
        .isBetween(Instant.now().plusSeconds(570), Instant.now().plusSeconds(630));
  }

  @Test
  void shouldAnswerTheSameOrderWhenTheRequestIsRepeated() {
    // given
    Sale sale = site.sale().withStock(1).open();
    Answer first = sale.at(site.instance(0)).order(ALICE, "k1");

    // when
    Answer again = sale.at(site.instance(0)).order(ALICE, "k1");
    Answer elsewhere = sale.at(site.instance(1)).order(ALICE, "k1");

    // then
    assertThat(first.status()).as("%s", first).isEqualTo(201);
    assertThat(again.status()).as("%s", again).isEqualTo(200);
    assertThat(elsewhere.status()).as("%s", elsewhere).isEqualTo(200);
    assertThat(again.json().fieldNames()).isEqualTo(first.json().fieldNames());
    assertSameOrder(again, first);
    assertSameOrder(elsewhere, first);
  }

  @Test
  void shouldAnswerTheSameOrderWhenInstancesWereRestarted() {
    // given
    Sale sale = site.sale().withStock(2).open();
    Answer first = sale.at(site.instance(0)).order(ALICE, "k1");

    for (SluiceProcess instance : site.instances()) {
      // when
      instance.restart();

      // then
      Answer again = sale.at(instance).order(ALICE, "k1");
      assertThat(again.status()).as("%s", again).isEqualTo(200);
      assertSameOrder(again, first);
    }
  }

  @Test
  void shouldKnowOneOrderPerBuyerWhenNoKeyIsSent() {
    // given
    Sale sale = site.sale().withStock(5).open();
    Answer first = sale.order(ALICE);

    // when
    Answer again = sale.order(ALICE);
    Answer keyed = sale.order(ALICE, "k1");
    Answer other = sale.order(BOB);

    // then
    assertThat(again.status()).as("%s", again).isEqualTo(200);
    assertSameOrder(again, first);
    assertThat(keyed.status()).as("%s", keyed).isEqualTo(201);
    assertThat(other.status()).as("%s", other).isEqualTo(201);
    assertThat(first.token()).isNotIn(keyed.token(), other.token());
    assertThat(keyed.token()).isNotEqualTo(other.token());
  }

  @Test
  void shouldRefuseUntilTheSaleOpens() {
    // given
    Sale sale = site.sale().withStock(1).opensAt(Instant.now().plusMillis(1_500)).open();

    // when
    Answer early = sale.order(ALICE, "k1");

    // then
    assertThat(early.brief()).isEqualTo("409 not-open");
    assertThat(sale.level().json().getString("state")).isEqualTo("SCHEDULED");
    await().atMost(LIMIT).until(() -> sale.order(ALICE, "k1").status() == 201);
  }

  @Test
  void shouldRefuseOnceTheSaleHasClosed() {
    // given
    Sale timed = site.sale().withStock(5).closesAt(Instant.now().minusSeconds(1)).open();
    Sale closed = site.sale().withStock(5).open();
    Answer alices = closed.order(ALICE, "k1");
    closed.close();

    // when
    Answer late = timed.order(ALICE, "k1");
    Answer afterClose = closed.order(BOB, "k1");
    Answer holder = closed.order(ALICE, "k1");

    // then
    assertThat(late.brief()).isEqualTo("409 not-open");
    assertThat(afterClose.brief()).isEqualTo("409 not-open");
    assertThat(holder.status()).as("%s", holder).isEqualTo(200);
    assertSameOrder(holder, alices);
    assertThat(closed.reopen().isYes()).isTrue();
    assertThat(closed.order(BOB, "k1").status()).isEqualTo(201);
  }

  @Test
  void shouldAnswerBusyWhileFrozen() {
    // given
    Sale sale = site.sale().withStock(5).open();
    Answer alices = sale.order(ALICE, "k1");
    sale.freeze();

    // when
    Answer frozen = sale.order(BOB, "k1");
    Answer holder = sale.order(ALICE, "k1");

    // then
    assertThat(frozen.brief()).isEqualTo("503 busy");
    assertThat(Integer.parseInt(frozen.header("retry-after"))).isPositive();
    assertThat(holder.status()).as("%s", holder).isEqualTo(200);
    assertSameOrder(holder, alices);
    assertThat(sale.unfreeze().isYes()).isTrue();
    assertThat(sale.order(BOB, "k1").status()).isEqualTo(201);
  }

  @Test
  void shouldRefuseWhenTheOrderOfThatKeyHasEnded() {
    // given
    Sale sale = site.sale().withStock(1).open();
    Answer alices = sale.order(ALICE, "k1");
    sale.cancel(ALICE, alices.token());

    // when
    await().atMost(LIMIT).until(() -> sale.order(BOB, "k1").status() == 201);
    Answer again = sale.order(ALICE, "k1");

    // then
    assertThat(again.brief()).isEqualTo("409 order-ended");
  }

  @Test
  void shouldConfirmOnBookingWhenThereIsNothingToPay() {
    // given
    Sale sale = site.sale().withStock(2).withPaymentWindow(Duration.ZERO).open();

    // when
    Answer order = sale.order(ALICE, "k1");

    // then
    assertThat(order.brief()).isEqualTo("201 RESERVED");
    await()
        .atMost(LIMIT)
        .until(() -> sale.status(ALICE, order.token()).brief().equals("200 CONFIRMED"));
    assertThat(sale.order(ALICE, "k1").brief()).isEqualTo("200 CONFIRMED");
  }

  @Test
  void shouldGrantTheRefusedRequestWhenThereAreUnitsAgain() {
    // given
    Sale sale = site.sale().withStock(1).withLimit(1).open();
    Answer alices = sale.order(ALICE, "k1");
    Answer soldOut = sale.order(BOB, "k1");
    sale.restock("more", 5);
    Answer limited = sale.order(ALICE, "k2");
    sale.cancel(ALICE, alices.token());

    // when
    Answer bobs =
        await().atMost(LIMIT).until(() -> sale.order(BOB, "k1"), answer -> answer.status() != 409);

    // then
    assertThat(soldOut.brief()).isEqualTo("409 sold-out");
    assertThat(limited.brief()).isEqualTo("409 limit-reached");
    assertThat(bobs.status()).as("%s", bobs).isEqualTo(201);
    await().atMost(LIMIT).until(() -> sale.order(ALICE, "k2").status() == 201);
  }

  @Test
  void shouldSayRoughlyHowMuchIsLeft() {
    // given
    Sale sale = site.sale().withStock(100).open();

    // when
    String plenty = sale.level().json().getString("level");
    sale.order(ALICE, "k1", 80);

    // then
    assertThat(plenty).isEqualTo("PLENTY");
    awaitLevel(sale, "LOW");
    sale.order(ALICE, "k2", 15);
    awaitLevel(sale, "LAST");
    sale.order(ALICE, "k3", 5);
    awaitLevel(sale, "SOLD_OUT");
  }

  private static void awaitLevel(Sale sale, String level) {
    await()
        .atMost(LIMIT)
        .untilAsserted(() -> assertThat(sale.level().json().getString("level")).isEqualTo(level));
  }

  private static void assertSameOrder(Answer answer, Answer first) {
    for (String field : new String[] {"order_token", "sku_id", "qty", "seq", "pay_before"}) {
      assertThat(answer.json().getValue(field)).as(field).isEqualTo(first.json().getValue(field));
    }
  }
}
