package io.sluice.admin;

import io.sluice.web.Endpoint;
import io.sluice.web.Exchange;
import io.sluice.web.Guard;
import io.sluice.web.Input;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpMethod;
import java.util.function.Supplier;

/** {@code /metrics} in the text format of Prometheus. */
final class MetricsRoute {
  private static final String PROMETHEUS_TEXT = "text/plain; version=0.0.4; charset=utf-8";

  private final Supplier<String> scrape;
  private final Guard operators;

  MetricsRoute(Supplier<String> scrape, Guard operators) {
    this.scrape = scrape;
    this.operators = operators;
  }

  Endpoint endpoint() {
    return new Endpoint(
        HttpMethod.GET, "/metrics", "metrics", operators, Input.ALWAYS, this::metrics);
  }

  private void metrics(Exchange exchange) {
    exchange
        .request()
        .response()
        .putHeader(HttpHeaders.CONTENT_TYPE, PROMETHEUS_TEXT)
        .end(scrape.get());
  }
}
