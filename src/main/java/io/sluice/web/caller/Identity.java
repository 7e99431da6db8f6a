package io.sluice.web.caller;

import io.sluice.web.Guard;
import io.sluice.web.problem.BadInputException;
import io.vertx.core.http.HttpServerRequest;

/**
 * Identifies the buyer of a call; one implementation per {@code auth.mode}. Used by one event loop.
 */
interface Identity extends Guard {
  /**
   * The buyer's id. The call must not have been refused.
   *
   * @throws BadInputException if the header is there but invalid
   */
  String buyer(HttpServerRequest request);
}
