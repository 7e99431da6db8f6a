package io.sluice.admin;

import io.sluice.web.BackOffice;
import io.sluice.web.Exchange;
import io.sluice.web.RequestPipeline;
import io.sluice.web.RequestPipeline.Route;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpMethod;
import io.vertx.ext.web.Router;
import java.util.function.Supplier;

/** {@code /metrics} as Prometheus reads it. */
final class MetricsRoute {
  private static final String PROMETHEUS_TEXT = "text/plain; version=0.0.4; charset=utf-8";

  private final Supplier<String> scrape;
  private final BackOffice operators;

  MetricsRoute(Supplier<String> scrape, BackOffice operators) {
    this.scrape = scrape;
    this.operators = operators;
  }

  void mount(Router router, RequestPipeline reception) {
    reception.mount(
        router,
        "/metrics",
        new Route(HttpMethod.GET, "metrics", (exchange, context) -> metrics(exchange)));
  }

  private void metrics(Exchange exchange) {
    if (!operators.admits(exchange.request())) {
      exchange.answer(operators.refusal());
      return;
    }
    exchange
        .request()
        .response()
        .putHeader(HttpHeaders.CONTENT_TYPE, PROMETHEUS_TEXT)
        .end(scrape.get());
  }
}
