package io.sluice.web;

import io.vertx.core.http.HttpServerRequest;

/** A call as its {@link Guard} sees it, from its arrival to its answer. */
public interface GuardedCall {
  HttpServerRequest request();

  /** Keeps a number of the guard's until the call is answered. */
  void keep(long number);

  /** What the guard keeps; 0 where it has kept nothing. */
  long kept();
}
