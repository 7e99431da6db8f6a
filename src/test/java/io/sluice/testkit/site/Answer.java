package io.sluice.testkit.site;

import io.vertx.core.json.DecodeException;
import io.vertx.core.json.JsonObject;
import java.time.Duration;
import java.util.Map;

/**
 * An answer to a caller.
 *
 * @param status the HTTP status, 0 where no answer came: then the body says why
 * @param headers by name in lower case
 * @param took from before the request was written
 */
public record Answer(int status, Map<String, String> headers, String body, Duration took) {
  private static final String PROBLEMS = "/problems/";

  static Answer none(Throwable why, Duration took) {
    return new Answer(0, Map.of(), String.valueOf(why), took);
  }

  public boolean came() {
    return status != 0;
  }

  public boolean isYes() {
    return status >= 200 && status < 300;
  }

  public JsonObject json() {
    try {
      return new JsonObject(body);
    } catch (DecodeException e) {
      throw new AssertionError("Expected a JSON object, but got " + this, e);
    }
  }

  /** The status and the most important detail: {@code 201 RESERVED}, {@code 409 sold-out}. */
  public String brief() {
    if (!came()) {
      return "no answer";
    }
    String word = isYes() ? json().getString("status") : problem();
    return word == null ? String.valueOf(status) : status + " " + word;
  }

  /** The name of the problem, or null where this is no problem document. */
  public String problem() {
    if (!"application/problem+json".equals(contentType())) {
      return null;
    }
    String type = json().getString("type");
    return type != null && type.startsWith(PROBLEMS) ? type.substring(PROBLEMS.length()) : type;
  }

  /** The media type without its parameters, or an empty text. */
  public String contentType() {
    String value = header("content-type");
    return value == null ? "" : value.split(";", 2)[0].strip();
  }

  /** Null where there is no such header; the name is in lower case. */
  public String header(String name) {
    return headers.get(name);
  }

  public String token() {
    return json().getString("order_token");
  }
}
