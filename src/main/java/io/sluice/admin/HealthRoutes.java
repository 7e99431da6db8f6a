package io.sluice.admin;

import io.sluice.web.Endpoint;
import io.sluice.web.Exchange;
import io.sluice.web.Guard;
import io.sluice.web.Input;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.json.JsonObject;
import java.util.List;

/**
 * {@code /livez} and {@code /readyz}; without authentication, since an orchestrator's probes have
 * no token.
 */
final class HealthRoutes {
  private static final Buffer ALIVE = new JsonObject().put("alive", true).toBuffer();

  private final Readiness readiness;

  HealthRoutes(Readiness readiness) {
    this.readiness = readiness;
  }

  List<Endpoint> endpoints() {
    return List.of(
        probe("/livez", "livez", exchange -> exchange.answer(200, ALIVE)),
        probe("/readyz", "readyz", this::ready));
  }

  private static Endpoint probe(String path, String name, Endpoint.Call call) {
    return new Endpoint(HttpMethod.GET, path, name, Guard.ANYBODY, Input.ALWAYS, call);
  }

  private void ready(Exchange exchange) {
    exchange.answer(readiness.isReady() ? 200 : 503, readiness.json().toBuffer());
  }
}
