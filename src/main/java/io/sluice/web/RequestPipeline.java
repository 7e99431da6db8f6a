package io.sluice.web;

import io.sluice.metrics.Meters;
import io.vertx.core.Future;
import io.vertx.core.Handler;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.ext.web.Router;
import io.vertx.ext.web.RoutingContext;
import java.util.List;
import java.util.function.Supplier;
import java.util.stream.Collectors;

/**
 * What each request passes on its way to its handler: meters, the bound of requests under way, the
 * net for failures.
 */
public final class RequestPipeline {

  /** The handler of one call of the API. */
  @FunctionalInterface
  public interface Call {
    void handle(Exchange exchange, RoutingContext context);
  }

  private final InFlight inFlight;
  private final Meters meters;

  public RequestPipeline(InFlight inFlight, Meters meters) {
    this.inFlight = inFlight;
    this.meters = meters;
  }

  /**
   * Begins an exchange.
   *
   * @param call its name in the metrics
   */
  public Exchange receive(HttpServerRequest request, String call) {
    return new Exchange(request, meters.answers(call));
  }

  Exchange receive(RoutingContext context, String call) {
    return receive(context.request(), call);
  }

  /** Runs a handler that needs no body, once there is room for it. */
  public void admit(Exchange exchange, Runnable handler) {
    if (inFlight.isDraining()) {
      exchange.answer(Problem.DRAINING);
    } else if (inFlight.enter(exchange.request().response())) {
      exchange.guard(handler);
    } else {
      exchange.answer(Problem.OVERLOADED);
    }
  }

  /**
   * What the news bring or, as soon as the port drains, what is known without them: nobody who only
   * waits shall hold up the end, or be cut off by it. Used within {@link #admit}.
   */
  public <T> Future<T> untilDrained(Future<T> news, Supplier<Future<T>> known) {
    return inFlight.untilDrained(news, known);
  }

  /** Runs a handler with the JSON body, once it is there and there is room. Answers 415 and 413. */
  public void admitWithBody(Exchange exchange, Handler<Buffer> handler) {
    BodyReader.read(exchange, body -> admit(exchange, () -> handler.handle(body)));
  }

  /** A call on a path, for {@link #mount}. */
  public record Route(HttpMethod method, String name, Call call) {}

  /** Mounts all calls of one path; other methods there are answered 405. */
  public void mount(Router router, String path, Route... routes) {
    for (Route route : routes) {
      router
          .route(route.method(), path)
          .handler(
              context -> {
                Exchange exchange = receive(context, route.name());
                exchange.guard(() -> route.call().handle(exchange, context));
              });
    }
    List<HttpMethod> methods = List.of(routes).stream().map(Route::method).toList();
    refuseOtherMethods(router, path, methods);
  }

  /** Answers the methods of a path that are none of its calls; to be mounted after them. */
  private void refuseOtherMethods(Router router, String path, List<HttpMethod> allowed) {
    String allow = allowed.stream().map(HttpMethod::name).collect(Collectors.joining(", "));
    Problem problem =
        Problem.of(
            ProblemType.METHOD_NOT_ALLOWED, "Expected " + allow + " here, but got another method");
    router
        .route(path)
        .handler(
            (RoutingContext ctx) -> {
              ctx.response().putHeader("Allow", allow);
              receive(ctx, "none").answer(problem);
            });
  }

  /** Makes all that a router itself answers a problem. */
  public void answerErrors(Router router) {
    router.errorHandler(404, ctx -> receive(ctx, "none").answer(Problem.NOT_FOUND));
    router.errorHandler(400, ctx -> receive(ctx, "none").answer(ProblemMapper.MALFORMED_REQUEST));
    router.errorHandler(
        500,
        ctx -> {
          Exchange exchange = receive(ctx, "none");
          exchange.answer(ProblemMapper.problem(ctx.failure(), "none"));
        });
  }
}
