package io.sluice.web;

import io.vertx.core.http.HttpServerRequest;

/** Tells which buyer makes a call: one way for each {@code auth.mode}. Used by one event loop. */
interface Identity extends Guard {
  /**
   * The buyer's id; expects a call that is not refused.
   *
   * @throws BadInputException where it claims to be a buyer's and does not say whose
   */
  String buyer(HttpServerRequest request);
}
