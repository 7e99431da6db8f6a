package io.sluice.owner;

import io.sluice.ledger.Ledger;
import io.vertx.core.Future;
import java.time.Duration;
import java.util.List;

/**
 * The outbox passes of a partition, one a kind: one being stuck does not hold the others. Each
 * commit wakes them; timers are the safety net.
 */
final class OutboxRelays {
  static final Duration KEEP_SENT = Duration.ofMinutes(2);
  static final int PURGE_MAX = 5_000;

  /** Far longer than anybody waits for the answer of a request. */
  static final Duration KEEP_ANSWERED = Duration.ofMinutes(10);

  private final Duties duties;
  private final EventRelay eventRelay;
  private final EventTurn eventTurn;
  private final Pass events;
  private final Pass letters;
  private final Pass releases;
  private final Pass restocks;
  private final Pass purge;

  OutboxRelays(Duties duties, Rebuilder rebuilder, EventTurn eventTurn) {
    this.duties = duties;
    this.eventTurn = eventTurn;
    this.eventRelay = new EventRelay(duties);
    this.events = duties.passes().make("events", this::relayEvents);
    this.letters = duties.passes().make("dead letters", eventRelay::relayDeadLetters);
    this.releases = duties.passes().make("releases", new ReleaseRelay(duties)::relay);
    this.restocks = duties.passes().make("restocks", new RestockRelay(duties, rebuilder)::relay);
    this.purge = duties.passes().make("purge", this::purgeOnce);
  }

  void wakeAll() {
    eventRelay.heartbeatIsDue();
    if (eventTurn.isDue()) {
      events.wake();
    }
    List.of(letters, releases, restocks).forEach(Pass::wake);
  }

  void wakeEvents() {
    if (eventTurn.mayRun()) {
      events.wake();
    }
    letters.wake();
  }

  void wakeReleases() {
    releases.wake();
  }

  void purge() {
    purge.wake();
  }

  Future<Void> stop() {
    return Future.join(
            List.of(events.stop(), letters.stop(), releases.stop(), restocks.stop(), purge.stop()))
        .mapEmpty();
  }

  private Future<Boolean> relayEvents() {
    return eventRelay
        .relayEvents()
        .map(
            more -> {
              if (!more) {
                eventTurn.nothingLeft();
              }
              return more && eventTurn.mayRun();
            });
  }

  private Future<Boolean> purgeOnce() {
    Ledger ledger = duties.ledger();
    int partition = duties.ownership().partition();
    return ledger
        .nowMs()
        .compose(
            nowMs ->
                ledger
                    .purgeRequests(partition, nowMs - KEEP_ANSWERED.toMillis(), PURGE_MAX)
                    .compose(
                        gone -> ledger.purge(partition, nowMs - KEEP_SENT.toMillis(), PURGE_MAX)))
        .map(deleted -> deleted == PURGE_MAX);
  }
}
