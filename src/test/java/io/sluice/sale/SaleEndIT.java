package io.sluice.sale;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.sluice.testkit.register.Moves;
import io.sluice.testkit.server.ServerOptions;
import io.sluice.testkit.site.Answer;
import io.sluice.testkit.site.Buyer;
import io.sluice.testkit.site.Call;
import io.sluice.testkit.site.Sale;
import io.sluice.testkit.site.SaleBodies;
import io.sluice.testkit.site.SaleSite;
import io.sluice.testkit.site.SluiceProcess;
import io.vertx.core.json.JsonObject;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** A sale of several SKUs from its beginning to its archive, whatever is away meanwhile. */
class SaleEndIT {
  @RegisterExtension
  static final SaleSite site =
      SaleSite.withInstances(2)
          .withFaults()
          .withServersOfItsOwn(ServerOptions.none())
          .setting("SLUICE_SALE_END_AFTER_S", 5)
          .setting("SLUICE_MYSQL_TIMEOUT_MS", 2_000);

  private static final Duration LIMIT = Duration.ofSeconds(90);
  private static final String ENDING = "sluice_sales_ending";
  private static final String STANDS_S = "sluice_sale_end_stands_seconds";
  private static final Buyer ALICE = Buyer.named("alice");
  private static final Buyer BOB = Buyer.named("bob");

  private final String saleId = "sale-" + site.newSkuId();
  private final List<Long> skus =
      LongStream.range(0, 3).mapToObj(n -> site.newSkuId()).sorted().toList();

  @Test
  void shouldEndAllItsSkusAndGoOnAnsweringUntilItIsArchived() {
    // given
    put();
    List<String> paid = skus.stream().map(sku -> paid(sale(sku))).toList();
    int early = tell("archive").status();

    // when
    Answer begun = tell("end");
    await().atMost(LIMIT).until(() -> tell("end").status() == 200);

    // then
    assertThat(early).isEqualTo(409);
    assertThat(begun.status()).isEqualTo(202);
    assertThat(List.of(tell("open").brief(), tell("freeze").brief(), send(body(null)).brief()))
        .containsOnly("409 ending");
    assertThat(level().getString("state")).isEqualTo("ENDED");
    assertNothingInRedis();
    for (Long sku : skus) {
      assertThat(answered(sku, ALICE)).isEqualTo("200 CONFIRMED");
      assertThat(answered(sku, BOB)).isEqualTo("409 not-open");
    }
    assertThat(sale(skus.get(0)).refund(paid.get(0)).brief()).isEqualTo("200 REFUNDED");
    JsonObject before = view().getJsonObject("totals");
    assertThat(tell("archive").status()).isIn(200, 202);
    await().atMost(LIMIT).until(() -> tell("archive").status() == 200);
    assertThat(view().getString("state")).isEqualTo("ARCHIVED");
    assertThat(view().getJsonObject("states")).isEqualTo(new JsonObject().put("ARCHIVED", 3));
    assertThat(view().getJsonObject("totals")).isEqualTo(before);
    assertThat(sale(skus.get(1)).status(ALICE, paid.get(1)).brief()).isEqualTo("200 CONFIRMED");
    assertThat(sale(skus.get(1)).refund(paid.get(1)).brief()).isEqualTo("409 archived");
  }

  @Test
  void shouldEndByItselfLongAfterItHasClosed() {
    // given
    send(body(Instant.now().plusSeconds(3).truncatedTo(ChronoUnit.MILLIS).toString()));

    // when
    await().atMost(LIMIT).until(() -> view().getString("state").equals("ENDED"));

    // then
    assertThat(view().getJsonObject("states")).isEqualTo(new JsonObject().put("ENDED", 3));
    assertNothingInRedis();
  }

  @Test
  void shouldGoOnAtAnotherInstanceWhenTheOneThatBeganIsKilled() {
    // given
    put();
    Sale last = sale(skus.get(2));
    String held = last.order(ALICE).token();
    SluiceProcess victim = site.instance(1);
    int begun =
        site.http()
            .ask(Call.of("POST", victim.adminUrl() + "/admin/sales/" + saleId + "/end"))
            .status();

    // when
    victim.kill();
    await()
        .atMost(LIMIT)
        .until(() -> view().getJsonObject("states").getInteger("ENDED", 0) == skus.size() - 1);
    String whileHeld = view().getString("state");
    await().atMost(LIMIT).until(() -> last.cancel(ALICE, held).brief().equals("200 CANCELED"));

    // then
    await().atMost(LIMIT).until(() -> view().getString("state").equals("ENDED"));
    assertThat(begun).isEqualTo(202);
    assertThat(whileHeld).isEqualTo("ENDING");
    assertNothingInRedis();
    victim.start().awaitReady();
  }

  @Test
  @Moves({"sluice_sales_ending", "sluice_sale_end_stands_seconds"})
  void shouldShowThatAnEndStandsUntilItsFrozenSkuIsUnfrozen() {
    // given
    put();
    Sale frozen = sale(skus.get(1));
    frozen.freeze();
    double before = MetricsPage.value(site, ENDING);

    // when
    tell("end");

    // then
    await().atMost(LIMIT).until(() -> MetricsPage.value(site, ENDING) > before);
    // It is looked at every 30 s, twice while nothing moves.
    await().atMost(LIMIT.multipliedBy(2)).until(() -> MetricsPage.value(site, STANDS_S) >= 30);
    assertThat(view().getJsonObject("states"))
        .isEqualTo(new JsonObject().put("FROZEN", 1).put("ENDED", 2));
    frozen.unfreeze();
    await().atMost(LIMIT).until(() -> view().getString("state").equals("ENDED"));
    await().atMost(LIMIT).until(() -> MetricsPage.value(site, STANDS_S) == 0);
  }

  @Test
  void shouldGoOnOnceRedisAndTheLedgerAreBack() {
    // given
    put();
    skus.forEach(sku -> paid(sale(sku)));
    site.backends().redis().kill();
    int begun = tell("end").status();
    site.backends().mysql().kill();

    // when
    site.backends().mysql().start();
    site.backends().redis().start();

    // then
    await().atMost(LIMIT).ignoreExceptions().until(() -> view().getString("state").equals("ENDED"));
    assertThat(begun).isEqualTo(202);
    assertNothingInRedis();
    assertThat(answered(skus.get(0), ALICE)).isEqualTo("200 CONFIRMED");
  }

  // ---- shorthand

  private static Sale sale(long sku) {
    return site.known(sku);
  }

  private static String paid(Sale sale) {
    String token = sale.order(ALICE).token();
    assertThat(sale.pay(token).brief()).isEqualTo("200 CONFIRMED");
    return token;
  }

  private static String answered(long sku, Buyer buyer) {
    return await()
        .atMost(LIMIT)
        .until(() -> sale(sku).order(buyer).brief(), answer -> !answer.startsWith("503"));
  }

  private void assertNothingInRedis() {
    await()
        .atMost(LIMIT)
        .until(() -> skus.stream().allMatch(sku -> site.stock().keysOf(sku).isEmpty()));
  }

  private JsonObject body(String closesAt) {
    return SaleBodies.of(
            "Singles' day", skus, new JsonObject().put("total_stock", 10).put("buckets", 2))
        .put("closes_at", closesAt)
        .put("payment_window_s", 3_600);
  }

  private void put() {
    await()
        .atMost(LIMIT)
        .until(() -> send(body(null)).status(), status -> status == 200 || status == 201);
  }

  private Answer send(JsonObject body) {
    return site.http().ask(Call.of("PUT", path()).json(body));
  }

  private Answer tell(String what) {
    return site.http().ask(Call.of("POST", path() + "/" + what));
  }

  private JsonObject view() {
    return site.http().ask(Call.get(path())).json();
  }

  private String path() {
    return site.instance(0).adminUrl() + "/admin/sales/" + saleId;
  }

  private JsonObject level() {
    return site.http().ask(Call.get(site.instance(1).url() + "/v1/sales/" + saleId)).json();
  }
}
