package io.sluice.web;

import io.sluice.ledger.LedgerUnavailableException;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.ext.web.Router;
import io.vertx.ext.web.RoutingContext;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Makes problems of failures, wherever they come from. */
public final class ProblemMapper {
  private static final Logger LOG = LoggerFactory.getLogger(ProblemMapper.class);
  private static final Problem MALFORMED_REQUEST =
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
    LOG.atError().setCause(failure).addKeyValue("call", call).log("A handler failed");
    return Problem.INTERNAL;
  }

  /** Makes all that a router itself answers a problem. */
  public static void mount(Router router, Reception reception) {
    router.errorHandler(404, ctx -> reception.receive(ctx, "none").answer(Problem.NOT_FOUND));
    router.errorHandler(400, ctx -> reception.receive(ctx, "none").answer(MALFORMED_REQUEST));
    router.errorHandler(
        500,
        ctx -> {
          Exchange exchange = reception.receive(ctx, "none");
          exchange.answer(problem(ctx.failure(), "none"));
        });
  }

  /**
   * Answers a request that is no HTTP at all, and hangs up: what follows it cannot be told apart.
   */
  public static void invalid(HttpServerRequest request) {
    MALFORMED_REQUEST.send(request.response()).onComplete(sent -> request.connection().close());
  }

  /** Answers the methods of a path that are none of its calls; to be mounted after them. */
  static void refuseOtherMethods(
      Router router, String path, List<HttpMethod> allowed, Reception reception) {
    String allow = allowed.stream().map(HttpMethod::name).collect(Collectors.joining(", "));
    Problem problem =
        Problem.of(
            ProblemType.METHOD_NOT_ALLOWED, "Expected " + allow + " here, but got another method");
    router
        .route(path)
        .handler(
            (RoutingContext ctx) -> {
              ctx.response().putHeader("Allow", allow);
              reception.receive(ctx, "none").answer(problem);
            });
  }
}
