package io.sluice.web;

import io.sluice.metrics.Meters;
import io.sluice.web.Endpoint.Intake;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.ext.web.Router;
import io.vertx.ext.web.RoutingContext;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import java.util.stream.Collectors;

/**
 * The path of each request of a port from its arrival to the handler of its {@link Endpoint}:
 * {@link #serve}, {@link #admit}. Whatever happens, exactly one answer is sent.
 */
public final class RequestPipeline {
  private final InFlight inFlight;
  private final Meters meters;

  public RequestPipeline(InFlight inFlight, Meters meters) {
    this.inFlight = inFlight;
    this.meters = meters;
  }

  /**
   * Starts an exchange that bypasses the router.
   *
   * @param call its name in the metrics
   */
  public Exchange receive(HttpServerRequest request, String call) {
    return new Exchange(request, name -> null, meters.answers(call));
  }

  /** Identifies the caller (401, 403), reads the body (415, 413), then {@link #admit}. */
  public void serve(Exchange exchange, Endpoint endpoint) {
    exchange.guardedBy(endpoint.guard());
    exchange.guard(
        () -> {
          Problem refusal = endpoint.guard().refusal(exchange.request());
          if (refusal != null) {
            exchange.answer(refusal);
          } else if (endpoint.intake() == Intake.BOUNDED_WITH_OPTIONAL_BODY
              && BodyReader.isWithout(exchange.request())) {
            admit(exchange.with(Buffer.buffer()), endpoint);
          } else if (endpoint.intake() == Intake.BOUNDED_WITH_BODY
              || endpoint.intake() == Intake.BOUNDED_WITH_OPTIONAL_BODY) {
            BodyReader.read(exchange, body -> admit(exchange.with(body), endpoint));
          } else {
            admit(exchange, endpoint);
          }
        });
  }

  /** Takes a place (503), then calls the handler. */
  private void admit(Exchange exchange, Endpoint endpoint) {
    if (endpoint.intake() == Intake.ALWAYS) {
      endpoint.call().handle(exchange);
    } else if (inFlight.isDraining()) {
      exchange.answer(Problem.DRAINING);
    } else if (inFlight.enter(exchange.request().response())) {
      endpoint.call().handle(exchange);
    } else {
      exchange.answer(Problem.OVERLOADED);
    }
  }

  /**
   * The result of the wait or, as soon as the port drains, what is known without it: a waiting
   * request must neither delay the shutdown nor be cut off by it. For handlers that have a place.
   */
  public <T> Future<T> untilDrained(Future<T> news, Supplier<Future<T>> known) {
    return inFlight.untilDrained(news, known);
  }

  /** A router for these endpoints that answers everything else with a problem: 404, 405, 400. */
  public void mount(Router router, List<Endpoint> endpoints) {
    Map<String, List<Endpoint>> byPath =
        endpoints.stream()
            .collect(
                Collectors.groupingBy(Endpoint::path, LinkedHashMap::new, Collectors.toList()));
    byPath.forEach(
        (path, ofPath) -> {
          ofPath.forEach(
              endpoint ->
                  router
                      .route(endpoint.method(), path)
                      .handler(context -> serve(receive(context, endpoint.name()), endpoint)));
          refuseOtherMethods(router, path, ofPath);
        });
    answerErrors(router);
  }

  private Exchange receive(RoutingContext context, String call) {
    return new Exchange(context.request(), context::pathParam, meters.answers(call));
  }

  /** Answers 405 for other methods of a path; mounted after its endpoints. */
  private void refuseOtherMethods(Router router, String path, List<Endpoint> allowed) {
    String allow =
        allowed.stream()
            .map(Endpoint::method)
            .map(HttpMethod::name)
            .collect(Collectors.joining(", "));
    Problem problem =
        Problem.of(
            ProblemType.METHOD_NOT_ALLOWED, "Expected " + allow + " here, but got another method");
    router
        .route(path)
        .handler(
            (RoutingContext context) -> {
              context.response().putHeader("Allow", allow);
              receive(context, "none").answer(problem);
            });
  }

  /** Turns all answers of the router itself into problems. */
  private void answerErrors(Router router) {
    router.errorHandler(404, context -> receive(context, "none").answer(Problem.NOT_FOUND));
    router.errorHandler(
        400, context -> receive(context, "none").answer(ProblemMapper.MALFORMED_REQUEST));
    router.errorHandler(
        500,
        context ->
            receive(context, "none").answer(ProblemMapper.problem(context.failure(), "none")));
  }
}
