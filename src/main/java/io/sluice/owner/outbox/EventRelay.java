package io.sluice.owner.outbox;

import io.sluice.ledger.Outbox.OutboxKind;
import io.sluice.ledger.Outbox.OutboxRow;
import io.sluice.ledger.rules.OutboxPayload;
import io.sluice.orderlog.Event;
import io.sluice.owner.fencing.OwnerContext;
import io.vertx.core.Future;
import java.util.List;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * Passes events on to their topic, and dead letters to theirs, in the order of their ids, at least
 * once.
 *
 * <p>A heartbeat that is due is sent when nothing is left to send: what listeners have heard of
 * this partition is current then.
 */
final class EventRelay {
  static final int PAGE_MAX = 500;

  private final OwnerContext context;
  private boolean heartbeatDue;

  EventRelay(OwnerContext context) {
    this.context = context;
  }

  /** The time of a heartbeat is read first: all that was committed before it is sent before it. */
  Future<Boolean> relayEvents() {
    return heartbeatDue
        ? context.ledger().nowMs().compose(nowMs -> relayEvents(() -> heartbeat(nowMs)))
        : relayEvents(Future::succeededFuture);
  }

  private Future<Boolean> relayEvents(Supplier<Future<Void>> whenEmpty) {
    return relay(
        OutboxKind.EVENT,
        row -> new Event(row.eventType(), OutboxPayload.key(row.payload()), row.payload()),
        events -> context.events().publish(partition(), events),
        whenEmpty);
  }

  /** A timer's call: the next pass that finds nothing left says so. */
  void heartbeatIsDue() {
    heartbeatDue = true;
  }

  private Future<Void> heartbeat(long madeAtMs) {
    heartbeatDue = false;
    return context.events().publish(partition(), List.of(heartbeatOf(madeAtMs)));
  }

  Future<Boolean> relayDeadLetters() {
    return relay(
        OutboxKind.DEAD,
        row -> new Event(row.eventType(), partitionKey(), row.payload()),
        letters -> context.events().deadLetter(partition(), letters),
        Future::succeededFuture);
  }

  private Future<Boolean> relay(
      OutboxKind kind,
      Function<OutboxRow, Event> asEvent,
      Function<List<Event>, Future<Void>> publish,
      Supplier<Future<Void>> whenEmpty) {
    return context
        .ledger()
        .pending(partition(), kind, 0, PAGE_MAX)
        .compose(
            rows -> {
              if (rows.isEmpty()) {
                return whenEmpty.get().map(false);
              }
              return publish
                  .apply(rows.stream().map(asEvent).toList())
                  .compose(
                      acknowledged ->
                          context.ledger().sent(rows.stream().map(OutboxRow::id).toList()))
                  .map(true);
            });
  }

  /**
   * Carries the term, so that listeners can ignore a heartbeat of an owner that was replaced, and
   * when it was made by the ledger's clock, so that they can ignore one that took long to arrive.
   */
  private Event heartbeatOf(long madeAtMs) {
    String payload =
        "{\"type\":\"HEARTBEAT\",\"partition\":%d,\"term\":%d,\"at\":%d}"
            .formatted(partition(), context.ownership().term(), madeAtMs);
    return new Event("HEARTBEAT", partitionKey(), payload);
  }

  private String partitionKey() {
    return "partition-" + partition();
  }

  private int partition() {
    return context.ownership().partition();
  }
}
