package io.sluice.sale;

import static org.awaitility.Awaitility.await;

import io.sluice.testkit.site.Answer;
import io.sluice.testkit.site.Call;
import io.sluice.testkit.site.SaleBodies;
import io.sluice.testkit.site.SaleSite;
import io.vertx.core.json.JsonObject;
import java.time.Duration;
import java.util.List;
import java.util.stream.LongStream;

/**
 * A sale of three SKUs of two buckets that an operator puts, ends and archives.
 *
 * @param skus in order
 */
public record SaleToEnd(SaleSite site, String id, List<Long> skus) {
  private static final Duration LIMIT = Duration.ofSeconds(90);

  public SaleToEnd(SaleSite site) {
    this(
        site,
        "sale-" + site.newSkuId(),
        LongStream.range(0, 3).mapToObj(n -> site.newSkuId()).sorted().toList());
  }

  public JsonObject body(String closesAt) {
    return SaleBodies.of(
            "Singles' day", skus, new JsonObject().put("total_stock", 10).put("buckets", 2))
        .put("closes_at", closesAt)
        .put("payment_window_s", 3_600);
  }

  /** Creates it open, without an end; as often as it takes while a server is away. */
  public void put() {
    await()
        .atMost(LIMIT)
        .until(() -> send(body(null)).status(), status -> status == 200 || status == 201);
  }

  public Answer send(JsonObject body) {
    return site.http().ask(Call.of("PUT", path()).json(body));
  }

  public Answer tell(String what) {
    return site.http().ask(Call.of("POST", path() + "/" + what));
  }

  public JsonObject view() {
    return site.http().ask(Call.get(path())).json();
  }

  private String path() {
    return site.instance(0).adminUrl() + "/admin/sales/" + id;
  }
}
