package io.sluice.web;

import io.sluice.metrics.Meters;
import io.sluice.model.IfMatch;
import io.sluice.model.OrderToken;
import io.sluice.tracing.TraceContext;
import io.vertx.core.Future;
import io.vertx.core.Handler;
import io.vertx.core.MultiMap;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpClosedException;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpServerResponse;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.slf4j.spi.LoggingEventBuilder;

/** A request and its one answer. */
public final class Exchange {
  private static final CharSequence JSON = HttpHeaders.createOptimized("application/json");
  private static final CharSequence NO_STORE = HttpHeaders.createOptimized("no-store");
  private static final int OK = 200;
  private static final int UNAVAILABLE = 503;
  private static final Runnable NOTHING = () -> {};

  private final HttpServerRequest request;
  private final Map<String, String> pathParams;
  private final Meters.Answers answers;
  private final RequestTraces traces;
  private final long begunNanos = System.nanoTime();
  private final @Nullable TraceContext caller;
  private @Nullable OrderToken order;
  private boolean madeOrder;

  /** The span that the request is recorded as, if a log line has named it. */
  private @Nullable TraceContext span;

  private @Nullable Buffer body;
  private @Nullable String buyer;
  private Guard guard = Guard.ANYBODY;
  private Runnable leave = NOTHING;
  private Runnable undo = NOTHING;

  Exchange(
      HttpServerRequest request,
      Map<String, String> pathParams,
      Meters.Answers answers,
      RequestTraces traces) {
    this.request = request;
    this.pathParams = pathParams;
    this.answers = answers;
    this.traces = traces;
    this.caller = traces.caller(request);
  }

  /** Sets the guard that is notified of the answer. */
  void guardedBy(Guard hearing) {
    guard = hearing;
  }

  /**
   * Sets how the place of the request is given back: when it is answered, or its caller has
   * disconnected. A place that it had before is given back now.
   */
  void occupies(Runnable leaving) {
    leave.run();
    leave = leaving;
    request.response().endHandler(end -> leave.run());
  }

  /** Sets the body and returns this exchange. */
  Exchange with(Buffer whole) {
    body = whole;
    return this;
  }

  /** The body; only for endpoints that read one. */
  public Buffer body() {
    return Objects.requireNonNull(body);
  }

  /** Sets the buyer whom its guard has identified. */
  public void identified(String userId) {
    buyer = userId;
  }

  /** The buyer whom its guard has identified; null if it has none. */
  public @Nullable String buyer() {
    return buyer;
  }

  /** A parameter of the path; empty if there is none of this name. */
  public String pathParam(String name) {
    return pathParams.getOrDefault(name, "");
  }

  public HttpServerRequest request() {
    return request;
  }

  /** The name of the call in the metrics. */
  public String call() {
    return answers.call();
  }

  /** The parameters of its path, decoded. */
  public Map<String, String> pathParams() {
    return pathParams;
  }

  /** Its body; null if it has none, or none was read. */
  public @Nullable Buffer readBody() {
    return body;
  }

  /**
   * Adds something to undo before the call is answered 503, whatever leads to that: a refusal, a
   * failure, or an exception of the handler.
   */
  public void undoneBy503(Runnable undoing) {
    Runnable earlier = undo;
    undo =
        earlier == NOTHING
            ? undoing
            : () -> {
              earlier.run();
              undoing.run();
            };
  }

  /** The time since the request began. */
  public Duration age() {
    return Duration.ofNanos(System.nanoTime() - begunNanos);
  }

  /** Answers with JSON. */
  public void answer(int status, Buffer json) {
    if (!request.response().ended()) {
      keepOutOfCaches();
    }
    answer(status, JSON, json);
  }

  /** Answers 200 with a text of another media type. */
  public void answer(CharSequence mediaType, Buffer text) {
    answer(OK, mediaType, text);
  }

  /** Answers with 204. */
  void answerEmpty() {
    answer(204, null, null);
  }

  /** Answers 304: the caller has the text already. */
  public void answerUnchanged() {
    answer(304, null, null);
  }

  private void answer(int status, @Nullable CharSequence mediaType, @Nullable Buffer body) {
    HttpServerResponse response = request.response();
    if (response.ended()) {
      return;
    }
    response.setStatusCode(status);
    if (mediaType != null) {
      response.headers().set(HttpHeaders.CONTENT_TYPE, mediaType);
    }
    answers.count(outcome(status));
    if (body == null) {
      response.end();
    } else {
      response.end(body);
    }
    answered(status, null);
  }

  /** Sets the tag of what will be answered, by which a later change can refer to it. */
  public void tag(String tag) {
    request.response().headers().set(HttpHeaders.ETAG, IfMatch.quoted(tag));
  }

  /**
   * Most answers are one caller's own; the calls whose answers are for all say how long they hold.
   */
  private void keepOutOfCaches() {
    MultiMap headers = request.response().headers();
    if (!headers.contains(HttpHeaders.CACHE_CONTROL)) {
      headers.set(HttpHeaders.CACHE_CONTROL, NO_STORE);
    }
  }

  /** Tells guard and traces what was answered. */
  private void answered(int status, @Nullable String problem) {
    guard.answered(this, status);
    if (traces.concerns(caller, order, status)) {
      traces.record(
          new RequestTraces.Answered(
              request,
              answers.call(),
              begunNanos,
              caller,
              order,
              madeOrder,
              span,
              status,
              problem));
    }
  }

  /** Whether its caller asks, and may ask, that what it causes is traced. */
  public boolean isTraceAsked() {
    return caller != null;
  }

  /**
   * Sets the order that the request is about.
   *
   * @param made whether the request made it
   */
  public void concerns(OrderToken token, boolean made) {
    order = token;
    madeOrder = made;
  }

  /** Begins an answer of unknown length, which {@link #send} goes on with. */
  public void begin(CharSequence contentType) {
    HttpServerResponse response = request.response();
    response.setChunked(true);
    response.headers().set(HttpHeaders.CONTENT_TYPE, contentType);
    keepOutOfCaches();
    answers.count("ok");
  }

  /**
   * Sends a piece of an answer that was begun. Completes once the connection has taken it, so that
   * what waits for a slow caller is one piece; fails if the caller has disconnected.
   */
  public Future<Void> send(Buffer piece) {
    HttpServerResponse response = request.response();
    if (response.closed()) {
      return Future.failedFuture(new HttpClosedException("Connection was closed"));
    }
    return piece.length() == 0 ? Future.succeededFuture() : response.write(piece);
  }

  /** Ends an answer that was begun. */
  public void end() {
    request.response().end();
    answered(OK, null);
  }

  /** Closes the connection in the middle of an answer, so that nobody takes it for whole. */
  public void cutOff() {
    request.connection().close();
  }

  private static String outcome(int status) {
    return switch (status) {
      case 201 -> "created";
      case 202 -> "accepted";
      default -> "ok";
    };
  }

  /** Answers with a problem. */
  public void answer(Problem problem) {
    if (request.response().ended()) {
      return;
    }
    if (problem.type().status() == UNAVAILABLE) {
      undo.run();
    }
    answers.count(problem.type().word());
    keepOutOfCaches();
    problem.send(request.response());
    answered(problem.type().status(), problem.type().word());
  }

  /** Answers with the Future's result, or with the problem for its failure. */
  public <T> void answer(Future<T> outcome, Handler<T> answer) {
    outcome.onComplete(
        result -> {
          if (result.succeeded()) {
            guard(() -> answer.handle(result.result()));
          } else {
            answer(problem(result.cause()));
          }
        });
  }

  /** An unexpected failure is logged with the trace in which the request is recorded. */
  private Problem problem(Throwable failure) {
    return Problem.ofFailure(failure, answers.call(), this::traced);
  }

  private LoggingEventBuilder traced(LoggingEventBuilder line) {
    TraceContext own = traces.span(caller, order, madeOrder);
    span = own;
    return own == null
        ? line
        : line.addKeyValue(TraceContext.TRACE_ID, own.traceId())
            .addKeyValue(TraceContext.SPAN_ID, own.spanId());
  }

  /**
   * Answers a request that failed while it arrived; its connection is closed then. Does nothing if
   * the caller has disconnected.
   */
  void failed(Throwable cause) {
    if (!(cause instanceof HttpClosedException)) {
      request.response().headers().set(HttpHeaders.CONNECTION, HttpHeaders.CLOSE);
      answer(Problem.ofMalformed(cause));
    }
  }

  /** Runs a part of a handler; an exception becomes the answer. */
  public void guard(Runnable part) {
    try {
      part.run();
    } catch (RuntimeException e) {
      fail(e);
    }
  }

  /** An exception of a handler becomes the answer. */
  void fail(RuntimeException e) {
    answer(problem(e));
  }

  /** Decides who may make a call. */
  @FunctionalInterface
  public interface Guard {
    /** Admits everybody. */
    Guard ANYBODY = call -> null;

    /** The answer to a caller who may not make the call; null for one who may. */
    @Nullable Problem refusal(Exchange call);

    /** Notified of the answer to each call that it guards, admitted or not. */
    default void answered(Exchange call, int status) {}
  }
}
