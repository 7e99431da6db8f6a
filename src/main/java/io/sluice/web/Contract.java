package io.sluice.web;

import io.sluice.web.Endpoint.Input;
import io.sluice.web.Exchange.Guard;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpMethod;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Locale;

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

  Contract() {
    this.text = Buffer.buffer(read("/openapi/" + name().toLowerCase(Locale.ROOT) + ".yaml"));
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

  private static byte[] read(String path) {
    try (InputStream file = Contract.class.getResourceAsStream(path)) {
      if (file == null) {
        throw new IllegalStateException(
            "Expected the contract " + path + " on the class path, but it is missing");
      }
      return file.readAllBytes();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
