package io.sluice.sale;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.sluice.testkit.site.Answer;
import io.sluice.testkit.site.Buyer;
import io.sluice.testkit.site.Call;
import io.sluice.testkit.site.Sale;
import io.sluice.testkit.site.SaleBodies;
import io.sluice.testkit.site.SaleSite;
import io.vertx.core.json.JsonObject;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Operators list the orders of a sale, one of whose SKUs is in a later one. */
class OrdersOfSaleIT {
  @RegisterExtension static final SaleSite site = SaleSite.withInstances(1);

  private static final Duration LIMIT = Duration.ofSeconds(60);
  private static final Buyer ALICE = Buyer.named("alice");
  private static final Buyer BOB = Buyer.named("bob");

  private final Sale again = site.known(site.newSkuId());
  private final Sale stays = site.known(site.newSkuId());
  private final String first = "spring-" + again.skuId();
  private final String second = "summer-" + again.skuId();

  private static Answer desk(String method, String path, JsonObject body) {
    Call call = Call.of(method, site.instance(0).adminUrl() + path);
    return site.http().ask(body == null ? call : call.json(body));
  }

  private static void put(String saleId, Sale... skus) {
    JsonObject terms =
        new JsonObject().put("total_stock", 10).put("limit_per_user", 1).put("buckets", 2);
    List<Long> ids = Stream.of(skus).map(Sale::skuId).toList();
    JsonObject body = SaleBodies.of("shoes", ids, terms);
    await()
        .atMost(LIMIT)
        .until(
            () -> desk("PUT", "/admin/sales/" + saleId, body).status(),
            status -> status == 200 || status == 201);
  }

  /** The instance may not have heard of the next sale yet: busy, or the answer of the old one. */
  private static String bought(Sale sku, Buyer buyer, List<String> before) {
    return await()
        .atMost(LIMIT)
        .until(
            () -> {
              Answer answer = sku.order(buyer);
              return answer.status() == 201 || answer.status() == 200 ? answer.token() : "";
            },
            token -> !token.isEmpty() && !before.contains(token));
  }

  private static void reach(String saleId, String call, String state) {
    await()
        .atMost(LIMIT)
        .until(
            () ->
                desk("POST", "/admin/sales/" + saleId + call, null)
                    .json()
                    .getString("state")
                    .equals(state));
  }

  private static List<String> paged(String saleId, int limit) {
    List<String> tokens = new ArrayList<>();
    String after = "";
    for (int pages = 0; pages < 100; pages++) {
      String path = "/admin/orders?sale_id=" + saleId + "&limit=" + limit + after;
      JsonObject page = desk("GET", path, null).json();
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
    return desk("GET", "/admin/orders?format=ndjson&sale_id=" + saleId, null)
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

  @Test
  void shouldListTheOrdersOfEachSaleBeforeAndAfterTheArchive() {
    // given
    put(first, again, stays);
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
    put(second, again);
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
    assertThat(desk("GET", filtered, null).json().getJsonArray("orders")).hasSize(2);
    assertThat(desk("GET", "/admin/orders?sale_id=no-such", null).brief())
        .isEqualTo("404 unknown-sale");
  }
}
