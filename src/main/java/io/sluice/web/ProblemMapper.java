package io.sluice.web;

import io.sluice.ledger.LedgerUnavailableException;
import io.vertx.core.http.HttpServerRequest;
import java.util.concurrent.CancellationException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Makes problems of failures, wherever they come from. */
public final class ProblemMapper {
  private static final Logger log = LoggerFactory.getLogger(ProblemMapper.class);
  static final Problem MALFORMED_REQUEST =
      Problem.of(
          ProblemType.BAD_REQUEST,
          "request",
          "Expected a well-formed HTTP/1.1 request, but it is not");

  private ProblemMapper() {}

  /**
   * What this failure of a handler amounts to. The unexpected is logged, and answered without its
   * reason.
   */
  static Problem problem(Throwable failure, String call) {
    if (failure instanceof BadInputException bad) {
      return bad.problem();
    }
    // A timer that somebody waits for is canceled when the instance ends.
    if (failure instanceof LedgerUnavailableException || failure instanceof CancellationException) {
      return Problem.PART_DOWN;
    }
    log.atError().setCause(failure).addKeyValue("call", call).log("A handler failed");
    return Problem.INTERNAL;
  }

  /**
   * Answers a request that is no HTTP at all, and hangs up: what follows it cannot be told apart.
   */
  public static void invalid(HttpServerRequest request) {
    MALFORMED_REQUEST.send(request.response()).onComplete(sent -> request.connection().close());
  }
}
