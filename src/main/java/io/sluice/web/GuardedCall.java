package io.sluice.web;

import io.vertx.core.http.HttpServerRequest;

/** A call as its {@link Guard} sees it, from its arrival to its answer. */
public interface GuardedCall {
  HttpServerRequest request();

  /**
   * Adds something to undo before the call is answered 503, whatever leads to that: a refusal, a
   * failure, or an exception of the handler.
   */
  void undoneBy503(Runnable undoing);
}
