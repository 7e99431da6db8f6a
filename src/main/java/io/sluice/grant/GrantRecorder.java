package io.sluice.grant;

import io.micrometer.core.instrument.Timer;
import io.sluice.async.LoopContext;
import io.sluice.async.TimerQueue;
import io.sluice.metrics.Meters;
import io.sluice.model.Command;
import io.sluice.model.Grant;
import io.sluice.model.Order;
import io.sluice.model.OrderToken;
import io.sluice.order.LoopStores;
import io.sluice.orderlog.OrderLog;
import io.sluice.tracing.BatchTrace;
import io.sluice.tracing.BatchTrace.BatchStep;
import io.sluice.tracing.TraceContext;
import io.vertx.core.Future;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * Makes grants durable, in a record of the order log or past it in the ledger, and acknowledges
 * them then: never after the deadline of their batch.
 */
final class GrantRecorder {
  /** A log slower than this does not delay requests that have not been sent to Redis yet. */
  static final Duration ROOM_WAIT_MAX = Duration.ofMillis(100);

  private final OrderLog log;
  private final GrantRouter routes;
  private final Backlog backlog;
  private final PastLogBooking pastLog;
  private final LoopContext loop;
  private final TimerQueue deadlines;
  private final Timer appendLatency;
  private final GrantTraces traces;

  GrantRecorder(
      LoopStores stores,
      GrantRouter routes,
      Backlog backlog,
      LoopContext loop,
      Meters meters,
      GrantTraces traces) {
    this.log = stores.log();
    this.routes = routes;
    this.backlog = backlog;
    this.pastLog = new PastLogBooking(stores.ledger(), stores.skus(), meters);
    this.loop = loop;
    this.deadlines = new TimerQueue(loop);
    this.appendLatency = meters.logAppend();
    this.traces = traces;
  }

  /**
   * Makes grants of a batch durable, and acknowledges them.
   *
   * @param run of the Redis process that has them in {@code unbooked}
   */
  void record(GrantRequest.Batch batch, String run, List<GrantRequest.Unacked> unacked) {
    unacked.stream()
        .collect(Collectors.groupingBy(each -> each.request().route()))
        .forEach((route, ofRoute) -> record(batch, run, route, ofRoute));
  }

  /** If they are not durable within the deadline, nothing is undone. */
  private void record(
      GrantRequest.Batch batch,
      String run,
      GrantRouter.Route route,
      List<GrantRequest.Unacked> unacked) {
    int partition = batch.lead().partition();
    Map<OrderToken, Grant> distinct = new LinkedHashMap<>();
    unacked.forEach(each -> distinct.put(each.grant().token(), each.grant()));
    Collection<Grant> grants = distinct.values();
    Map<OrderToken, TraceContext> traced = traces.traced(unacked);
    Future<Map<OrderToken, Order>> recorded =
        route == GrantRouter.Route.PAST_LOG
            ? book(partition, grants, traced)
            : append(partition, run, grants, traced);
    recorded.onComplete(
        done -> {
          boolean inTime = done.succeeded() && !batch.isLate();
          Map<OrderToken, Order> durable = inTime ? done.result() : Map.of();
          unacked.forEach(each -> each.answer(durable));
        });
  }

  /** Completes when the log has room for this partition, or after {@link #ROOM_WAIT_MAX}. */
  Future<Void> room(int partition) {
    return deadlines.within(ROOM_WAIT_MAX, log.room(partition)).otherwiseEmpty();
  }

  /**
   * An append that fails may still appear in the log; its grants, booked past it, are duplicates
   * there.
   */
  private Future<Map<OrderToken, Order>> append(
      int partition, String run, Collection<Grant> grants, Map<OrderToken, TraceContext> traced) {
    if (!log.takes(partition)) {
      return bookWithinBudget(partition, grants, traced);
    }
    BatchTrace step = traces.begin(BatchStep.APPEND);
    List<Command> commands = new ArrayList<>();
    for (Grant grant : grants) {
      TraceContext span = step.add(traced.get(grant.token()), grant.token().value());
      commands.add(new Command.Reserve(grant, run, span == null ? null : span.text()));
    }
    long startNanos = loop.now();
    backlog.appending(commands.size());
    return log.append(partition, commands)
        .onSuccess(offset -> backlog.appended(partition, offset, commands.size()))
        .onComplete(
            ack -> {
              appendLatency.record(loop.now() - startNanos, TimeUnit.NANOSECONDS);
              traces.end(step, partition, grants, BatchTrace.errorOf(ack));
            })
        .transform(
            ack ->
                ack.succeeded()
                    ? Future.succeededFuture(reserved(grants))
                    : bookWithinBudget(partition, grants, traced));
  }

  private Future<Map<OrderToken, Order>> bookWithinBudget(
      int partition, Collection<Grant> grants, Map<OrderToken, TraceContext> traced) {
    List<Grant> some = grants.stream().limit(routes.take(grants.size())).toList();
    return some.isEmpty() ? Future.succeededFuture(Map.of()) : book(partition, some, traced);
  }

  private Future<Map<OrderToken, Order>> book(
      int partition, Collection<Grant> grants, Map<OrderToken, TraceContext> traced) {
    BatchTrace step = traces.begin(BatchStep.BOOK_PAST_LOG);
    traced.forEach((token, parent) -> step.add(parent, token.value()));
    return pastLog
        .book(grants)
        .onSuccess(
            orders ->
                traces.end(
                    step,
                    partition,
                    grants,
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
