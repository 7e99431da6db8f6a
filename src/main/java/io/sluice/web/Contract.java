package io.sluice.web;

import io.sluice.model.BundledFile;
import io.sluice.web.Endpoint.Input;
import io.sluice.web.Exchange.Guard;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpMethod;
import java.util.Locale;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The contracts of the ports, in OpenAPI 3.1: each is read from {@code openapi/<name>.yaml} when
 * this class is initialized.
 */
public enum Contract {
  PUBLIC,
  MANAGEMENT;

  /** Where each port serves its own. */
  public static final String PATH = "/openapi.yaml";

  private static final CharSequence YAML = HttpHeaders.createOptimized("application/yaml");

  private final Buffer text;
  private volatile @Nullable Buffer page;

  Contract() {
    this.text =
        Buffer.buffer(BundledFile.bytes("/openapi/" + name().toLowerCase(Locale.ROOT) + ".yaml"));
  }

  /**
   * The call that answers with it as a page for readers.
   *
   * @param guard who may read it
   */
  public Endpoint docs(Guard guard) {
    return new Endpoint(
        HttpMethod.GET,
        ContractPage.PATH,
        "docs",
        guard,
        Input.ALWAYS,
        exchange ->
            exchange.answer(made(), page -> ContractPage.STYLE.send(exchange, page, "no-cache")));
  }

  /** Made for the first reader, beside the event loop. */
  private Future<Buffer> made() {
    Buffer now = page;
    return now == null
        ? Objects.requireNonNull(Vertx.currentContext()).executeBlocking(this::make)
        : Future.succeededFuture(now);
  }

  private synchronized Buffer make() {
    Buffer now = page;
    if (now == null) {
      now = ContractPage.of(text.toString());
      page = now;
    }
    return now;
  }

  /**
   * The call that answers with it.
   *
   * @param guard who may read it
   */
  public Endpoint endpoint(Guard guard) {
    return new Endpoint(
        HttpMethod.GET,
        PATH,
        "openapi",
        guard,
        Input.ALWAYS,
        exchange -> exchange.answer(YAML, text));
  }
}
