package io.sluice.owner.outbox;

import io.sluice.stock.BucketCode;
import io.sluice.tracing.BatchTrace;
import io.sluice.tracing.BatchTrace.BatchStep;
import io.sluice.tracing.Span.Attributes;
import io.sluice.tracing.TraceContext;
import io.sluice.tracing.TracedOrders;
import io.vertx.core.AsyncResult;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A step that an outbox takes for some orders, of which some may be traced. */
final class StepTrace {
  private final TracedOrders traced;
  private final BatchStep step;
  private final long startNanos = System.nanoTime();
  private @Nullable BatchTrace batch;

  StepTrace(TracedOrders traced, BatchStep step) {
    this.traced = traced;
    this.step = step;
  }

  /** Adds an order, and returns the span of this step; null if it is not traced. */
  @Nullable TraceContext add(String orderToken) {
    if (!traced.traces().isOn()) {
      return null;
    }
    TraceContext parent = traced.of(orderToken);
    if (parent == null) {
      return null;
    }
    if (batch == null) {
      batch = new BatchTrace(traced.traces(), step, startNanos);
    }
    return batch.add(parent, orderToken);
  }

  /** The answer of Redis if it has not done it: a normal state, so no failure. */
  private static @Nullable String refusal(AsyncResult<?> outcome) {
    return outcome.result() instanceof BucketCode code && code != BucketCode.OK
        ? code.name()
        : null;
  }

  /**
   * Ends the step.
   *
   * @param size orders that are not traced included
   */
  void end(int partition, int size, AsyncResult<?> outcome) {
    String failure = outcome.failed() ? outcome.cause().toString() : null;
    Map<String, Object> place = Map.of(Attributes.PARTITION, (long) partition);
    if (batch != null) {
      batch.end(System.nanoTime(), size, place, failure == null ? refusal(outcome) : failure);
    } else if (failure != null) {
      BatchTrace.failed(
          traced.traces(), step, startNanos, System.nanoTime(), List.of(), size, place, failure);
    }
  }
}
