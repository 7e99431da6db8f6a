package io.sluice.reservation.grant;

import io.sluice.model.Grant;
import io.sluice.model.OrderToken;
import io.sluice.tracing.BatchTrace;
import io.sluice.tracing.BatchTrace.BatchStep;
import io.sluice.tracing.Span.Attributes;
import io.sluice.tracing.TraceContext;
import io.sluice.tracing.Traces;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/** One step that makes grants durable, some of which may be traced. */
final class RecordingTrace {
  private static final RecordingTrace NOTHING =
      new RecordingTrace(Traces.OFF, BatchStep.APPEND, List.of(), () -> 0);

  private final Traces traces;
  private final BatchStep step;
  private final Collection<Grant> grants;
  private final LongSupplier nanoTime;
  private final long startNanos;
  private final Map<OrderToken, TraceContext> spans = new HashMap<>();
  private @Nullable BatchTrace batch;

  private RecordingTrace(
      Traces traces, BatchStep step, Collection<Grant> grants, LongSupplier nanoTime) {
    this.traces = traces;
    this.step = step;
    this.grants = grants;
    this.nanoTime = nanoTime;
    this.startNanos = nanoTime.getAsLong();
  }

  /**
   * Begins a step.
   *
   * @param parents of the traced grants
   */
  static RecordingTrace begin(
      Traces traces,
      BatchStep step,
      Collection<Grant> grants,
      Map<OrderToken, TraceContext> parents,
      LongSupplier nanoTime) {
    if (!traces.isOn()) {
      return NOTHING;
    }
    RecordingTrace begun = new RecordingTrace(traces, step, grants, nanoTime);
    parents.forEach(begun::add);
    return begun;
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
    if (!traces.isOn()) {
      return;
    }
    Map<String, Object> place = Map.of(Attributes.PARTITION, (long) partition);
    if (batch != null) {
      batch.end(nanoTime.getAsLong(), grants.size(), place, error);
    } else if (error != null) {
      List<String> tokens = grants.stream().map(grant -> grant.token().value()).toList();
      BatchTrace.failed(
          traces, step, startNanos, nanoTime.getAsLong(), tokens, tokens.size(), place, error);
    }
  }
}
