package io.sluice.sale;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.sluice.openapi.ContractAnswers;
import io.sluice.openapi.ContractFile;
import io.sluice.testkit.site.CartSale;
import io.sluice.testkit.site.SaleSite;
import io.sluice.web.Contract;
import io.sluice.web.HttpProbe;
import io.sluice.web.HttpProbe.Answer;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.net.URI;
import java.net.http.HttpRequest.BodyPublishers;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * A running instance serves its contracts, and answers as they say: the probes look at each answer.
 */
class ContractIT {
  @RegisterExtension static final SaleSite site = SaleSite.withInstances(1);

  private static final Duration BOOKED_WITHIN = Duration.ofSeconds(20);
  private static final String[] ALICE = {"X-User-Id", "alice"};

  private final ContractFile publicFile = ContractFile.of(Contract.PUBLIC);
  private final ContractFile managementFile = ContractFile.of(Contract.MANAGEMENT);
  private HttpProbe port;
  private HttpProbe management;

  @BeforeEach
  void setUp() {
    port = probe(site.instance(0).url(), publicFile);
    management = probe(site.instance(0).adminUrl(), managementFile);
  }

  private static HttpProbe probe(String url, ContractFile file) {
    return new HttpProbe(URI.create(url).getPort(), new ContractAnswers(file)::check);
  }

  private Answer place(long skuId, String buyer, String key, int qty) {
    return port.json(
        "POST",
        "/v1/orders",
        "{\"sku_id\":%d,\"qty\":%d}".formatted(skuId, qty),
        "X-User-Id",
        buyer,
        "Idempotency-Key",
        key);
  }

  @Test
  void shouldAnswerAsTheContractSaysWhileAnOrderLives() {
    // given
    long sku = site.sale().withStock(2).open().skuId();
    List<String> answers = new ArrayList<>();

    // when
    Answer placed = place(sku, "alice", "k1", 1);
    String order = "/v1/orders/" + placed.json().getString("order_token");
    answers.add(brief(placed));
    answers.add(brief(place(sku, "alice", "k1", 1)));
    answers.add(brief(place(sku, "alice", "k1", 2)));
    answers.add(brief(place(sku, "bob", "k2", 2)));
    answers.add(brief(place(sku, "carol", "k3", 0)));
    answers.add(brief(place(Long.MAX_VALUE, "carol", "k4", 1)));
    awaitPending(order);
    answers.add(brief(port.post(order + "/refund")));
    answers.add(brief(port.post(order + "/confirm")));
    answers.add(brief(port.post(order + "/cancel", ALICE)));
    answers.add(brief(port.post(order + "/refund")));
    answers.add(brief(port.post(order + "/confirm")));
    answers.add(brief(port.get(order, "X-User-Id", "bob")));
    answers.add(brief(port.get("/v1/skus/" + sku)));

    // then
    assertThat(answers)
        .containsExactly(
            "201",
            "200",
            "409 key-mismatch",
            "409 sold-out",
            "400 bad-request",
            "404 unknown-sku",
            "409 not-confirmed",
            "200",
            "409 already-confirmed",
            "200",
            "409 already-refunded",
            "404 unknown-order",
            "200");
  }

  @Test
  void shouldAnswerAsTheContractSaysWhenSeveralSkusAreOrderedTogether() {
    // given
    CartSale sale = CartSale.open(site, 2, 5);
    String refund = "{\"refund_id\":\"r1\",\"qty\":1,\"sku_id\":%d}";
    List<String> answers = new ArrayList<>();

    // when
    Answer placed = placeTogether(sale.lines(0, 1, 1, 2));
    String order = "/v1/orders/" + placed.json().getString("order_token");
    answers.add(brief(placed));
    answers.add(brief(placeTogether(sale.lines(0, 1, 1, 2))));
    answers.add(brief(placeTogether(sale.lines(0, 1, 1, 3))));
    answers.add(brief(placeTogether(sale.lines(0, 1))));
    awaitPending(order);
    answers.add(brief(port.post(order + "/confirm")));
    answers.add(
        brief(port.json("POST", order + "/refunds", refund.formatted(sale.skuIds().get(1)))));
    answers.add(brief(port.json("POST", order + "/refunds", refund.formatted(Long.MAX_VALUE))));
    answers.add(brief(port.post(order + "/refunds/r1/complete")));
    answers.add(brief(management.get("/admin/orders?sale_id=" + sale.saleId())));
    answers.add(brief(port.post(order + "/refund")));

    // then
    assertThat(answers)
        .containsExactly(
            "201",
            "200",
            "409 key-mismatch",
            "400 bad-request",
            "200",
            "200",
            "400 bad-request",
            "200",
            "200",
            "200");
  }

  private Answer placeTogether(JsonArray lines) {
    String body = new JsonObject().put("lines", lines).encode();
    return port.json("POST", "/v1/orders", body, "X-User-Id", "alice", "Idempotency-Key", "c1");
  }

  private void awaitPending(String order) {
    await()
        .atMost(BOOKED_WITHIN)
        .untilAsserted(
            () ->
                assertThat(port.get(order, ALICE).json().getString("status")).isEqualTo("PENDING"));
  }

  @Test
  void shouldAnswerOperatorsAsTheContractSays() {
    // given
    long sku = site.sale().withStock(5).open().skuId();
    String path = "/admin/skus/" + sku;
    String ban = "/admin/blacklist/mallory";
    List<String> answers = new ArrayList<>();

    // when
    answers.add(brief(management.get("/readyz")));
    answers.add(brief(management.get(path)));
    answers.add(brief(management.get("/admin/skus?limit=1&after=" + (sku - 1))));
    answers.add(restock(path, "{\"restock_id\":\"r1\",\"qty\":5}"));
    answers.add(restock(path, "{\"restock_id\":\"r1\",\"qty\":6}"));
    answers.add(restock(path, "{\"restock_id\":\"r2\",\"qty\":-50}"));
    answers.add(brief(management.post(path + "/freeze")));
    answers.add(brief(management.post(path + "/open")));
    answers.add(brief(place(sku, "dave", "k1", 1)));
    answers.add(brief(management.post(path + "/unfreeze")));
    answers.add(brief(management.post(path + "/rebuild")));
    answers.add(brief(management.json("PUT", path, "{\"total_stock\":6}")));
    answers.add(brief(management.post("/admin/partitions/0/reset")));
    answers.add(brief(management.get("/admin/drift")));
    answers.add(brief(management.get(ban)));
    answers.add(brief(management.json("PUT", ban, "{\"ban_s\":5}")));
    answers.add(brief(management.send("DELETE", ban, BodyPublishers.noBody())));

    // then
    assertThat(answers)
        .containsExactly(
            "200",
            "200",
            "200",
            "200",
            "409 key-mismatch",
            "409 not-enough-unsold",
            "200",
            "409 sku-frozen",
            "503 busy",
            "200",
            "200",
            "409 setting-fixed",
            "409 nothing-to-reset",
            "200",
            "404 not-blacklisted",
            "200",
            "200");
  }

  private String restock(String path, String body) {
    return brief(management.json("POST", path + "/restock", body));
  }

  private static String brief(Answer answer) {
    return answer.status() < 400
        ? String.valueOf(answer.status())
        : answer.status() + " " + answer.problem();
  }
}
