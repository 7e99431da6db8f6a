package io.sluice.testkit.site;

import static org.awaitility.Awaitility.await;

import io.sluice.model.Placement;
import io.vertx.core.Future;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.time.Duration;
import java.util.List;
import java.util.stream.LongStream;

/** A sale whose SKUs may be ordered together. Requests are spread over the running instances. */
public record CartSale(SaleSite site, String saleId, List<Long> skuIds) {
  private static final Duration SHOWN_WITHIN = Duration.ofSeconds(60);

  /**
   * Opens a sale; returns once Redis shows it.
   *
   * @param skus how many it has
   * @param terms of each SKU: its total_stock, and what else it sets
   * @param more further terms of the sale
   */
  public static CartSale open(SaleSite site, int skus, JsonObject terms, JsonObject more) {
    List<Long> ids = newSkus(site, skus);
    return open(site, "carts-" + ids.get(0), ids, terms, more);
  }

  /** The same in this partition. */
  public static CartSale openIn(
      SaleSite site, int partition, int skus, JsonObject terms, JsonObject more) {
    List<Long> ids = newSkus(site, skus);
    String saleId = "carts-" + ids.get(0);
    while (Placement.together(saleId, 1, site.partitions()).partitionOf(0) != partition) {
      saleId += ".";
    }
    return open(site, saleId, ids, terms, more);
  }

  private static List<Long> newSkus(SaleSite site, int skus) {
    return LongStream.range(0, skus).mapToObj(n -> site.newSkuId()).sorted().toList();
  }

  private static CartSale open(
      SaleSite site, String saleId, List<Long> ids, JsonObject terms, JsonObject more) {
    JsonObject body = SaleBodies.of("Carts", ids, terms).put("carts", true).mergeIn(more);
    site.putSale(saleId, body);
    return new CartSale(site, saleId, ids);
  }

  /** The same with SKUs of so many units in one bucket each. */
  public static CartSale open(SaleSite site, int skus, long units) {
    return open(site, skus, new JsonObject().put("total_stock", units), new JsonObject());
  }

  /**
   * A sale that somebody else opens.
   *
   * @param skuIds in ascending order
   */
  public static CartSale known(SaleSite site, String saleId, List<Long> skuIds) {
    return new CartSale(site, saleId, skuIds);
  }

  /** One of its SKUs, with the operations on it alone. */
  public Sale sku(int index) {
    return site.known(skuIds.get(index));
  }

  /** What operators do with the sale, again until Redis shows it. */
  public Answer tell(String what) {
    Call call = Call.post(site.next().adminUrl() + "/admin/sales/" + saleId + "/" + what);
    return await()
        .atMost(SHOWN_WITHIN)
        .until(() -> site.http().ask(call), answer -> answer.status() != 202);
  }

  /**
   * The lines of a cart.
   *
   * @param indexesAndUnits the index of a SKU and its units, for each line
   */
  public JsonArray lines(int... indexesAndUnits) {
    JsonArray lines = new JsonArray();
    for (int i = 0; i < indexesAndUnits.length; i += 2) {
      lines.add(
          new JsonObject()
              .put("sku_id", skuIds.get(indexesAndUnits[i]))
              .put("qty", indexesAndUnits[i + 1]));
    }
    return lines;
  }

  /** An empty key means that none is sent. */
  public Answer order(Buyer buyer, String key, JsonArray lines) {
    return site.await(ordering(buyer, key, lines));
  }

  /** The same without waiting for the answer. */
  public Future<Answer> ordering(Buyer buyer, String key, JsonArray lines) {
    return ordering(site.next(), buyer, key, lines);
  }

  /** The same at this instance. */
  public Future<Answer> ordering(SluiceProcess at, Buyer buyer, String key, JsonArray lines) {
    long lead =
        lines.stream().mapToLong(line -> ((JsonObject) line).getLong("sku_id")).min().orElse(0);
    Call call =
        Call.post(at.url() + "/v1/orders").as(buyer).json(new JsonObject().put("lines", lines));
    Call keyed = key.isEmpty() ? call : call.header("Idempotency-Key", key);
    // Without a key there is one order per set of SKUs.
    String request = key.isEmpty() ? "of " + skusOf(lines) : key;
    var wanted = new Yeses.OrderRequest(lead, buyer.userId(), request);
    return site.http().send(keyed).onSuccess(answer -> site.yeses().heard(wanted, answer));
  }

  private static List<Long> skusOf(JsonArray lines) {
    return lines.stream().map(line -> ((JsonObject) line).getLong("sku_id")).sorted().toList();
  }
}
