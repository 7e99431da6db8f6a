package io.sluice.http;

import io.sluice.async.BatchReader.QueueFullException;
import io.sluice.model.Limits;
import io.sluice.model.Sale.SaleTerms;
import io.sluice.order.SaleLevels;
import io.sluice.order.SaleLevels.SaleLevel;
import io.sluice.order.SkuLevels.SkuLevel;
import io.sluice.web.Contract;
import io.sluice.web.Endpoint;
import io.sluice.web.Endpoint.Input;
import io.sluice.web.Exchange;
import io.sluice.web.Exchange.Guard;
import io.sluice.web.Parameters;
import io.sluice.web.Problem;
import io.sluice.web.ProblemPages;
import io.sluice.web.Rfc3339;
import io.vertx.core.Future;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Function;
import java.util.function.LongFunction;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The routes of SKUs and sales, without authentication.
 *
 * @param skus {@link io.sluice.order.SkuLevels#level}
 */
public record LevelRoutes(
    CallLimits limits, LongFunction<Future<Optional<SkuLevel>>> skus, Sales sales) {
  private static final Logger log = LoggerFactory.getLogger(LevelRoutes.class);
  private static final String A_SECOND = "public, max-age=1";

  /** {@link SaleLevels#level}. */
  @FunctionalInterface
  public interface Sales {
    Future<Optional<SaleLevel>> level(String saleId, long afterSkuId, int limit);
  }

  /** The contract is as public as they are. */
  List<Endpoint> endpoints() {
    Guard anybody = limits.limited(Guard.ANYBODY);
    return List.of(
        new Endpoint(HttpMethod.GET, "/v1/skus/:sku_id", "sku", anybody, Input.NONE, this::sku),
        new Endpoint(
            HttpMethod.GET,
            "/v1/sales/:sale_id",
            "sale",
            anybody,
            Input.query("after", "limit"),
            this::sale),
        Contract.PUBLIC.endpoint(anybody),
        Contract.PUBLIC.docs(anybody),
        ProblemPages.endpoint(anybody));
  }

  private void sku(Exchange exchange) {
    OptionalLong skuId = Parameters.skuId(exchange.pathParam("sku_id"));
    if (skuId.isEmpty()) {
      exchange.answer(Problem.UNKNOWN_SKU);
      return;
    }
    long id = skuId.getAsLong();
    answer(exchange, "sku", id, skus.apply(id), LevelRoutes::json, Problem.UNKNOWN_SKU);
  }

  private void sale(Exchange exchange) {
    String saleId = exchange.pathParam("sale_id");
    if (!Limits.isSaleId(saleId)) {
      exchange.answer(Problem.UNKNOWN_SALE);
      return;
    }
    long after = Parameters.wholeNumber(exchange.request(), "after", 0, Long.MAX_VALUE, 0);
    long limit =
        Parameters.wholeNumber(
            exchange.request(), "limit", 1, SaleLevels.PAGE_MAX, SaleLevels.PAGE_MAX);
    answer(
        exchange,
        "sale",
        saleId,
        sales.level(saleId, after, Math.toIntExact(limit)),
        LevelRoutes::json,
        Problem.UNKNOWN_SALE);
  }

  private static <T> void answer(
      Exchange exchange,
      String kind,
      Object id,
      Future<Optional<T>> found,
      Function<T, JsonObject> json,
      Problem unknown) {
    found
        .onSuccess(
            level ->
                exchange.guard(
                    () -> {
                      if (level.isEmpty()) {
                        exchange.answer(unknown);
                        return;
                      }
                      exchange
                          .request()
                          .response()
                          .headers()
                          .set(HttpHeaders.CACHE_CONTROL, A_SECOND);
                      exchange.answer(200, json.apply(level.get()).toBuffer());
                    }))
        .onFailure(
            cause -> {
              log.atDebug().setCause(cause).addKeyValue(kind, id).log("level cannot be determined");
              exchange.answer(
                  QueueFullException.isWhy(cause) ? Problem.OVERLOADED : Problem.PART_DOWN);
            });
  }

  private static JsonObject json(SkuLevel level) {
    return ofSku(level)
        .put("opens_at", Rfc3339.orNull(level.opensAtMs()))
        .put("closes_at", Rfc3339.orNull(level.closesAtMs()));
  }

  private static JsonObject ofSku(SkuLevel sku) {
    JsonObject json = new JsonObject().put("sku_id", sku.skuId());
    if (sku.name() != null) {
      json.put("name", sku.name());
    }
    return json.put("state", sku.state().name()).put("level", sku.level().name());
  }

  private static JsonObject json(SaleLevel level) {
    JsonArray skus = new JsonArray();
    level.skus().forEach(sku -> skus.add(ofSku(sku)));
    SaleTerms terms = level.sale().terms();
    return new JsonObject()
        .put("sale_id", level.sale().saleId())
        .put("name", level.sale().name())
        .put("state", level.state().name())
        .put("opens_at", Rfc3339.orNull(terms.opensAtMs()))
        .put("closes_at", Rfc3339.orNull(terms.closesAtMs()))
        .put("skus", skus)
        .put("next_after", level.nextAfter());
  }
}
