package io.sluice.web;

import io.vertx.core.http.HttpMethod;
import java.util.List;

/**
 * A call of the API: its path, who may make it, and its handler. {@link RequestPipeline} runs it.
 *
 * @param path for a router, with {@code :name} for a parameter
 * @param name of the call in the metrics
 */
public record Endpoint(
    HttpMethod method, String path, String name, Guard guard, Intake intake, Call call) {

  /** Its methods: one, and HEAD with GET. */
  List<HttpMethod> methods() {
    return method.equals(HttpMethod.GET) ? List.of(method, HttpMethod.HEAD) : List.of(method);
  }

  /** What must be available before the call is handled. */
  public enum Intake {
    /** Nothing: handled however many requests are in flight. */
    ALWAYS,
    /** A place among the requests in flight. */
    BOUNDED,
    /** A JSON body, then a place. */
    BOUNDED_WITH_BODY,
    /** A JSON body that may be larger, then a place. */
    BOUNDED_WITH_LARGE_BODY,
    /** A JSON body, empty where the request has none, then a place. */
    BOUNDED_WITH_OPTIONAL_BODY
  }

  /** The handler of a call; an exception becomes the answer. */
  @FunctionalInterface
  public interface Call {
    void handle(Exchange exchange);
  }
}
