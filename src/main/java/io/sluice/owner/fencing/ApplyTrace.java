package io.sluice.owner.fencing;

import io.sluice.model.Command;
import io.sluice.model.OrderToken;
import io.sluice.tracing.BatchTrace;
import io.sluice.tracing.BatchTrace.BatchStep;
import io.sluice.tracing.Span.Attributes;
import io.sluice.tracing.TraceContext;
import io.sluice.tracing.TracedOrders;
import io.sluice.tracing.Traces;
import io.vertx.core.Future;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Records the transactions that apply commands of traced orders, and those that fail. */
final class ApplyTrace {
  private final TracedOrders traced;

  ApplyTrace(TracedOrders traced) {
    this.traced = traced;
  }

  /** Runs the work, which applies these commands. */
  <T> Future<T> of(int partition, List<Command> commands, Supplier<Future<T>> work) {
    Traces traces = traced.traces();
    if (!traces.isOn() || commands.isEmpty()) {
      return work.get();
    }
    long startNanos = System.nanoTime();
    BatchTrace batch = begin(startNanos, commands);
    return work.get()
        .onComplete(
            done -> {
              Map<String, Object> place = Map.of(Attributes.PARTITION, (long) partition);
              if (batch != null) {
                batch.end(
                    System.nanoTime(),
                    commands.size(),
                    place,
                    done.failed() ? done.cause().toString() : null);
              } else if (done.failed()) {
                BatchTrace.failed(
                    traces,
                    BatchStep.APPLY,
                    startNanos,
                    System.nanoTime(),
                    tokens(commands),
                    commands.size(),
                    place,
                    done.cause().toString());
              }
            });
  }

  private @Nullable BatchTrace begin(long startNanos, List<Command> commands) {
    BatchTrace batch = null;
    for (Command command : commands) {
      OrderToken token = command.token();
      TraceContext parent =
          token == null
              ? null
              : command instanceof Command.Reserve reserve
                  ? traced.of(token, reserve.trace())
                  : traced.of(token.value());
      if (token != null && parent != null) {
        if (batch == null) {
          batch = new BatchTrace(traced.traces(), BatchStep.APPLY, startNanos);
        }
        TraceContext ignored = batch.add(parent, token.value());
      }
    }
    return batch;
  }

  private static List<String> tokens(List<Command> commands) {
    return commands.stream()
        .map(Command::token)
        .filter(Objects::nonNull)
        .map(OrderToken::value)
        .toList();
  }
}
