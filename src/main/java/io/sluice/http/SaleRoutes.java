package io.sluice.http;

import io.sluice.async.BatchReader.QueueFullException;
import io.sluice.model.Limits;
import io.sluice.model.Sale.SaleTerms;
import io.sluice.reservation.sku.SaleLevels;
import io.sluice.reservation.sku.SaleLevels.SaleLevel;
import io.sluice.web.Endpoint;
import io.sluice.web.Exchange;
import io.sluice.web.Guard;
import io.sluice.web.Input;
import io.sluice.web.format.Parameters;
import io.sluice.web.format.Rfc3339;
import io.sluice.web.problem.Problem;
import io.vertx.core.Future;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The route of sales, without authentication. */
public final class SaleRoutes {
  private static final Logger log = LoggerFactory.getLogger(SaleRoutes.class);

  private final CallLimits limits;
  private final Levels levels;

  /** {@link SaleLevels#level}. */
  @FunctionalInterface
  public interface Levels {
    Future<Optional<SaleLevel>> level(String saleId, long afterSkuId, int limit);
  }

  public SaleRoutes(CallLimits limits, Levels levels) {
    this.limits = limits;
    this.levels = levels;
  }

  Endpoint endpoint() {
    return new Endpoint(
        HttpMethod.GET,
        "/v1/sales/:sale_id",
        "sale",
        limits.limited(Guard.ANYBODY),
        Input.query("after", "limit"),
        this::sale);
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
    levels
        .level(saleId, after, Math.toIntExact(limit))
        .onSuccess(level -> exchange.guard(() -> answer(exchange, level)))
        .onFailure(cause -> notNow(exchange, saleId, cause));
  }

  private static void answer(Exchange exchange, Optional<SaleLevel> level) {
    if (level.isEmpty()) {
      exchange.answer(Problem.UNKNOWN_SALE);
      return;
    }
    exchange.request().response().headers().set(HttpHeaders.CACHE_CONTROL, SkuRoutes.A_SECOND);
    exchange.answer(200, json(level.get()).toBuffer());
  }

  private static JsonObject json(SaleLevel level) {
    JsonArray skus = new JsonArray();
    level
        .skus()
        .forEach(
            sku ->
                skus.add(
                    new JsonObject()
                        .put("sku_id", sku.skuId())
                        .put("state", sku.state().name())
                        .put("level", sku.level().name())));
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

  private static void notNow(Exchange exchange, String saleId, Throwable cause) {
    log.atDebug()
        .setCause(cause)
        .addKeyValue("sale", saleId)
        .log("levels of the sale cannot be determined");
    exchange.answer(QueueFullException.isWhy(cause) ? Problem.OVERLOADED : Problem.PART_DOWN);
  }
}
