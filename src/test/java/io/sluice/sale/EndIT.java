package io.sluice.sale;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.sluice.testkit.site.Answer;
import io.sluice.testkit.site.Buyer;
import io.sluice.testkit.site.Call;
import io.sluice.testkit.site.Sale;
import io.sluice.testkit.site.SaleSite;
import io.vertx.core.json.JsonObject;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** What a sale took, it gives back. */
class EndIT {
  @RegisterExtension static final SaleSite site = SaleSite.withInstances(2);

  private static final Duration LIMIT = Duration.ofSeconds(90);
  private static final int TOKEN_BYTES = 16;
  private static final Buyer ALICE = Buyer.named("alice");
  private static final Buyer BOB = Buyer.named("bob");
  private static final Buyer CAROL = Buyer.named("carol");

  private final Endings endings = new Endings(site, LIMIT);

  private static String canceled(Sale sale, Buyer buyer) {
    String token = sale.order(buyer).token();
    assertThat(sale.cancel(buyer, token).brief()).isEqualTo("200 CANCELED");
    return token;
  }

  private static String nobodys(Sale sale) {
    return sale.skuId()
        + ".0."
        + Base64.getUrlEncoder().withoutPadding().encodeToString(new byte[TOKEN_BYTES]);
  }

  @Test
  void shouldLeaveNothingInRedisAndGoOnAnswering() {
    // given
    Sale sale = endings.opened();
    String paid = endings.paid(sale, ALICE);
    canceled(sale, BOB);
    Sale elsewhere = sale.at(site.instance(1));

    // when
    int begun = sale.end().status();
    endings.awaitEnded(sale);

    // then
    assertThat(begun).isEqualTo(202);
    for (Sale at : List.of(sale, elsewhere)) {
      assertThat(endings.answered(at, ALICE)).isEqualTo("200 CONFIRMED");
      assertThat(endings.answered(at, BOB)).isEqualTo("409 order-ended");
      assertThat(endings.answered(at, CAROL)).isEqualTo("409 not-open");
      assertThat(at.status(ALICE, paid).brief()).isEqualTo("200 CONFIRMED");
      assertThat(at.status(nobodys(sale)).brief()).isEqualTo("404 unknown-order");
    }
    assertThat(sale.level().json().getString("state")).isEqualTo("ENDED");
    assertThat(sale.refund(paid).brief()).isEqualTo("200 REFUNDED");
    assertThat(elsewhere.order(ALICE).brief()).isEqualTo("409 order-ended");
    assertThat(site.stock().keysOf(sale.skuId())).isEmpty();
    await()
        .atMost(LIMIT)
        .until(
            () ->
                site.ledger()
                    .query(
                        "SELECT 1 FROM outbox WHERE kind IN ('RELEASE', 'RESTOCK') AND status ="
                            + " 'PENDING'",
                        row -> row)
                    .isEmpty());
  }

  /** On the first request after the end, before any instance has read the SKU again. */
  @Test
  void shouldSayThatThereIsNoSuchOrderWhenRedisHasNothingOfTheSku() {
    // given
    Sale sale = endings.opened();
    sale.at(site.instance(1)).status(nobodys(sale));
    endings.awaitEnded(sale);

    // when
    String answer = sale.at(site.instance(1)).status(nobodys(sale)).brief();

    // then
    assertThat(answer).isEqualTo("404 unknown-order");
  }

  @Test
  void shouldTakeNoChangeOnceItEnds() {
    // given
    Sale sale = endings.opened();
    sale.order(ALICE);

    // when
    sale.end();

    // then
    assertThat(sale.reopen().brief()).isEqualTo("409 ending");
    assertThat(sale.close().brief()).isEqualTo("409 ending");
    assertThat(sale.freeze().brief()).isEqualTo("409 ending");
    assertThat(sale.restock("r1", 5).brief()).isEqualTo("409 ending");
    assertThat(sale.put(new JsonObject().put("payment_window_s", 77)).brief())
        .isEqualTo("409 ending");
    assertThat(endings.answered(sale, CAROL)).isEqualTo("409 not-open");
    assertThat(sale.order(ALICE).brief()).startsWith("200");
  }

  @Test
  void shouldEndOnceTheLastOrderHasEnded() {
    // given
    Sale sale = endings.opened();
    String token = sale.order(ALICE).token();
    sale.end();
    int held = sale.end().status();

    // when
    sale.cancel(ALICE, token);

    // then
    endings.awaitEnded(sale);
    assertThat(held).isEqualTo(202);
    assertThat(endings.answered(sale, ALICE)).isEqualTo("409 order-ended");
  }

  @Test
  void shouldEndAllSkusOfASaleAndGoOnAnsweringUntilItIsArchived() {
    // given
    SaleToEnd sale = new SaleToEnd(site);
    List<Long> skus = sale.skus();
    sale.put();
    List<String> paid = skus.stream().map(sku -> endings.paid(site.known(sku), ALICE)).toList();
    int early = sale.tell("archive").status();

    // when
    Answer begun = sale.tell("end");
    await().atMost(LIMIT).until(() -> sale.tell("end").status() == 200);

    // then
    assertThat(early).isEqualTo(409);
    assertThat(begun.status()).isEqualTo(202);
    assertThat(
            List.of(
                sale.tell("open").brief(),
                sale.tell("freeze").brief(),
                sale.send(sale.body(null)).brief()))
        .containsOnly("409 ending");
    Call level = Call.get(site.instance(1).url() + "/v1/sales/" + sale.id());
    assertThat(site.http().ask(level).json().getString("state")).isEqualTo("ENDED");
    skus.forEach(endings::awaitGone);
    for (Long sku : skus) {
      assertThat(endings.answered(site.known(sku), ALICE)).isEqualTo("200 CONFIRMED");
      assertThat(endings.answered(site.known(sku), BOB)).isEqualTo("409 not-open");
    }
    assertThat(site.known(skus.get(0)).refund(paid.get(0)).brief()).isEqualTo("200 REFUNDED");
    JsonObject before = sale.view().getJsonObject("totals");
    assertThat(sale.tell("archive").status()).isIn(200, 202);
    await().atMost(LIMIT).until(() -> sale.tell("archive").status() == 200);
    assertThat(sale.view().getString("state")).isEqualTo("ARCHIVED");
    assertThat(sale.view().getJsonObject("states")).isEqualTo(new JsonObject().put("ARCHIVED", 3));
    assertThat(sale.view().getJsonObject("totals")).isEqualTo(before);
    assertThat(site.known(skus.get(1)).status(ALICE, paid.get(1)).brief())
        .isEqualTo("200 CONFIRMED");
    assertThat(site.known(skus.get(1)).refund(paid.get(1)).brief()).isEqualTo("409 archived");
  }
}
