package io.sluice.web;

import io.sluice.model.OrderToken;
import io.sluice.tracing.Span;
import io.sluice.tracing.Span.Attributes;
import io.sluice.tracing.Span.Kind;
import io.sluice.tracing.TraceContext;
import io.sluice.tracing.Traces;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerRequest;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Records the requests of a port: those about a traced order, those that a trusted proxy asks for
 * with a sampled traceparent, and those that fail. Thread-safe.
 *
 * <p>The trace of an order is its own. If a caller has a trace, the request is a span in that one,
 * with a link to the order's, which begins with a span that links back.
 *
 * @param isTrusted whether a peer with this address may ask for traces
 */
public record RequestTraces(Traces traces, Predicate<String> isTrusted) {
  private static final CharSequence HEADER = HttpHeaders.createOptimized(TraceContext.HEADER);
  private static final int FAILED = 500;
  private static final String BUSY = "busy";
  private static final String ORDER = "order";

  /** Records nothing. */
  public static final RequestTraces OFF = new RequestTraces(Traces.OFF, address -> false);

  /**
   * A request that was answered.
   *
   * @param call its name in the metrics
   * @param caller the span that it comes from, if its caller asked for a trace
   * @param order that it is about, if one is known
   * @param first whether it made the order
   * @param span that it is recorded as, if that was drawn before
   * @param problem the answer, if it was one
   */
  record Answered(
      HttpServerRequest request,
      String call,
      long begunNanos,
      @Nullable TraceContext caller,
      @Nullable OrderToken order,
      boolean first,
      @Nullable TraceContext span,
      int status,
      @Nullable String problem) {

    private boolean isFailed() {
      return status >= FAILED;
    }

    private boolean isBusy() {
      return BUSY.equals(problem);
    }
  }

  /** The span that a request comes from; null if its caller does not, or may not, ask. */
  @Nullable TraceContext caller(HttpServerRequest request) {
    String header = traces.isOn() ? request.headers().get(HEADER) : null;
    TraceContext caller = header == null ? null : TraceContext.sampled(header);
    return caller != null
            && isTrusted.test(request.connection().remoteAddress().hostAddress())
            && traces.takesAsked()
        ? caller
        : null;
  }

  /** Whether a request has to be given to {@link #record}. */
  boolean concerns(@Nullable TraceContext caller, @Nullable OrderToken order, int status) {
    return traces.isOn()
        && (caller != null || status >= FAILED || (order != null && traces.samples(order.value())));
  }

  void record(Answered answered) {
    OrderToken order = answered.order();
    boolean isSampled =
        answered.caller() != null || (order != null && traces.samples(order.value()));
    if (!isSampled && !(answered.isFailed() && traces.takesFailure(answered.isBusy()))) {
      return;
    }
    long endNanos = System.nanoTime();
    TraceContext caller = answered.caller();
    TraceContext root = order == null ? null : TraceContext.ofOrder(order);
    TraceContext drawn = answered.span();
    TraceContext span = drawn == null ? draw(caller, order, answered.first()) : drawn;
    String below = root == null || answered.first() ? null : root.spanId();
    if (caller != null) {
      TraceContext ofOrder = order == null ? null : draw(null, order, answered.first());
      List<TraceContext> link = ofOrder == null ? List.of() : List.of(ofOrder);
      record(answered, span, caller.spanId(), Kind.SERVER, endNanos, link);
      if (ofOrder != null) {
        record(answered, ofOrder, below, Kind.INTERNAL, endNanos, List.of(span));
      }
    } else {
      record(answered, span, below, Kind.SERVER, endNanos, List.of());
    }
  }

  /**
   * The span that a request that fails is recorded as, before it is answered; null if nothing is
   * recorded. There may be too many failures to record this one.
   *
   * @param first whether the request made the order
   */
  @Nullable TraceContext span(
      @Nullable TraceContext caller, @Nullable OrderToken order, boolean first) {
    return traces.isOn() ? draw(caller, order, first) : null;
  }

  private static TraceContext draw(
      @Nullable TraceContext caller, @Nullable OrderToken order, boolean first) {
    if (caller != null) {
      return caller.child();
    }
    if (order == null) {
      return TraceContext.fresh();
    }
    TraceContext root = TraceContext.ofOrder(order);
    return first ? root : root.child();
  }

  private void record(
      Answered answered,
      TraceContext span,
      @Nullable String parent,
      Kind kind,
      long endNanos,
      List<TraceContext> links) {
    String name = kind == Kind.SERVER ? answered.call() : ORDER + " " + answered.call();
    traces.record(
        new Span(
            span,
            parent,
            name,
            kind,
            answered.begunNanos(),
            endNanos,
            attributes(answered),
            links,
            answered.isFailed() ? answered.problem() : null));
  }

  private static Map<String, Object> attributes(Answered answered) {
    Map<String, Object> attributes = new HashMap<>();
    attributes.put(Attributes.CALL, answered.call());
    attributes.put(Attributes.METHOD, answered.request().method().name());
    attributes.put(Attributes.STATUS, (long) answered.status());
    OrderToken order = answered.order();
    if (order != null) {
      attributes.put(Attributes.ORDER_TOKEN, order.value());
    }
    String problem = answered.problem();
    if (problem != null) {
      attributes.put(Attributes.ERROR_TYPE, problem);
    }
    return attributes;
  }
}
