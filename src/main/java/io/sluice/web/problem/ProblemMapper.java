package io.sluice.web.problem;

import io.netty.handler.codec.TooLongFrameException;
import io.sluice.ledger.LedgerUnavailableException;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerRequest;
import java.util.concurrent.CancellationException;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.spi.LoggingEventBuilder;

/** Maps failures to problems. */
public final class ProblemMapper {
  private static final Logger log = LoggerFactory.getLogger(ProblemMapper.class);

  private ProblemMapper() {}

  /**
   * The problem for this failure of a handler. An unexpected failure is logged, and its reason is
   * not part of the answer.
   */
  public static Problem problem(Throwable failure, String call) {
    return problem(failure, call, line -> line);
  }

  /**
   * The same.
   *
   * @param about says in the line that may be logged what it is about
   */
  public static Problem problem(
      Throwable failure, String call, UnaryOperator<LoggingEventBuilder> about) {
    if (failure instanceof BadInputException bad) {
      return bad.problem();
    }
    // Timers that a request waits for are canceled when the instance stops.
    if (failure instanceof LedgerUnavailableException || failure instanceof CancellationException) {
      return Problem.PART_DOWN;
    }
    about
        .apply(log.atError().setCause(failure).addKeyValue("call", call))
        .log("request handler failed");
    return Problem.INTERNAL;
  }

  /**
   * Answers input that is not HTTP, and closes the connection: the start of a next request cannot
   * be found.
   */
  public static void invalid(HttpServerRequest request) {
    request.response().headers().set(HttpHeaders.CONNECTION, HttpHeaders.CLOSE);
    malformed(request.decoderResult().cause())
        .send(request.response())
        .onComplete(sent -> request.connection().close());
  }

  /** The problem for a request that cannot be decoded. */
  public static Problem malformed(@Nullable Throwable cause) {
    if (cause instanceof RequestRejectedException rejected) {
      return rejected.problem();
    }
    return cause instanceof TooLongFrameException
        ? Problem.HEADERS_TOO_LARGE
        : Problem.MALFORMED_REQUEST;
  }
}
