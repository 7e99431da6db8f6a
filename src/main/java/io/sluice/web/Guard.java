package io.sluice.web;

import io.vertx.core.http.HttpServerRequest;
import org.jspecify.annotations.Nullable;

/** Who may make a call. */
@FunctionalInterface
public interface Guard {
  /** Lets everybody through. */
  Guard ANYBODY = request -> null;

  /** The answer to a caller who may not make it; null where it may. */
  @Nullable Problem refusal(HttpServerRequest request);

  /** Hears how a call that it guards was answered, whether it let it through or not. */
  default void answered(HttpServerRequest request, int status) {}
}
