package io.sluice.web;

import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpServerRequest;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A call as its {@link Guard} sees it, from its arrival to its answer. */
public interface GuardedCall {
  HttpServerRequest request();

  /** The name of the call in the metrics. */
  String call();

  /** The parameters of its path, decoded. */
  Map<String, String> pathParams();

  /** Its body; null if it has none, or none was read. */
  @Nullable Buffer readBody();

  /**
   * Adds something to undo before the call is answered 503, whatever leads to that: a refusal, a
   * failure, or an exception of the handler.
   */
  void undoneBy503(Runnable undoing);
}
