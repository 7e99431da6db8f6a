package io.sluice.owner;

import io.sluice.model.Command;
import io.sluice.model.OrderToken;
import io.sluice.stock.BucketCode;
import io.sluice.tracing.BatchTrace;
import io.sluice.tracing.BatchTrace.BatchStep;
import io.sluice.tracing.Span.Attributes;
import io.sluice.tracing.TraceContext;
import io.sluice.tracing.TracedOrders;
import io.vertx.core.AsyncResult;
import io.vertx.core.Future;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** A step that an owner takes for some orders, of which some may be traced. */
final class StepTrace {
  private final TracedOrders traced;
  private final BatchStep step;
  private final long startNanos = System.nanoTime();
  private @Nullable BatchTrace batch;

  StepTrace(TracedOrders traced, BatchStep step) {
    this.traced = traced;
    this.step = step;
  }

  /** Runs the work, which applies these commands. */
  static <T> Future<T> ofApply(
      TracedOrders traced, int partition, List<Command> commands, Supplier<Future<T>> work) {
    if (!traced.traces().isOn() || commands.isEmpty()) {
      return work.get();
    }
    StepTrace trace = new StepTrace(traced, BatchStep.APPLY);
    List<String> tokens = commands.stream().map(trace::add).filter(Objects::nonNull).toList();
    return work.get().onComplete(done -> trace.end(partition, commands.size(), tokens, done));
  }

  /** Adds the order of a command, and returns its token; null if it has none. */
  private @Nullable String add(Command command) {
    OrderToken token = command.token();
    if (token == null) {
      return null;
    }
    add(
        token.value(),
        command instanceof Command.Reserve reserve
            ? traced.of(token, reserve.trace())
            : traced.of(token.value()));
    return token.value();
  }

  /** Adds an order, and returns the span of this step; null if it is not traced. */
  @Nullable TraceContext add(String orderToken) {
    return traced.traces().isOn() ? add(orderToken, traced.of(orderToken)) : null;
  }

  private @Nullable TraceContext add(String orderToken, @Nullable TraceContext parent) {
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
    end(partition, size, List.of(), outcome);
  }

  private void end(int partition, int size, List<String> tokens, AsyncResult<?> outcome) {
    String failure = outcome.failed() ? outcome.cause().toString() : null;
    Map<String, Object> place = Map.of(Attributes.PARTITION, (long) partition);
    if (batch != null) {
      batch.end(System.nanoTime(), size, place, failure == null ? refusal(outcome) : failure);
    } else if (failure != null) {
      BatchTrace.failed(
          traced.traces(), step, startNanos, System.nanoTime(), tokens, size, place, failure);
    }
  }
}
