package io.sluice.http;

import io.sluice.async.BatchReader.QueueFullException;
import io.sluice.reservation.sku.SkuLevels.SkuLevel;
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
import io.vertx.core.json.JsonObject;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.LongFunction;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The routes of SKUs, without authentication. */
public final class SkuRoutes {
  private static final Logger log = LoggerFactory.getLogger(SkuRoutes.class);
  static final String A_SECOND = "public, max-age=1";

  private final CallLimits limits;
  private final LongFunction<Future<Optional<SkuLevel>>> levels;

  /**
   * @param levels {@link io.sluice.reservation.sku.SkuLevels#level}
   */
  public SkuRoutes(CallLimits limits, LongFunction<Future<Optional<SkuLevel>>> levels) {
    this.limits = limits;
    this.levels = levels;
  }

  Endpoint endpoint() {
    return new Endpoint(
        HttpMethod.GET, "/v1/skus/:sku_id", "sku", anybody(), Input.NONE, this::sku);
  }

  /** Admits everybody, within the limits on calls. */
  Guard anybody() {
    return limits.limited(Guard.ANYBODY);
  }

  private void sku(Exchange exchange) {
    OptionalLong skuId = Parameters.skuId(exchange.pathParam("sku_id"));
    if (skuId.isEmpty()) {
      exchange.answer(Problem.UNKNOWN_SKU);
      return;
    }
    levels
        .apply(skuId.getAsLong())
        .onSuccess(level -> exchange.guard(() -> answer(exchange, level)))
        .onFailure(cause -> notNow(exchange, skuId.getAsLong(), cause));
  }

  private static void answer(Exchange exchange, Optional<SkuLevel> level) {
    if (level.isEmpty()) {
      exchange.answer(Problem.UNKNOWN_SKU);
      return;
    }
    exchange.request().response().headers().set(HttpHeaders.CACHE_CONTROL, A_SECOND);
    exchange.answer(200, json(level.get()).toBuffer());
  }

  private static JsonObject json(SkuLevel level) {
    return new JsonObject()
        .put("sku_id", level.skuId())
        .put("state", level.state().name())
        .put("level", level.level().name())
        .put("opens_at", Rfc3339.orNull(level.opensAtMs()))
        .put("closes_at", Rfc3339.orNull(level.closesAtMs()));
  }

  private static void notNow(Exchange exchange, long skuId, Throwable cause) {
    log.atDebug()
        .setCause(cause)
        .addKeyValue("sku", skuId)
        .log("level of the SKU cannot be determined");
    exchange.answer(QueueFullException.isWhy(cause) ? Problem.OVERLOADED : Problem.PART_DOWN);
  }
}
