package io.sluice.web;

import io.sluice.metrics.Meters;
import io.sluice.model.ProblemType;
import io.sluice.web.Endpoint.Input;
import io.sluice.web.Endpoint.Input.Intake;
import io.sluice.web.Exchange.Guard;
import io.sluice.web.InFlight.PollBudget;
import io.vertx.core.Future;
import io.vertx.core.Handler;
import io.vertx.core.Promise;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.ext.web.Router;
import io.vertx.ext.web.RoutingContext;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The path of each request of a port from its arrival to the handler of its {@link Endpoint}, from
 * top to bottom: {@link #serve}, {@link #read}, {@link #admit}. Whatever happens, exactly one
 * answer is sent.
 */
public final class RequestPipeline {
  private final InFlight inFlight;
  private final PollBudget polls;
  private final Meters meters;
  private final RequestTraces traces;
  private final Runnable leave;

  public RequestPipeline(InFlight inFlight, PollBudget polls, Meters meters, RequestTraces traces) {
    this.inFlight = inFlight;
    this.polls = polls;
    this.meters = meters;
    this.traces = traces;
    this.leave = inFlight::leave;
  }

  // ---- 1. it arrives, by the router or past it

  /** The handler of the requests for a hot endpoint, which bypass the router. */
  public Handler<HttpServerRequest> handler(Endpoint endpoint) {
    Meters.Answers answers = meters.answers(endpoint.name());
    return request -> serve(new Exchange(request, Map.of(), answers, traces), endpoint);
  }

  /**
   * Starts an exchange that has no endpoint.
   *
   * @param call its name in the metrics
   */
  public Exchange receive(HttpServerRequest request, String call) {
    return new Exchange(request, Map.of(), meters.answers(call), traces);
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
    Meters.Answers answers = meters.answers(endpoint.name());
    for (HttpMethod method : endpoint.methods()) {
      router
          .route(method, endpoint.path())
          .handler(
              context ->
                  serve(
                      new Exchange(context.request(), context.pathParams(), answers, traces),
                      endpoint));
    }
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
              Exchange exchange = receive(context.request(), "none");
              if (context.request().method().equals(HttpMethod.OPTIONS)) {
                exchange.answerEmpty();
              } else {
                exchange.answer(problem);
              }
            });
  }

  /** Turns all answers of the router itself into problems. */
  private void answerErrors(Router router) {
    router.errorHandler(
        404, context -> receive(context.request(), "none").answer(Problem.NOT_FOUND));
    router.errorHandler(
        400, context -> receive(context.request(), "none").answer(Problem.MALFORMED_REQUEST));
    router.errorHandler(
        500,
        context ->
            receive(context.request(), "none")
                .answer(Problem.ofFailure(context.failure(), "none", line -> line)));
  }

  // ---- 2. its caller is identified and within the limits (401, 403, 429), its query and its
  // conditions are taken (400)

  private void serve(Exchange exchange, Endpoint endpoint) {
    try {
      if (isAdmitted(exchange, endpoint.guard())) {
        endpoint.input().check(exchange.request());
        read(exchange, endpoint);
      }
    } catch (RuntimeException e) {
      exchange.fail(e);
    }
  }

  /** Identifies the caller (401, 403), and answers those that are admitted with a problem. */
  public void refuse(Exchange exchange, Guard guard, Problem problem) {
    exchange.guard(
        () -> {
          if (isAdmitted(exchange, guard)) {
            exchange.answer(problem);
          }
        });
  }

  private static boolean isAdmitted(Exchange exchange, Guard guard) {
    exchange.guardedBy(guard);
    exchange.request().exceptionHandler(exchange::failed);
    Problem refusal = guard.refusal(exchange);
    if (refusal != null) {
      exchange.answer(refusal);
    }
    return refusal == null;
  }

  // ---- 3. its body arrives (415, 413)

  private void read(Exchange exchange, Endpoint endpoint) {
    Intake intake = endpoint.input().intake();
    if (intake.mayLackBody && isWithoutBody(exchange.request())) {
      admit(intake.takesBody ? exchange.with(Buffer.buffer()) : exchange, endpoint);
    } else if (intake.takesBody
        && !BodyReader.isJson(exchange.request().headers().get(HttpHeaders.CONTENT_TYPE))) {
      exchange.answer(BodyReader.NOT_JSON);
    } else {
      new BodyReader(exchange, endpoint).read();
    }
  }

  /** Whether a request announces that it has no body. */
  private static boolean isWithoutBody(HttpServerRequest request) {
    String length = request.headers().get(HttpHeaders.CONTENT_LENGTH);
    return !request.headers().contains(HttpHeaders.TRANSFER_ENCODING)
        && (length == null || length.equals("0"));
  }

  /** Reads the body of a request, up to a limit, and answers 413 itself. */
  final class BodyReader implements Handler<Buffer> {
    static final Problem NOT_JSON =
        Problem.of(
            ProblemType.UNSUPPORTED_MEDIA_TYPE,
            "Content-Type",
            "Expected Content-Type: application/json, in UTF-8, but it is missing or another");

    private static final String PLAIN_JSON = "application/json";
    private static final Pattern JSON =
        Pattern.compile(
            "\\s*application/json\\s*(;\\s*charset\\s*=\\s*(utf-8|\"utf-8\")\\s*)?",
            Pattern.CASE_INSENSITIVE);

    private final Exchange exchange;
    private final Endpoint endpoint;
    private final int bytesMax;

    /** Most bodies arrive in one chunk, which is not copied then. */
    private @Nullable Buffer first;

    private @Nullable Buffer collected;
    private int length;

    private BodyReader(Exchange exchange, Endpoint endpoint) {
      this.exchange = exchange;
      this.endpoint = endpoint;
      this.bytesMax = endpoint.input().intake().bodyBytesMax;
    }

    static boolean isJson(@Nullable String contentType) {
      return contentType != null
          && (contentType.equals(PLAIN_JSON) || JSON.matcher(contentType).matches());
    }

    private void read() {
      HttpServerRequest request = exchange.request();
      if (announcedLength() > bytesMax) {
        refuse();
        return;
      }
      if ("100-continue".equalsIgnoreCase(request.headers().get(HttpHeaders.EXPECT))) {
        request.response().writeContinue();
      }
      request.handler(this);
      request.endHandler(this::end);
    }

    /** The announced length; 0 for a chunked body. A malformed length is rejected before. */
    private long announcedLength() {
      String announced = exchange.request().headers().get(HttpHeaders.CONTENT_LENGTH);
      return announced == null ? 0 : Long.parseLong(announced);
    }

    @Override
    public void handle(Buffer chunk) {
      length += chunk.length();
      if (length > bytesMax) {
        refuse();
      } else if (first == null) {
        first = chunk;
      } else {
        if (collected == null) {
          collected = Buffer.buffer(2 * length).appendBuffer(first);
        }
        collected.appendBuffer(chunk);
      }
    }

    private void end(@Nullable Void arrived) {
      try {
        Buffer body = collected != null ? collected : first != null ? first : Buffer.buffer();
        if (endpoint.input().intake().takesBody) {
          admit(exchange.with(body), endpoint);
        } else {
          Input.checkNothing(body);
          admit(exchange, endpoint);
        }
      } catch (RuntimeException e) {
        exchange.fail(e);
      }
    }

    /**
     * Answers that it is too large, and closes the connection, but not while the caller still
     * writes: it would see a connection reset instead of the answer. Bytes that arrive in the
     * meantime are discarded, up to the limits of the decoder of its connection.
     */
    private void refuse() {
      HttpServerRequest request = exchange.request();
      collected = null;
      request.handler(discarded -> {});
      request.endHandler(end -> request.connection().close());
      request.response().headers().set(HttpHeaders.CONNECTION, HttpHeaders.CLOSE);
      exchange.answer(endpoint.input().intake().tooLarge);
    }
  }

  // ---- 4. it takes a place (503), and is handled

  private void admit(Exchange exchange, Endpoint endpoint) {
    if (endpoint.input().intake() == Intake.ALWAYS) {
      endpoint.call().accept(exchange);
    } else if (inFlight.isDraining()) {
      exchange.answer(Problem.DRAINING);
    } else if (inFlight.enter()) {
      exchange.occupies(leave);
      endpoint.call().accept(exchange);
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
}
