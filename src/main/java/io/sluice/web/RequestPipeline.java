package io.sluice.web;

import io.sluice.metrics.Meters;
import io.sluice.web.Input.Intake;
import io.sluice.web.problem.Problem;
import io.sluice.web.problem.ProblemMapper;
import io.sluice.web.problem.ProblemType;
import io.vertx.core.Future;
import io.vertx.core.Handler;
import io.vertx.core.Promise;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.ext.web.Router;
import io.vertx.ext.web.RoutingContext;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The path of each request of a port from its arrival to the handler of its {@link Endpoint}:
 * {@link #serve}, {@link #admit}. Whatever happens, exactly one answer is sent.
 */
public final class RequestPipeline {
  private final InFlight inFlight;
  private final PollBudget polls;
  private final Meters meters;
  private final RequestTraces traces;

  public RequestPipeline(InFlight inFlight, PollBudget polls, Meters meters, RequestTraces traces) {
    this.inFlight = inFlight;
    this.polls = polls;
    this.meters = meters;
    this.traces = traces;
  }

  /**
   * Starts an exchange that bypasses the router.
   *
   * @param call its name in the metrics
   */
  public Exchange receive(HttpServerRequest request, String call) {
    return new Exchange(request, Map.of(), meters.answers(call), traces);
  }

  /**
   * Identifies the caller (401, 403), looks at the query and the conditions (400), reads the body
   * (415, 413), then {@link #admit}.
   */
  public void serve(Exchange exchange, Endpoint endpoint) {
    guarded(
        exchange,
        endpoint.guard(),
        () -> {
          endpoint.input().checkQuery(exchange.request().query());
          endpoint.input().checkConditions(exchange.request());
          read(exchange, endpoint);
        });
  }

  /** Identifies the caller (401, 403), and answers those that are admitted with a problem. */
  public void refuse(Exchange exchange, Guard guard, Problem problem) {
    guarded(exchange, guard, () -> exchange.answer(problem));
  }

  private static void guarded(Exchange exchange, Guard guard, Runnable admitted) {
    exchange.guardedBy(guard);
    exchange.request().exceptionHandler(exchange::failed);
    exchange.guard(
        () -> {
          Problem refusal = guard.refusal(exchange);
          if (refusal == null) {
            admitted.run();
          } else {
            exchange.answer(refusal);
          }
        });
  }

  private void read(Exchange exchange, Endpoint endpoint) {
    boolean without = BodyReader.isWithout(exchange.request());
    switch (endpoint.input().intake()) {
      case BOUNDED_WITH_BODY ->
          BodyReader.read(exchange, body -> admit(exchange.with(body), endpoint));
      case BOUNDED_WITH_LARGE_BODY ->
          BodyReader.readLarge(exchange, body -> admit(exchange.with(body), endpoint));
      case BOUNDED_WITH_OPTIONAL_BODY -> {
        if (without) {
          admit(exchange.with(Buffer.buffer()), endpoint);
        } else {
          BodyReader.read(exchange, body -> admit(exchange.with(body), endpoint));
        }
      }
      case ALWAYS, BOUNDED -> {
        if (without) {
          admit(exchange, endpoint);
        } else {
          BodyReader.readAny(
              exchange,
              body -> {
                Input.checkNothing(body);
                admit(exchange, endpoint);
              });
        }
      }
    }
  }

  /** Takes a place (503), then calls the handler. */
  private void admit(Exchange exchange, Endpoint endpoint) {
    if (endpoint.input().intake() == Intake.ALWAYS) {
      endpoint.call().handle(exchange);
    } else if (inFlight.isDraining()) {
      exchange.answer(Problem.DRAINING);
    } else if (inFlight.enter()) {
      exchange.occupies(inFlight::leave);
      endpoint.call().handle(exchange);
    } else {
      exchange.answer(Problem.OVERLOADED);
    }
  }

  /**
   * Exchanges the place of a request among those in flight for one among the long polls (429, 503),
   * and answers it with the result of the wait.
   *
   * <p>As soon as the port drains, it is answered with what is known without the wait: it must
   * neither delay the shutdown nor be cut off by it. The wait is notified when its caller
   * disconnects.
   *
   * @param buyer who polls; null for the back office
   * @param wait given a Future that completes when nobody waits any longer
   */
  public <T> void poll(
      Exchange exchange,
      @Nullable String buyer,
      Function<Future<Void>, Future<T>> wait,
      Supplier<Future<T>> known,
      Handler<T> answer) {
    Problem refusal = polls.enter(buyer);
    if (refusal != null) {
      exchange.answer(refusal);
      return;
    }
    Promise<Void> left = Promise.promise();
    inFlight.enterPoll();
    exchange.occupies(
        () -> {
          polls.leave(buyer);
          inFlight.leavePoll();
          left.complete();
        });
    exchange.answer(inFlight.untilDrained(wait.apply(left.future()), known), answer);
  }

  /** A router for these endpoints that answers everything else with a problem: 404, 405, 400. */
  public void mount(Router router, List<Endpoint> endpoints) {
    Map<String, List<Endpoint>> byPath =
        endpoints.stream()
            .collect(
                Collectors.groupingBy(Endpoint::path, LinkedHashMap::new, Collectors.toList()));
    byPath.forEach(
        (path, ofPath) -> {
          ofPath.forEach(endpoint -> mount(router, endpoint));
          answerOtherMethods(router, path, ofPath);
        });
    answerErrors(router);
  }

  private void mount(Router router, Endpoint endpoint) {
    for (HttpMethod method : endpoint.methods()) {
      router
          .route(method, endpoint.path())
          .handler(context -> serve(receive(context, endpoint.name()), endpoint));
    }
  }

  private Exchange receive(RoutingContext context, String call) {
    return new Exchange(context.request(), context.pathParams(), meters.answers(call), traces);
  }

  /** Answers OPTIONS, and 405 for other methods of a path; mounted after its endpoints. */
  private void answerOtherMethods(Router router, String path, List<Endpoint> endpoints) {
    String allow =
        Stream.concat(
                endpoints.stream().flatMap(endpoint -> endpoint.methods().stream()),
                Stream.of(HttpMethod.OPTIONS))
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
              Exchange exchange = receive(context, "none");
              if (context.request().method().equals(HttpMethod.OPTIONS)) {
                exchange.answerEmpty();
              } else {
                exchange.answer(problem);
              }
            });
  }

  /** Turns all answers of the router itself into problems. */
  private void answerErrors(Router router) {
    router.errorHandler(404, context -> receive(context, "none").answer(Problem.NOT_FOUND));
    router.errorHandler(400, context -> receive(context, "none").answer(Problem.MALFORMED_REQUEST));
    router.errorHandler(
        500,
        context ->
            receive(context, "none").answer(ProblemMapper.problem(context.failure(), "none")));
  }
}
