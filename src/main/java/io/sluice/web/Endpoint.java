package io.sluice.web;

import io.vertx.core.http.HttpMethod;
import java.util.List;

/**
 * A call of the API: its path, who may make it, and its handler. {@link RequestPipeline} runs it.
 *
 * @param path for a router, with {@code :name} for a parameter
 * @param name of the call in the metrics
 * @param input all that it takes
 */
public record Endpoint(
    HttpMethod method, String path, String name, Guard guard, Input input, Call call) {

  /** Its methods: one, and HEAD with GET. */
  List<HttpMethod> methods() {
    return method.equals(HttpMethod.GET) ? List.of(method, HttpMethod.HEAD) : List.of(method);
  }

  /** The handler of a call; an exception becomes the answer. */
  @FunctionalInterface
  public interface Call {
    void handle(Exchange exchange);
  }
}
