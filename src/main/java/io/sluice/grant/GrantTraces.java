package io.sluice.grant;

import io.sluice.async.LoopContext;
import io.sluice.model.Grant;
import io.sluice.model.OrderToken;
import io.sluice.stock.GrantOutcome;
import io.sluice.stock.ReserveReply;
import io.sluice.tracing.BatchTrace;
import io.sluice.tracing.BatchTrace.BatchStep;
import io.sluice.tracing.Span.Attributes;
import io.sluice.tracing.TraceContext;
import io.sluice.tracing.Traces;
import io.vertx.core.AsyncResult;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/** Records the steps with requests that are traced, and those that fail. */
record GrantTraces(Traces traces, LoopContext loop) {

  /** Records a call to Redis that has ended. Requests that were refused are no part of it. */
  void reserved(GrantRequest.Batch batch, AsyncResult<ReserveReply> reply) {
    if (!traces.isOn()) {
      return;
    }
    Map<String, Object> place = new HashMap<>();
    place.put(Attributes.PARTITION, (long) batch.lead().partition());
    if (batch.isOfBucket()) {
      place.put(Attributes.BUCKET, batch.lead().id().toString());
    }
    List<GrantRequest> requests = batch.requests();
    List<OrderToken> tokens = requests.stream().map(GrantRequest::token).toList();
    Step step = new Step(traces, BatchStep.RESERVE, tokens, loop.nanoTime(), batch.startNanos());
    for (int i = 0; i < requests.size(); i++) {
      TraceContext parent = requests.get(i).trace();
      if (parent != null && !isRefused(reply.result(), i)) {
        step.add(tokens.get(i), parent);
      }
    }
    step.end(place, reply.failed() ? reply.cause().toString() : null);
  }

  private static boolean isRefused(@Nullable ReserveReply reply, int request) {
    if (reply == null) {
      return false;
    }
    GrantOutcome outcome = request < reply.outcomes().size() ? reply.outcomes().get(request) : null;
    return !(outcome instanceof GrantOutcome.Granted || outcome instanceof GrantOutcome.Already);
  }

  /** The first spans of those requests that are traced, by their orders. */
  Map<OrderToken, TraceContext> traced(List<GrantRequest.Unacked> unacked) {
    if (!traces.isOn()) {
      return Map.of();
    }
    Map<OrderToken, TraceContext> traced = new HashMap<>();
    for (GrantRequest.Unacked each : unacked) {
      TraceContext trace = each.request().trace();
      if (trace != null) {
        traced.put(each.grant().token(), trace);
      }
    }
    return traced;
  }

  /**
   * Begins a step that makes grants durable, some of which may be traced.
   *
   * @param parents of the traced grants
   */
  Step begin(BatchStep step, Collection<Grant> grants, Map<OrderToken, TraceContext> parents) {
    if (!traces.isOn()) {
      return Step.NOTHING;
    }
    List<OrderToken> tokens = grants.stream().map(Grant::token).toList();
    Step begun = new Step(traces, step, tokens, loop.nanoTime(), loop.now());
    parents.forEach(begun::add);
    return begun;
  }

  /** A step of a batch. */
  static final class Step {
    private static final Step NOTHING =
        new Step(Traces.OFF, BatchStep.APPEND, List.of(), () -> 0, 0);

    private final Traces traces;
    private final BatchStep step;
    private final List<OrderToken> tokens;
    private final LongSupplier nanoTime;
    private final long startNanos;
    private final Map<OrderToken, TraceContext> spans = new HashMap<>();
    private @Nullable BatchTrace batch;

    private Step(
        Traces traces,
        BatchStep step,
        List<OrderToken> tokens,
        LongSupplier nanoTime,
        long startNanos) {
      this.traces = traces;
      this.step = step;
      this.tokens = tokens;
      this.nanoTime = nanoTime;
      this.startNanos = startNanos;
    }

    private void add(OrderToken token, TraceContext parent) {
      if (batch == null) {
        batch = new BatchTrace(traces, step, startNanos);
      }
      spans.put(token, batch.add(parent, token.value()));
    }

    /** The trace that the record of this grant carries; null if it is not traced. */
    @Nullable String traceparent(OrderToken token) {
      TraceContext span = spans.get(token);
      return span == null ? null : span.text();
    }

    /** Ends the step. */
    void end(int partition, @Nullable String error) {
      if (traces.isOn()) {
        end(Map.of(Attributes.PARTITION, (long) partition), error);
      }
    }

    private void end(Map<String, Object> place, @Nullable String error) {
      long endNanos = nanoTime.getAsLong();
      int size = tokens.size();
      if (batch != null) {
        batch.end(endNanos, size, place, error);
      } else if (error != null) {
        List<String> some = tokens.stream().map(OrderToken::value).toList();
        BatchTrace.failed(traces, step, startNanos, endNanos, some, size, place, error);
      }
    }
  }
}
