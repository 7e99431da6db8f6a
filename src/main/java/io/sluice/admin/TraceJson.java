package io.sluice.admin;

import io.sluice.config.Config.TracingConfig;
import io.sluice.model.OrderToken;
import io.sluice.tracing.TraceContext;
import io.sluice.tracing.Traces;
import io.vertx.core.json.JsonObject;

/** Where the trace of an order is found. */
final class TraceJson {
  private final TracingConfig config;
  private final Traces traces;

  TraceJson(TracingConfig config, Traces traces) {
    this.config = config;
    this.traces = traces;
  }

  /** Adds what is known of the trace of an order; nothing if traces are off. */
  JsonObject addTo(JsonObject order, OrderToken token) {
    if (!traces.isOn()) {
      return order;
    }
    String traceId = TraceContext.ofOrder(token).traceId();
    JsonObject trace =
        new JsonObject().put("id", traceId).put("sampled", traces.samples(token.value()));
    if (!config.link().isEmpty()) {
      trace.put("url", config.linkOf(traceId));
    }
    return order.put("trace", trace);
  }
}
