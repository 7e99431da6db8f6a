package io.sluice.reservation.grant;

import io.sluice.async.TimerQueue;
import io.sluice.model.Grant;
import io.sluice.model.Order;
import io.sluice.model.OrderStatus;
import io.sluice.model.OrderToken;
import io.sluice.reservation.grant.PlacedOrder.Accepted;
import io.sluice.reservation.order.BookedOrders;
import java.time.Duration;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Answers the requests that Redis has granted, now or before: once their grants are durable, and
 * never after the deadline of their batch.
 */
final class GrantAnswers {
  /**
   * How long a repeated request waits for its order's status before it is answered with what is
   * known.
   */
  static final Duration STATUS_WAIT = Duration.ofMillis(300);

  private static final Set<OrderStatus> LIVE =
      EnumSet.of(OrderStatus.RESERVED, OrderStatus.PENDING, OrderStatus.CONFIRMED);

  private final GrantRecorder recorder;
  private final GrantTraces traces;
  private final BookedOrders booked;
  private final TimerQueue deadlines;

  GrantAnswers(
      GrantRecorder recorder, GrantTraces traces, BookedOrders booked, TimerQueue deadlines) {
    this.recorder = recorder;
    this.traces = traces;
    this.booked = booked;
    this.deadlines = deadlines;
  }

  /**
   * Makes grants durable, and acknowledges them.
   *
   * @param partition of their buckets
   * @param run of the Redis process that has them in {@code unbooked}
   */
  void record(int partition, GrantBatch<?> batch, String run, List<UnackedGrant> unacked) {
    unacked.stream()
        .collect(Collectors.groupingBy(each -> each.request().route()))
        .forEach((route, ofRoute) -> record(partition, batch, run, route, ofRoute));
  }

  private void record(
      int partition,
      GrantBatch<?> batch,
      String run,
      GrantRoute route,
      List<UnackedGrant> unacked) {
    for (int from = 0; from < unacked.size(); from += LogBatcher.RECORD_COMMANDS_MAX) {
      int to = Math.min(from + LogBatcher.RECORD_COMMANDS_MAX, unacked.size());
      recordOnce(partition, batch, run, route, unacked.subList(from, to));
    }
  }

  /**
   * Acknowledges the grants once they are durable, if within the deadline; else nothing is undone.
   */
  private void recordOnce(
      int partition,
      GrantBatch<?> batch,
      String run,
      GrantRoute route,
      List<UnackedGrant> unacked) {
    Map<OrderToken, Grant> distinct = new LinkedHashMap<>();
    unacked.forEach(each -> distinct.put(each.grant().token(), each.grant()));
    recorder
        .record(partition, route, run, distinct.values(), traces.traced(unacked))
        .onComplete(
            done -> {
              boolean inTime = done.succeeded() && !batch.isLate();
              Map<OrderToken, Order> durable = inTime ? done.result() : Map.of();
              unacked.forEach(each -> each.request().answer(answer(each, durable)));
            });
  }

  /** A grant that was booked directly may have been in the ledger before, and have ended. */
  private static PlacedOrder answer(UnackedGrant each, Map<OrderToken, Order> durable) {
    Order order = durable.get(each.grant().token());
    return order != null && LIVE.contains(order.status())
        ? new Accepted(order, each.fresh())
        : Refusals.unavailable();
  }

  /** Reads the order's current status, but the 200 does not depend on that read. */
  void tellStatus(OpenRequest request, Grant grant) {
    Order asGranted = booked(grant);
    request.otherwise(new Accepted(asGranted, false));
    booked
        .findBooked(grant.token())
        .onComplete(
            found -> {
              Order order = found.succeeded() ? found.result().orElse(asGranted) : asGranted;
              request.answer(new Accepted(order, false));
            });
  }

  /** These are answered with what is known of them, if their status is not read in time. */
  void giveUpLater(List<? extends OpenRequest> repeats) {
    if (!repeats.isEmpty()) {
      deadlines.after(STATUS_WAIT, () -> repeats.forEach(OpenRequest::giveUp));
    }
  }

  /** The order of a grant that is in the ledger, as far as it is certain. */
  private static Order booked(Grant grant) {
    OrderStatus status = grant.confirmsOnBooking() ? OrderStatus.CONFIRMED : OrderStatus.PENDING;
    return Order.reserved(grant).changed(status, null, grant.grantedAtMs());
  }
}
