package io.sluice.sale;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.sluice.testkit.site.Answer;
import io.sluice.testkit.site.Buyer;
import io.sluice.testkit.site.Call;
import io.sluice.testkit.site.SaleSite;
import io.vertx.core.json.JsonObject;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** A sale of several SKUs from its beginning to its archive. */
class SaleEndIT {
  @RegisterExtension
  static final SaleSite site = SaleSite.withInstances(2).setting("SLUICE_SALE_END_AFTER_S", 5);

  private static final Duration LIMIT = Duration.ofSeconds(90);
  private static final Buyer ALICE = Buyer.named("alice");
  private static final Buyer BOB = Buyer.named("bob");

  private final SaleToEnd sale = new SaleToEnd(site);
  private final List<Long> skus = sale.skus();
  private final Endings endings = new Endings(site, LIMIT);

  @Test
  void shouldEndAllItsSkusAndGoOnAnsweringUntilItIsArchived() {
    // given
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
    assertThat(level().getString("state")).isEqualTo("ENDED");
    assertNothingInRedis();
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

  @Test
  void shouldEndByItselfLongAfterItHasClosed() {
    // given
    sale.send(sale.body(Instant.now().plusSeconds(3).truncatedTo(ChronoUnit.MILLIS).toString()));

    // when
    await().atMost(LIMIT).until(() -> sale.view().getString("state").equals("ENDED"));

    // then
    assertThat(sale.view().getJsonObject("states")).isEqualTo(new JsonObject().put("ENDED", 3));
    assertNothingInRedis();
  }

  // ---- shorthand

  private void assertNothingInRedis() {
    skus.forEach(endings::awaitGone);
  }

  private JsonObject level() {
    return site.http().ask(Call.get(site.instance(1).url() + "/v1/sales/" + sale.id())).json();
  }
}
