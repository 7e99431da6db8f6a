package io.sluice.owner.outbox;

import io.sluice.async.BackgroundTask;
import io.sluice.ledger.Ledger;
import io.sluice.owner.fencing.OwnerContext;
import io.sluice.owner.rebuild.Rebuilder;
import io.vertx.core.Future;
import java.time.Duration;
import java.util.List;

/**
 * The outbox passes of a partition, one per kind, so that one that is blocked does not delay the
 * others. Each commit wakes them; timers are the safety net.
 */
public final class OutboxRelays {
  static final Duration KEEP_SENT = Duration.ofMinutes(2);
  static final int PURGE_MAX = 5_000;

  /** Far longer than any caller waits for the answer to a request. */
  static final Duration KEEP_ANSWERED = Duration.ofMinutes(10);

  private final OwnerContext context;
  private final EventRelay eventRelay;
  private final EventThrottle eventThrottle;
  private final BackgroundTask events;
  private final BackgroundTask letters;
  private final BackgroundTask releases;
  private final BackgroundTask restocks;
  private final BackgroundTask purge;

  public OutboxRelays(OwnerContext context, Rebuilder rebuilder, EventThrottle eventThrottle) {
    this.context = context;
    this.eventThrottle = eventThrottle;
    this.eventRelay = new EventRelay(context);
    this.events = context.tasks().make("events", this::relayEvents);
    this.letters = context.tasks().make("dead letters", eventRelay::relayDeadLetters);
    this.releases = context.tasks().make("releases", new ReleaseRelay(context)::relay);
    this.restocks = context.tasks().make("restocks", new RestockRelay(context, rebuilder)::relay);
    this.purge = context.tasks().make("purge", this::purgeOnce);
  }

  public void wakeAll() {
    eventRelay.heartbeatIsDue();
    if (eventThrottle.isDue()) {
      events.wake();
    }
    List.of(letters, releases, restocks).forEach(BackgroundTask::wake);
  }

  public void wakeEvents() {
    if (eventThrottle.mayRun()) {
      events.wake();
    }
    letters.wake();
  }

  public void wakeReleases() {
    releases.wake();
  }

  public void purge() {
    purge.wake();
  }

  public Future<Void> stop() {
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
                eventThrottle.nothingLeft();
              }
              return more && eventThrottle.mayRun();
            });
  }

  private Future<Boolean> purgeOnce() {
    Ledger ledger = context.ledger();
    int partition = context.ownership().partition();
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
