package io.sluice.web;

import io.vertx.core.http.HttpMethod;

/**
 * A call of the API: where it is, who may make it, and what answers it. {@link RequestPipeline} is
 * the way there.
 *
 * @param path as a router takes it, with {@code :name} for a parameter
 * @param name of the call in the metrics
 */
public record Endpoint(
    HttpMethod method, String path, String name, Guard guard, Intake intake, Call call) {

  /** What is taken in before the call is handled. */
  public enum Intake {
    /** Nothing: it is handled however much is under way. */
    ALWAYS,
    /** A place among the requests under way. */
    BOUNDED,
    /** A JSON body, and then a place. */
    BOUNDED_WITH_BODY
  }

  /** What answers a call; what it throws becomes the answer. */
  @FunctionalInterface
  public interface Call {
    void handle(Exchange exchange);
  }
}
