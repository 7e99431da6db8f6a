package io.sluice.owner;

import io.sluice.ledger.Ledger.OutboxKind;
import io.sluice.ledger.Ledger.OutboxRow;
import io.sluice.ledger.OutboxPayload;
import io.sluice.orderlog.Event;
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

  private final Duties duties;
  private boolean heartbeatDue;

  EventRelay(Duties duties) {
    this.duties = duties;
  }

  Future<Boolean> relayEvents() {
    return relay(
        OutboxKind.EVENT,
        row -> new Event(row.eventType(), OutboxPayload.key(row.payload()), row.payload()),
        events -> duties.events().publish(partition(), events),
        this::heartbeatIfDue);
  }

  /** A timer's call: the next pass that finds nothing left says so. */
  void heartbeatIsDue() {
    heartbeatDue = true;
  }

  private Future<Void> heartbeatIfDue() {
    if (!heartbeatDue) {
      return Future.succeededFuture();
    }
    heartbeatDue = false;
    return duties.events().publish(partition(), List.of(heartbeat()));
  }

  Future<Boolean> relayDeadLetters() {
    return relay(
        OutboxKind.DEAD,
        row -> new Event(row.eventType(), partitionKey(), row.payload()),
        letters -> duties.events().deadLetter(partition(), letters),
        Future::succeededFuture);
  }

  private Future<Boolean> relay(
      OutboxKind kind,
      Function<OutboxRow, Event> asEvent,
      Function<List<Event>, Future<Void>> publish,
      Supplier<Future<Void>> whenEmpty) {
    return duties
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
                          duties.ledger().sent(rows.stream().map(OutboxRow::id).toList()))
                  .map(true);
            });
  }

  /** Carries the term, so that listeners can ignore a heartbeat of an owner that was replaced. */
  private Event heartbeat() {
    String payload =
        "{\"type\":\"HEARTBEAT\",\"partition\":%d,\"term\":%d}"
            .formatted(partition(), duties.ownership().term());
    return new Event("HEARTBEAT", partitionKey(), payload);
  }

  private String partitionKey() {
    return "partition-" + partition();
  }

  private int partition() {
    return duties.ownership().partition();
  }
}
