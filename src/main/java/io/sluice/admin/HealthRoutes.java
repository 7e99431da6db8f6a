package io.sluice.admin;

import io.sluice.web.Exchange;
import io.sluice.web.RequestPipeline;
import io.sluice.web.RequestPipeline.Route;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.json.JsonObject;
import io.vertx.ext.web.Router;

/** {@code /livez} and {@code /readyz}, open to all: an orchestrator's probes carry no token. */
final class HealthRoutes {
  private static final Buffer ALIVE = new JsonObject().put("alive", true).toBuffer();

  private final Readiness readiness;

  HealthRoutes(Readiness readiness) {
    this.readiness = readiness;
  }

  void mount(Router router, RequestPipeline reception) {
    reception.mount(
        router,
        "/livez",
        new Route(HttpMethod.GET, "livez", (exchange, context) -> exchange.answer(200, ALIVE)));
    reception.mount(
        router,
        "/readyz",
        new Route(HttpMethod.GET, "readyz", (exchange, context) -> ready(exchange)));
  }

  private void ready(Exchange exchange) {
    exchange.answer(readiness.isReady() ? 200 : 503, readiness.json().toBuffer());
  }
}
