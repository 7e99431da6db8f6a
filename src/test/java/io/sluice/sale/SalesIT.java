package io.sluice.sale;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.sluice.Main;
import io.sluice.testkit.process.ChildJvm;
import io.sluice.testkit.site.Answer;
import io.sluice.testkit.site.Buyer;
import io.sluice.testkit.site.Call;
import io.sluice.testkit.site.Sale;
import io.sluice.testkit.site.SaleBodies;
import io.sluice.testkit.site.SaleSite;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Sales on real servers: what operators do with them, and what buyers notice. */
class SalesIT {
  @RegisterExtension static final SaleSite site = SaleSite.withInstances(2);

  private static final Buyer ALICE = Buyer.named("alice");
  private static final Buyer BOB = Buyer.named("bob");
  private static final String FAR = "2999-12-01T10:00:00.000Z";
  private static final Duration SHOWN_WITHIN = Duration.ofSeconds(60);

  @TempDir static Path folder;

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
    Answer alone = site.desk("POST", "/admin/skus/" + skus.get(0) + "/unfreeze");
    Answer barred = tell("open");
    tell("unfreeze");

    // then
    assertThat(frozen.brief()).isEqualTo("503 busy");
    assertThat(alone.brief()).isEqualTo("409 in-sale");
    assertThat(barred.brief()).isEqualTo("409 sale-frozen");
    assertThat(order(skus.get(0)).status()).isEqualTo(201);
  }

  @ParameterizedTest
  @ValueSource(strings = {"skus", "sales"})
  void shouldOpenByTheTimesOfTheSaleWhenOpenedAheadAndClosedAndFollowingAgain(String kind) {
    // given
    List<Long> skus = newSkus(2);
    put(body(FAR, skus, 2));
    String early = "/admin/" + kind + "/" + (kind.equals("skus") ? skus.get(0) : saleId);
    site.desk("POST", early + "/open");
    Answer ahead = order(skus.get(0), "ahead");
    site.desk("POST", early + "/close");

    // when
    Answer follows = site.desk("POST", early + "/follow");
    Answer notYet = order(skus.get(0), "early");
    JsonObject states = site.desk("GET", "/admin/sales/" + saleId).json().getJsonObject("states");

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
        site.desk(
            "PUT",
            "/admin/skus/" + skus.get(0),
            new JsonObject().put("total_stock", 10).put("limit_per_user", 3));
    Answer view = site.desk("GET", "/admin/sales/" + saleId);

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

  private Answer put(JsonObject body) {
    return site.putSale(saleId, body);
  }

  private Answer send(JsonObject body) {
    return site.desk("PUT", "/admin/sales/" + saleId, body);
  }

  /** Changes the state, again until Redis shows it. */
  private Answer tell(String what) {
    return await()
        .atMost(SHOWN_WITHIN)
        .until(
            () -> site.desk("POST", "/admin/sales/" + saleId + "/" + what),
            answer -> answer.status() != 202);
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

  @Test
  void shouldListTheOrdersOfEachSaleBeforeAndAfterTheArchive() {
    // given
    Sale again = site.known(site.newSkuId());
    Sale stays = site.known(site.newSkuId());
    String first = saleId;
    String second = saleId + "-next";
    site.putSale(first, body(null, List.of(again.skuId(), stays.skuId()), 2));
    List<String> old = new ArrayList<>();
    for (Sale sku : List.of(again, stays)) {
      String paid = bought(sku, ALICE, old);
      assertThat(sku.pay(paid).brief()).isEqualTo("200 CONFIRMED");
      String canceled = bought(sku, BOB, old);
      sku.cancel(BOB, canceled);
      old.addAll(List.of(paid, canceled));
    }
    site.awaitReady();
    reach(first, "/end", "ENDED");
    areListed(first, old);

    // when
    site.putSale(second, body(null, List.of(again.skuId()), 2));
    String now = bought(again, ALICE, old);
    assertThat(again.pay(now).brief()).isEqualTo("200 CONFIRMED");

    // then
    areListed(first, old);
    areListed(second, List.of(now));
    List<JsonObject> before = exported(first);

    // when
    reach(first, "/archive", "ARCHIVED");

    // then
    areListed(first, old);
    areListed(second, List.of(now));
    assertThat(exported(first)).isEqualTo(before);
    assertThat(paged(first, 2)).hasSize(4);
    String filtered = "/admin/orders?status=CANCELED&user_id=bob&sale_id=" + first;
    assertThat(site.desk("GET", filtered).json().getJsonArray("orders")).hasSize(2);
    assertThat(site.desk("GET", "/admin/orders?sale_id=no-such").brief())
        .isEqualTo("404 unknown-sale");
  }

  @Test
  void shouldBeRunFromTheCommandLine() throws Exception {
    // given
    long sku = site.newSkuId();
    Path file = Files.writeString(folder.resolve("sale"), body(FAR, List.of(sku), 2).encode());
    String[] restock = {"restock-sku", "" + sku, "--restock-id", "r1", "-o", "json", "--qty"};

    // when
    String created = admin(0, "put-sale", saleId, "--body", "" + file);
    String opened = admin(0, "open-sale", saleId);
    await().atMost(SHOWN_WITHIN).until(() -> order(sku).status() == 201);
    String more =
        admin(0, Stream.concat(Stream.of(restock), Stream.of("5")).toArray(String[]::new));
    String other =
        admin(1, Stream.concat(Stream.of(restock), Stream.of("6")).toArray(String[]::new));
    String shown = admin(0, "get-sale", saleId);

    // then
    assertThat(created).contains("state: ", "SCHEDULED", "created");
    assertThat(opened).contains("OPEN");
    assertThat(new JsonObject(more.lines().findFirst().orElseThrow()).getLong("total_stock"))
        .isEqualTo(15);
    assertThat(other).contains("key-mismatch");
    assertThat(shown).containsPattern("totals.allotted: +15");
  }

  /** Runs the program, whose exit code is to be this one; what it prints. */
  private static String admin(int code, String... words) throws InterruptedException {
    List<String> all = new ArrayList<>(List.of(words));
    all.addAll(0, List.of("admin", "--url", site.instance(0).adminUrl()));
    try (ChildJvm child = ChildJvm.start("admin", List.of(), Main.class, all)) {
      int ended = child.process().waitFor();
      assertThat(ended).as("%s", child.output()).isEqualTo(code);
      return child.output();
    }
  }

  /** The instance may not have heard of the next sale yet: busy, or the answer of the old one. */
  private static String bought(Sale sku, Buyer buyer, List<String> before) {
    return await()
        .atMost(SHOWN_WITHIN)
        .until(
            () -> {
              Answer answer = sku.order(buyer);
              return answer.status() == 201 || answer.status() == 200 ? answer.token() : "";
            },
            token -> !token.isEmpty() && !before.contains(token));
  }

  private static void reach(String saleId, String call, String state) {
    await()
        .atMost(SHOWN_WITHIN)
        .until(
            () ->
                site.desk("POST", "/admin/sales/" + saleId + call)
                    .json()
                    .getString("state")
                    .equals(state));
  }

  private static List<String> paged(String saleId, int limit) {
    List<String> tokens = new ArrayList<>();
    String after = "";
    for (int pages = 0; pages < 100; pages++) {
      String path = "/admin/orders?sale_id=" + saleId + "&limit=" + limit + after;
      JsonObject page = site.desk("GET", path).json();
      assertThat(page.getJsonArray("orders").size()).isLessThanOrEqualTo(limit);
      page.getJsonArray("orders")
          .forEach(order -> tokens.add(((JsonObject) order).getString("order_token")));
      if (page.getString("next") == null) {
        return tokens;
      }
      after = "&after=" + page.getString("next");
    }
    throw new AssertionError("Expected an end, but got " + tokens);
  }

  private static List<JsonObject> exported(String saleId) {
    return site.desk("GET", "/admin/orders?format=ndjson&sale_id=" + saleId)
        .body()
        .lines()
        .map(JsonObject::new)
        .toList();
  }

  private static void areListed(String saleId, List<String> tokens) {
    List<JsonObject> lines = exported(saleId);
    List<String> listed = lines.stream().map(line -> line.getString("order_token")).toList();
    assertThat(listed).containsExactlyInAnyOrderElementsOf(tokens);
    assertThat(lines).extracting(line -> line.getLong("sku_id")).isSorted();
    for (int limit = 1; limit <= 3; limit++) {
      assertThat(paged(saleId, limit)).as("pages of %d", limit).isEqualTo(listed);
    }
  }
}
