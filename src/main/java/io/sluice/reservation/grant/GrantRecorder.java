package io.sluice.reservation.grant;

import io.micrometer.core.instrument.Timer;
import io.sluice.async.LoopContext;
import io.sluice.model.Command;
import io.sluice.model.Grant;
import io.sluice.model.Order;
import io.sluice.model.OrderToken;
import io.sluice.reservation.LoopStores;
import io.sluice.tracing.BatchTrace.BatchStep;
import io.sluice.tracing.TraceContext;
import io.sluice.tracing.Traces;
import io.vertx.core.Future;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * Makes grants durable, in a record of the order log or directly in the ledger. Callers learn only
 * which grants are durable now, and their orders.
 */
final class GrantRecorder {
  private final LogBatcher log;
  private final GrantRouter routes;
  private final DirectBooking direct;
  private final LoopContext loop;
  private final Timer appendLatency;
  private final Traces traces;

  /**
   * @param appendMax after which an append does not delay others any more
   */
  GrantRecorder(
      LoopStores stores,
      GrantRouter routes,
      DirectBooking direct,
      LoopContext loop,
      Duration appendMax,
      Timer latency,
      Traces traces) {
    this.log =
        new LogBatcher(
            stores.log(), LogBatcher.RECORD_COMMANDS_MAX, routes::appending, loop, appendMax);
    this.routes = routes;
    this.direct = direct;
    this.loop = loop;
    this.appendLatency = latency;
    this.traces = traces;
  }

  /**
   * Completes with the orders of the grants that are durable now. For the others this is unknown,
   * and nothing is undone.
   *
   * @param run of the Redis process that has these grants in {@code unbooked}
   * @param traced the spans above those of the traced grants
   */
  Future<Map<OrderToken, Order>> record(
      int partition,
      GrantRoute route,
      String run,
      Collection<Grant> grants,
      Map<OrderToken, TraceContext> traced) {
    if (route == GrantRoute.DIRECT) {
      return book(partition, grants, traced);
    }
    if (!routes.isLogTaking(partition)) {
      return bookWithinBudget(partition, grants, traced);
    }
    return append(partition, run, grants, traced)
        .transform(
            ack ->
                ack.succeeded()
                    ? Future.succeededFuture(reserved(grants))
                    : bookWithinBudget(partition, grants, traced));
  }

  /** Completes when grants of this partition would be recorded without queueing. */
  Future<Void> room(int partition) {
    return log.room(partition);
  }

  private Future<Long> append(
      int partition, String run, Collection<Grant> grants, Map<OrderToken, TraceContext> traced) {
    RecordingTrace trace =
        RecordingTrace.begin(traces, BatchStep.APPEND, grants, traced, loop.nanoTime());
    List<Command> commands =
        grants.stream()
            .<Command>map(
                grant -> new Command.Reserve(grant, run, trace.traceparent(grant.token())))
            .toList();
    long startNanos = loop.now();
    return log.append(partition, commands)
        .onComplete(
            ack -> {
              appendLatency.record(loop.now() - startNanos, TimeUnit.NANOSECONDS);
              trace.end(partition, ack.failed() ? ack.cause().toString() : null);
            });
  }

  /** The append failed, but its record may still appear in the log; it is a duplicate then. */
  private Future<Map<OrderToken, Order>> bookWithinBudget(
      int partition, Collection<Grant> grants, Map<OrderToken, TraceContext> traced) {
    List<Grant> some = grants.stream().limit(routes.take(grants.size())).toList();
    return some.isEmpty() ? Future.succeededFuture(Map.of()) : book(partition, some, traced);
  }

  private Future<Map<OrderToken, Order>> book(
      int partition, Collection<Grant> grants, Map<OrderToken, TraceContext> traced) {
    RecordingTrace trace =
        RecordingTrace.begin(traces, BatchStep.BOOK_DIRECTLY, grants, traced, loop.nanoTime());
    return direct
        .book(grants)
        .onSuccess(
            orders ->
                trace.end(
                    partition,
                    orders.size() == grants.size()
                        ? null
                        : "not known to be booked: " + (grants.size() - orders.size())));
  }

  private static Map<OrderToken, Order> reserved(Collection<Grant> grants) {
    return grants.stream()
        .map(Order::reserved)
        .collect(Collectors.toMap(Order::token, Function.identity()));
  }
}
