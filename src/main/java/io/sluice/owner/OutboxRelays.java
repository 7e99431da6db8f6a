package io.sluice.owner;

import io.sluice.async.BackgroundTask;
import io.sluice.async.SharedQuestion;
import io.sluice.ledger.Ledger;
import io.sluice.ledger.OutboxRow.OutboxKind;
import io.sluice.ledger.OwnerRequest;
import io.sluice.model.Placement;
import io.sluice.stock.Stock;
import io.vertx.core.Future;
import java.time.Duration;
import java.util.Set;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * The outbox passes of a partition, one per kind, so that one that is blocked does not delay the
 * others. A commit wakes those of which it has written rows; events wait {@link #GATHER_MS} for
 * those of other commits, unless a caller of another instance may wait for one. As the safety net a
 * timer glances at the outbox, and wakes those that have rows; if no event is left, that is the
 * time of a heartbeat.
 */
public final class OutboxRelays {
  static final int GATHER_MS = 50;

  /** How long rows that were sent are kept, other than events: for a look after a fault. */
  static final Duration KEEP_SENT = Duration.ofMinutes(2);

  static final int PURGE_MAX = 5_000;

  /** Orders are found by their events that long after these were sent. */
  static final Duration NOTE_AFTER = Duration.ofSeconds(1);

  /** In a stampede that many times as long at the most. */
  static final int NOTE_RESTS_MAX = 20;

  /**
   * While there are no events, a heartbeat follows the one before after at least this time. With
   * the timer of half a second that is each second; listeners trust one for two.
   */
  static final int HEARTBEAT_MS = 750;

  /** Far longer than any caller waits for the answer to a request. */
  static final Duration KEEP_ANSWERED = Duration.ofMinutes(10);

  private final OwnerContext context;
  private final Supplier<Future<Void>> gathering;
  private final EventRelay eventRelay;
  private final BackgroundTask glance;
  private final BackgroundTask heartbeats;
  private final BackgroundTask events;
  private final BackgroundTask notes;
  private final StampedePause notePause;
  private final BackgroundTask directEvents;
  private final BackgroundTask letters;
  private final BackgroundTask releases;
  private final BackgroundTask restocks;
  private final BackgroundTask restockGlance;
  private final Lender lender;
  private final BackgroundTask purge;

  /** A time before which all events were sent, and that of the last heartbeat. */
  private long allSentAtMs;

  private long heartbeatAtMs;

  /** Events of commits wait for those of others. */
  private boolean gathers;

  /** Events were written, and no pass has begun since. */
  private boolean unsent;

  /**
   * @param gathering completes when events are sent that no caller is known to wait for
   * @param stocks the buckets of all partitions, to be read
   * @param moved given the partitions whose buckets are to be raised
   * @param isStampede whether grants have priority now over what nobody waits for
   */
  OutboxRelays(
      OwnerContext context,
      Supplier<Future<Void>> gathering,
      Rebuilder rebuilder,
      Stock stocks,
      Consumer<Set<Integer>> moved,
      BooleanSupplier isStampede) {
    this.context = context;
    this.gathering = gathering;
    this.eventRelay = new EventRelay(context);
    this.glance = context.tasks().make("glance", this::glanceOnce);
    this.heartbeats = context.tasks().make("heartbeat", this::heartbeat);
    this.events = context.tasks().make("events", this::relayEvents);
    this.notes = context.tasks().make("look-ups", this::noteOnce);
    this.notePause =
        new StampedePause(
            context.timers(), NOTE_AFTER, NOTE_RESTS_MAX, isStampede, this.notes::wake);
    EventRelay directRelay = new EventRelay(context, Placement.DIRECT);
    this.directEvents = context.tasks().make("direct events", directRelay::relayEvents);
    this.letters = context.tasks().make("dead letters", eventRelay::relayDeadLetters);
    this.releases = context.tasks().make("releases", new ReleaseRelay(context)::relay);
    this.lender = new Lender(context, stocks, () -> wake(OutboxKind.RESTOCK), moved);
    this.restocks =
        context.tasks().make("restocks", new RestockRelay(context, rebuilder, lender)::relay);
    this.restockGlance = context.tasks().make("glance at restocks", this::glanceAtRestocks);
    this.purge = context.tasks().make("purge", this::purgeOnce);
    // An earlier owner may have sent events of which orders are not found yet.
    notePause.begin();
  }

  /** Of the owners of an instance: they send their events together, so they share statements. */
  public static Supplier<Future<Void>> gathering() {
    SharedQuestion<OutboxKind, Void> all =
        new SharedQuestion<>(SharedQuestion.same(Future::succeededFuture), GATHER_MS);
    return () -> all.ask(OutboxKind.EVENT);
  }

  /** Called by a timer: wakes the passes that have rows, and sends a heartbeat. */
  void wakeAll() {
    glance.wake();
    if (context.ownership().isFirst()) {
      directEvents.wake();
    }
  }

  private Future<Boolean> glanceOnce() {
    return context
        .ledger()
        .glance(context.ownership().partition())
        .onSuccess(seen -> wake(seen.pending(), seen.nowMs()))
        .map(false);
  }

  private void wake(Set<OutboxKind> pending, long nowMs) {
    boolean wasDue = pending.contains(OutboxKind.EVENT) && eventRelay.heartbeatIsDue();
    if (wasDue) {
      // Nothing was sent since the last glance, so nothing is relied on.
      events.wake();
    }
    committed(pending);
    if (!pending.contains(OutboxKind.EVENT)) {
      allSentAtMs = nowMs;
      heartbeats.wake();
    }
  }

  /** Alone, since it waits as long as the broker does, and then the next glance must not. */
  private Future<Boolean> heartbeat() {
    long atMs = allSentAtMs;
    // Also if the ledger's clock was set back.
    boolean isDue = Math.abs(atMs - heartbeatAtMs) >= HEARTBEAT_MS;
    return isDue
        ? eventRelay.heartbeat(atMs).onSuccess(sent -> heartbeatAtMs = atMs).map(false)
        : Future.succeededFuture(false);
  }

  /**
   * Rows of these kinds were written, in a transaction that is committed. Events wait for others to
   * be sent with, until they are woken. In the order of the kinds, so that a run with a seed can be
   * repeated by another process.
   */
  void committed(Set<OutboxKind> kinds) {
    for (OutboxKind kind : OutboxKind.values()) {
      if (kinds.contains(kind)) {
        if (kind == OutboxKind.EVENT) {
          gather();
        } else {
          wake(kind);
        }
      }
    }
  }

  private void gather() {
    unsent = true;
    if (!gathers) {
      gathers = true;
      gathering
          .get()
          .onComplete(
              over -> {
                gathers = false;
                if (unsent) {
                  events.wake();
                }
              });
    }
  }

  /** Rows of this kind were written, or may have been. */
  void wake(OutboxKind kind) {
    switch (kind) {
      case EVENT -> events.wake();
      case DEAD -> letters.wake();
      case RELEASE -> releases.wake();
      case RESTOCK -> restocks.wake();
    }
  }

  /** Called often while units move: wakes the pass of restocks if it has rows. */
  void lookForRestocks() {
    restockGlance.wake();
  }

  private Future<Boolean> glanceAtRestocks() {
    return context
        .ledger()
        .glance(context.ownership().partition())
        .map(
            seen -> {
              if (seen.pending().contains(OutboxKind.RESTOCK)) {
                wake(OutboxKind.RESTOCK);
              }
              return false;
            });
  }

  /** Also after a failure: some may have been sent. */
  private Future<Boolean> relayEvents() {
    unsent = false;
    return eventRelay.relayEvents().onComplete(sent -> notePause.begin());
  }

  /** Lets orders be found by the events that were sent. */
  private Future<Boolean> noteOnce() {
    return context
        .ledger()
        .noteSent(context.ownership().partition())
        .onFailure(away -> notePause.begin());
  }

  /** Serves a request for units of a bucket; it is answered in the ledger. */
  void lend(OwnerRequest request) {
    lender.serve(request);
  }

  void purge() {
    purge.wake();
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
