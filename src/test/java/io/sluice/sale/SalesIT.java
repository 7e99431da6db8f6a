package io.sluice.sale;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.sluice.testkit.site.Answer;
import io.sluice.testkit.site.Buyer;
import io.sluice.testkit.site.Call;
import io.sluice.testkit.site.SaleBodies;
import io.sluice.testkit.site.SaleSite;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Sales on real servers: what operators do with them, and what buyers notice. */
class SalesIT {
  @RegisterExtension static final SaleSite site = SaleSite.withInstances(2);

  private static final Buyer ALICE = Buyer.named("alice");
  private static final String FAR = "2999-12-01T10:00:00.000Z";
  private static final Duration SHOWN_WITHIN = Duration.ofSeconds(60);

  private final String saleId = "sale-" + site.newSkuId();

  @Test
  void shouldSellAllSkusFromTheOpeningOfTheSaleOn() {
    // given
    List<Long> skus = newSkus(3);
    Answer created = put(body(FAR, skus, 2));

    // when
    Answer before = order(skus.get(0));
    Answer opened = tell("open");
    List<Integer> sold = skus.stream().map(sku -> order(sku).status()).toList();
    Answer closed = tell("close");
    Answer after = order(skus.get(2), "another");

    // then
    assertThat(created.json().getString("state")).isEqualTo("SCHEDULED");
    assertThat(before.brief()).isEqualTo("409 not-open");
    assertThat(opened.json().getString("state")).isEqualTo("OPEN");
    assertThat(sold).containsOnly(201);
    assertThat(closed.json().getString("state")).isEqualTo("CLOSED");
    assertThat(after.brief()).isEqualTo("409 not-open");
    assertThat(level().json().getString("state")).isEqualTo("CLOSED");
  }

  @Test
  void shouldStopAndGoOnWhenTheSaleIsFrozenAndUnfrozen() {
    // given
    List<Long> skus = newSkus(2);
    put(body(null, skus, 1));

    // when
    tell("freeze");
    Answer frozen = order(skus.get(0));
    Answer alone = desk("POST", "/admin/skus/" + skus.get(0) + "/unfreeze", null);
    Answer barred = tell("open");
    tell("unfreeze");

    // then
    assertThat(frozen.brief()).isEqualTo("503 busy");
    assertThat(alone.brief()).isEqualTo("409 in-sale");
    assertThat(barred.brief()).isEqualTo("409 sale-frozen");
    assertThat(order(skus.get(0)).status()).isEqualTo(201);
  }

  @Test
  void shouldSellASkuWithItsSaleWhenItWasOpenedAheadAndClosedAndFollows() {
    // given
    List<Long> skus = newSkus(2);
    put(body(FAR, skus, 2));
    String early = "/admin/skus/" + skus.get(0);
    desk("POST", early + "/open", null);
    Answer ahead = order(skus.get(0), "ahead");
    desk("POST", early + "/close", null);

    // when
    Answer follows = desk("POST", early + "/follow", null);
    Answer notYet = order(skus.get(0), "early");
    JsonObject states = desk("GET", "/admin/sales/" + saleId, null).json().getJsonObject("states");

    // then
    assertThat(ahead.status()).isEqualTo(201);
    assertThat(follows.status()).isEqualTo(200);
    assertThat(follows.json().getString("state")).isEqualTo("SCHEDULED");
    assertThat(notYet.brief()).isEqualTo("409 not-open");
    assertThat(states).isEqualTo(new JsonObject().put("SCHEDULED", 2));
  }

  @Test
  void shouldOpenByItsTimesWhenASaleWasOpenedAheadAndClosedAndFollows() {
    // given
    List<Long> skus = newSkus(2);
    put(body(FAR, skus, 2));
    String sale = "/admin/sales/" + saleId;
    desk("POST", sale + "/open", null);
    Answer ahead = order(skus.get(1), "ahead");
    desk("POST", sale + "/close", null);

    // when
    Answer follows = desk("POST", sale + "/follow", null);
    Answer notYet = order(skus.get(0), "early");
    JsonObject states = desk("GET", sale, null).json().getJsonObject("states");

    // then
    assertThat(ahead.status()).isEqualTo(201);
    assertThat(follows.status()).isEqualTo(200);
    assertThat(follows.json().getString("state")).isEqualTo("SCHEDULED");
    assertThat(notYet.brief()).isEqualTo("409 not-open");
    assertThat(states).isEqualTo(new JsonObject().put("SCHEDULED", 2));
  }

  @Test
  void shouldAddSkusAndRefuseThoseInUseWhenPutAgain() {
    // given
    List<Long> skus = newSkus(3);
    put(body(null, skus.subList(0, 1), 1));
    site.sale(skus.get(2)).withStock(5).open();

    // when
    Answer more = put(body(null, skus.subList(1, 2), 1));
    Answer refused = send(body(null, skus.subList(1, 3), 1));
    Answer ownPut =
        desk(
            "PUT",
            "/admin/skus/" + skus.get(0),
            new JsonObject().put("total_stock", 10).put("limit_per_user", 3));
    Answer view = desk("GET", "/admin/sales/" + saleId, null);

    // then
    assertThat(more.status()).isEqualTo(200);
    assertThat(refused.brief()).isEqualTo("409 in-use");
    assertThat(refused.json().getString("field")).isEqualTo("skus[1].sku_id");
    assertThat(ownPut.brief()).isEqualTo("409 in-sale");
    assertThat(view.json().getInteger("sku_count")).isEqualTo(2);
    assertThat(view.json().getInteger("behind")).isZero();
    assertThat(view.json().getJsonObject("totals").getLong("available")).isEqualTo(20);
  }

  @Test
  void shouldKeepSkusTogetherWhenTheyMayShareCarts() {
    // given
    List<Long> skus = newSkus(8);

    // when
    put(body(null, skus, 4).put("carts", true));

    // then
    assertThat(
            skus.stream()
                .flatMap(
                    sku -> IntStream.range(0, 4).mapToObj(n -> site.ledger().partition(sku, n)))
                .distinct())
        .hasSize(1);
    assertThat(skus.stream().map(sku -> order(sku).status())).containsOnly(201);
  }

  @Test
  void shouldShowBuyersTheLevelsByTheWatermarksOfTheSale() {
    // given
    List<Long> skus = newSkus(2);
    JsonObject body = body(null, skus, 1);
    body.getJsonArray("skus").getJsonObject(0).put("low_percent", 100).put("last_percent", 100);
    put(body);

    // when
    Answer answer = level();

    // then
    assertThat(answer.header("cache-control")).isEqualTo("public, max-age=1");
    assertThat(answer.json().getJsonArray("skus"))
        .isEqualTo(
            new JsonArray().add(level(skus.get(0), "LAST")).add(level(skus.get(1), "PLENTY")));
  }

  private static JsonObject level(long skuId, String level) {
    return new JsonObject().put("sku_id", skuId).put("state", "OPEN").put("level", level);
  }

  // ---- shorthand

  private static List<Long> newSkus(int count) {
    return LongStream.range(0, count).mapToObj(n -> site.newSkuId()).sorted().toList();
  }

  /** SKUs of ten units. */
  private static JsonObject body(String opensAt, List<Long> skus, int buckets) {
    JsonObject terms = new JsonObject().put("total_stock", 10).put("buckets", buckets);
    return SaleBodies.of("Singles' day", skus, terms).put("opens_at", opensAt);
  }

  /** Puts the sale, again until Redis shows it. */
  private Answer put(JsonObject body) {
    return await().atMost(SHOWN_WITHIN).until(() -> send(body), answer -> answer.status() != 202);
  }

  private Answer send(JsonObject body) {
    return desk("PUT", "/admin/sales/" + saleId, body);
  }

  /** Changes the state, again until Redis shows it. */
  private Answer tell(String what) {
    return await()
        .atMost(SHOWN_WITHIN)
        .until(
            () -> desk("POST", "/admin/sales/" + saleId + "/" + what, null),
            answer -> answer.status() != 202);
  }

  private static Answer desk(String method, String path, JsonObject body) {
    Call call = Call.of(method, site.instance(0).adminUrl() + path);
    return site.http().ask(body == null ? call : call.json(body));
  }

  private Answer level() {
    return site.http().ask(Call.get(site.instance(1).url() + "/v1/sales/" + saleId));
  }

  private static Answer order(long skuId) {
    return order(skuId, "k");
  }

  private static Answer order(long skuId, String key) {
    return site.known(skuId).order(ALICE, key);
  }
}
