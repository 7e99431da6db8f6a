package io.sluice.webhook;

import io.sluice.async.BackgroundTask;
import io.sluice.async.Backoff;
import io.sluice.async.StallDetector;
import io.sluice.feed.EventWaits;
import io.sluice.ledger.Webhooks;
import io.sluice.ledger.Webhooks.Counts;
import io.sluice.ledger.Webhooks.Delivery;
import io.sluice.ledger.Webhooks.Parked;
import io.sluice.ledger.Webhooks.Retried;
import io.sluice.ledger.Webhooks.Webhook;
import io.sluice.metrics.Meters;
import io.sluice.monitor.Alarm;
import io.sluice.orderlog.EventPages;
import io.sluice.orderlog.EventPages.Found;
import io.sluice.orderlog.EventPages.Found.Gone;
import io.sluice.orderlog.EventPages.Found.Page;
import io.sluice.webhook.DeliveryRound.Item;
import io.sluice.webhook.DeliveryRound.Refused;
import io.sluice.webhook.WebhookSender.Outcome;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.BiFunction;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Sends to one target while this instance has its lease: page after page of new events, and beside
 * that the events which were not accepted, each when it is due. Used on one event loop.
 */
final class TargetDelivery {
  /** The parts that all targets of an instance share. */
  record Shared(
      Webhooks ledger,
      EventWaits events,
      BiFunction<Webhook, Message, Future<Outcome>> sender,
      RetrySchedule schedule,
      String owner,
      LongSupplier nanoTime,
      Meters meters) {}

  /** Few are sent again if this instance is killed within a page. */
  static final int PAGE = 100;

  /** From this age of the oldest event on an alarm tells, and each time as long again. */
  static final Duration ALARM_AFTER = Duration.ofHours(1);

  private static final Duration WAIT = Duration.ofSeconds(5);

  /** A cursor that stands for long may be of events that are kept no more. */
  private static final Duration KEEP_CURSOR_EVERY = Duration.ofMinutes(1);

  private static final Duration PAUSE_MAX = Duration.ofMinutes(1);

  private static final Logger log = LoggerFactory.getLogger(TargetDelivery.class);

  private final Shared shared;
  private final BackgroundTask fresh;
  private final BackgroundTask parked;
  private final Backoff pause = new Backoff(PAUSE_MAX);
  private final Promise<Void> ended = Promise.promise();
  private Webhook target;

  /** Where the ledger has the cursor, and behind what was read since then and not wanted. */
  private String kept = "";

  private String place = "";
  private boolean leased;
  private long leasedUntilNanos;
  private long keptNanos;
  private long pausedUntilNanos;
  private long toldNanos;
  private boolean wasTold;
  private Counts counts = new Counts(0, 0, 0);
  private long oldestMs;

  TargetDelivery(Shared shared, Webhook target) {
    this.shared = shared;
    this.target = target;
    this.pausedUntilNanos = shared.nanoTime().getAsLong();
    this.fresh = task("webhook", this::nextPage);
    this.parked = task("webhook retry", this::retry);
  }

  private BackgroundTask task(String name, Supplier<Future<Boolean>> step) {
    return new BackgroundTask(name, line -> line.addKeyValue("webhook", target.webhookId()), step);
  }

  // ---- the lease

  /**
   * This instance has the lease, for this time since then.
   *
   * @param now the target as it is now
   * @param askedNanos before it was asked for
   */
  void leased(Webhook now, Counts unaccepted, long askedNanos, Duration length) {
    if (!isMine()) {
      kept = now.cursor();
      place = now.cursor();
      keptNanos = askedNanos;
    }
    target = now;
    leased = true;
    leasedUntilNanos = askedNanos + length.toNanos();
    counts = unaccepted;
    oldestMs = unaccepted.oldestAtMs() == 0 ? 0 : now.nowMs() - unaccepted.oldestAtMs();
    tellIfItStands();
    fresh.wake();
    parked.wake();
  }

  /** Another instance has the lease, or nobody. */
  void lose() {
    leased = false;
  }

  boolean isMine() {
    return leased && shared.nanoTime().getAsLong() - leasedUntilNanos < 0;
  }

  /** How many events this instance knows not to be accepted; none if the target is another's. */
  Counts counts() {
    return isMine() ? counts : new Counts(0, 0, 0);
  }

  /** The age of the oldest of them; 0 if there is none. */
  long oldestMs() {
    return isMine() ? oldestMs : 0;
  }

  Future<Void> stop() {
    leased = false;
    ended.tryComplete();
    return Future.join(fresh.stop(), parked.stop()).mapEmpty();
  }

  /** Called each {@link StallDetector#TICK}: whether a task of it makes no progress. */
  boolean isStuck() {
    return fresh.isStuck() | parked.isStuck();
  }

  private boolean maySend() {
    return isMine() && shared.nanoTime().getAsLong() - pausedUntilNanos >= 0;
  }

  private boolean isFull() {
    return counts.waiting() >= Webhooks.WAITING_MAX;
  }

  // ---- new events

  private Future<Boolean> nextPage() {
    if (!maySend() || isFull()) {
      return Future.succeededFuture(false);
    }
    String from = place;
    return shared
        .events()
        .after(from, PAGE, false, WAIT, ended.future())
        .compose(
            found -> isMine() && from.equals(place) ? take(found) : Future.succeededFuture(false));
  }

  private Future<Boolean> take(Found found) {
    if (!(found instanceof Page page)) {
      return lost(found);
    }
    List<Message> messages =
        page.events().stream()
            .map(Message::of)
            .filter(message -> target.takes(message.type()))
            .toList();
    if (messages.isEmpty()) {
      place = page.next();
      boolean isOld = shared.nanoTime().getAsLong() - keptNanos >= KEEP_CURSOR_EVERY.toNanos();
      return (isOld ? advance(kept, page.next(), List.of()) : Future.succeededFuture(true))
          .map(page.more());
    }
    String before = kept;
    List<String> keys = messages.stream().map(Message::orderKey).distinct().toList();
    return shared
        .ledger()
        .parkedOf(target.webhookId(), keys)
        .compose(behind -> send(messages, new HashSet<>(behind)))
        .compose(
            unaccepted ->
                unaccepted.isEmpty()
                    ? Future.succeededFuture(false)
                    : advance(before, page.next(), unaccepted.get()));
  }

  /** What is to be parked; empty if the page is to be sent again. */
  private Future<Optional<List<Parked>>> send(List<Message> messages, Set<String> behind) {
    DeliveryRound round =
        round(
            messages.stream().filter(message -> !behind.contains(message.orderKey())).toList(),
            fresh);
    return round
        .run()
        .map(
            done -> {
              note(round);
              return round.isCut() || !isMine()
                  ? Optional.empty()
                  : Optional.of(toPark(messages, behind, round.refused()));
            });
  }

  private List<Parked> toPark(List<Message> messages, Set<String> behind, List<Refused> refused) {
    Map<String, Refused> byMessage = new HashMap<>();
    refused.forEach(each -> byMessage.put(each.item().message().id(), each));
    return messages.stream()
        .filter(
            message -> behind.contains(message.orderKey()) || byMessage.containsKey(message.id()))
        .map(message -> parked(message, byMessage.get(message.id())))
        .toList();
  }

  private Parked parked(Message message, @Nullable Refused refused) {
    boolean isTried = refused != null && refused.isTried();
    return new Parked(
        message.id(),
        message.type(),
        message.orderKey(),
        message.event(),
        isTried ? 1 : 0,
        isTried ? shared.schedule().next(1, Duration.ZERO).orElseThrow() : Duration.ZERO,
        refused == null ? "waits behind another one" : refused.outcome().why());
  }

  /** If it is not known whether that was done, it is read again with the next lease. */
  private Future<Boolean> advance(String from, String next, List<Parked> unaccepted) {
    return shared
        .ledger()
        .advance(target.webhookId(), shared.owner(), from, next, unaccepted)
        .onSuccess(
            moved -> {
              leased &= moved;
              if (moved) {
                kept = next;
                place = next;
                keptNanos = shared.nanoTime().getAsLong();
              }
            })
        .onFailure(unknown -> leased = false);
  }

  /** Goes on with the oldest events that are kept. */
  private Future<Boolean> lost(Found found) {
    var line = log.atError();
    if (found instanceof Gone gone) {
      line =
          line.addKeyValue("lostFromMs", gone.lostFromMs())
              .addKeyValue("keptFromMs", gone.keptFromMs());
    }
    Alarm.WEBHOOK_STANDS.raise(
        line.addKeyValue("webhook", target.webhookId())
            .addKeyValue("why", "events were deleted before they were sent"));
    return advance(kept, EventPages.OLDEST, List.of());
  }

  // ---- events that were not accepted

  private Future<Boolean> retry() {
    if (!maySend()) {
      return Future.succeededFuture(false);
    }
    return shared
        .ledger()
        .due(target.webhookId(), PAGE)
        .compose(due -> due.isEmpty() ? Future.succeededFuture(false) : retry(due));
  }

  private Future<Boolean> retry(List<Delivery> due) {
    DeliveryRound round =
        round(
            due.stream()
                .map(
                    each ->
                        new Message(
                            each.messageId(), each.eventType(), each.orderKey(), each.event()))
                .toList(),
            parked);
    return round
        .run()
        .compose(
            done -> {
              note(round);
              if (!isMine()) {
                return Future.succeededFuture(false);
              }
              List<Long> accepted =
                  round.accepted().stream().map(item -> of(item, due).no()).toList();
              List<Retried> retried =
                  round.refused().stream()
                      .filter(Refused::isTried)
                      .map(refused -> retried(of(refused.item(), due), refused.outcome()))
                      .toList();
              return shared
                  .ledger()
                  .settle(target.webhookId(), shared.owner(), accepted, retried)
                  .onSuccess(settled -> leased &= settled)
                  .map(settled -> settled && !accepted.isEmpty());
            });
  }

  private static Delivery of(Item item, List<Delivery> due) {
    return due.get(item.place());
  }

  private Retried retried(Delivery was, Outcome outcome) {
    int attempts = was.attempts() + 1;
    Duration since = Duration.ofMillis(Math.max(0, target.nowMs() - was.firstAtMs()));
    return new Retried(
        was.no(), attempts, shared.schedule().next(attempts, since).orElse(null), outcome.why());
  }

  // ---- both

  /** A slow target may take long for a page, but each answer is progress. */
  private DeliveryRound round(List<Message> messages, BackgroundTask task) {
    Webhook to = target;
    return new DeliveryRound(
        messages,
        message ->
            shared
                .sender()
                .apply(to, message)
                .onSuccess(
                    outcome -> {
                      task.progressed();
                      shared.meters().webhookAttempt(outcome.isAccepted());
                    }),
        this::isMine);
  }

  private void note(DeliveryRound round) {
    if (round.isGone()) {
      stopFor(round);
    } else if (round.isAllRefused()) {
      pausedUntilNanos = shared.nanoTime().getAsLong() + pause.next().toNanos();
    } else if (!round.accepted().isEmpty()) {
      pause.reset();
    }
  }

  private void stopFor(DeliveryRound round) {
    leased = false;
    String why =
        round.refused().stream()
            .map(Refused::outcome)
            .filter(Outcome::isGone)
            .findFirst()
            .map(Outcome::why)
            .orElse("");
    tell("it wants no more events: " + why);
    shared.ledger().stop(target.webhookId(), shared.owner(), why);
  }

  private void tellIfItStands() {
    boolean stands = isFull() || oldestMs >= ALARM_AFTER.toMillis();
    long now = shared.nanoTime().getAsLong();
    if (!stands) {
      wasTold = false;
    } else if (!wasTold || now - toldNanos >= ALARM_AFTER.toNanos()) {
      wasTold = true;
      toldNanos = now;
      tell(isFull() ? "too many events wait for it" : "it has not accepted an event for long");
    }
  }

  private void tell(String why) {
    Alarm.WEBHOOK_STANDS.raise(
        log.atError()
            .addKeyValue("webhook", target.webhookId())
            .addKeyValue("why", why)
            .addKeyValue("waiting", counts.waiting())
            .addKeyValue("oldestMs", oldestMs));
  }
}
