package io.sluice.testkit.site;

import io.vertx.core.buffer.Buffer;
import io.vertx.core.json.JsonObject;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * One HTTP request.
 *
 * @param body null where there is none
 * @param chunked whether the body is sent without a Content-Length
 * @param limit after which the caller gives up
 */
public record Call(
    String method,
    String url,
    Map<String, String> headers,
    Buffer body,
    boolean chunked,
    Duration limit) {
  private static final Duration LIMIT = Duration.ofSeconds(15);

  public static Call get(String url) {
    return of("GET", url);
  }

  public static Call post(String url) {
    return of("POST", url);
  }

  public static Call put(String url) {
    return of("PUT", url);
  }

  public static Call of(String method, String url) {
    return new Call(method, url, Map.of(), null, false, LIMIT);
  }

  /** Completes a call whose {@code url} is only a path, once the server is known. */
  Call at(String server) {
    return new Call(method, server + url, headers, body, chunked, limit);
  }

  public Call header(String name, String value) {
    var more = new LinkedHashMap<>(headers);
    more.put(name, value);
    return new Call(method, url, more, body, chunked, limit);
  }

  /** As this buyer, like a gateway. */
  public Call as(Buyer buyer) {
    return header("X-User-Id", buyer.userId());
  }

  public Call json(JsonObject json) {
    return json(json.encode());
  }

  /** With a body of type JSON, whatever its content. */
  public Call json(String text) {
    return header("Content-Type", "application/json").body(text);
  }

  public Call body(String text) {
    return new Call(method, url, headers, Buffer.buffer(text), chunked, limit);
  }

  public Call inChunks() {
    return new Call(method, url, headers, body, true, limit);
  }

  public Call within(Duration newLimit) {
    return new Call(method, url, headers, body, chunked, newLimit);
  }
}
