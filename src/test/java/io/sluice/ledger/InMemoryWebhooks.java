package io.sluice.ledger;

import io.sluice.ledger.rules.WebhookRules;
import io.vertx.core.Future;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.LongSupplier;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;

/** Targets of events that die with the process. */
public final class InMemoryWebhooks implements Webhooks {
  private final LongSupplier nowMs;
  private final Map<String, Webhook> targets = new TreeMap<>();
  private final List<Of> parked = new ArrayList<>();
  private long last;

  private record Of(String webhookId, Delivery delivery) {}

  public InMemoryWebhooks(LongSupplier nowMs) {
    this.nowMs = nowMs;
  }

  // ---- operators

  @Override
  public synchronized Future<PutResult> put(NewWebhook wanted) {
    PutResult result =
        WebhookRules.put(
            find(wanted.webhookId()),
            wanted,
            nowMs.getAsLong(),
            () -> targets.size() >= TARGETS_MAX);
    if (result instanceof PutResult.Done done) {
      targets.put(wanted.webhookId(), done.webhook());
    }
    return Future.succeededFuture(result);
  }

  private Optional<Webhook> find(String webhookId) {
    return Optional.ofNullable(targets.get(webhookId)).map(this::now);
  }

  private Webhook now(Webhook was) {
    return with(was, was.cursor(), was.stopped(), was.owner(), was.leasedUntilMs());
  }

  private Webhook with(
      Webhook was, String cursor, String stopped, String owner, long leasedUntilMs) {
    return new Webhook(
        was.webhookId(),
        was.url(),
        was.secret(),
        was.formerSecret(),
        was.formerUntilMs(),
        was.types(),
        was.form(),
        cursor,
        stopped,
        owner,
        leasedUntilMs,
        nowMs.getAsLong());
  }

  @Override
  public synchronized Future<Boolean> delete(String webhookId) {
    parked.removeIf(each -> each.webhookId().equals(webhookId));
    return Future.succeededFuture(targets.remove(webhookId) != null);
  }

  @Override
  public synchronized Future<List<Webhook>> webhooks() {
    return Future.succeededFuture(targets.values().stream().map(this::now).toList());
  }

  private List<Delivery> of(String webhookId, Predicate<Delivery> which) {
    return parked.stream()
        .filter(each -> each.webhookId().equals(webhookId))
        .map(Of::delivery)
        .filter(which)
        .sorted(Comparator.comparingLong(Delivery::no))
        .toList();
  }

  private static boolean waits(Delivery delivery) {
    return delivery.state() == State.WAITING;
  }

  @Override
  public synchronized Future<Counts> counts(String webhookId) {
    List<Delivery> waiting = of(webhookId, InMemoryWebhooks::waits);
    return Future.succeededFuture(
        new Counts(
            waiting.size(),
            of(webhookId, each -> !waits(each)).size(),
            waiting.stream().mapToLong(Delivery::firstAtMs).min().orElse(0)));
  }

  @Override
  public synchronized Future<List<Delivery>> deliveries(String webhookId, long after, int limit) {
    return Future.succeededFuture(
        of(webhookId, each -> each.no() > after).stream().limit(limit).toList());
  }

  @Override
  public synchronized Future<Integer> replay(String webhookId) {
    List<Delivery> due =
        of(webhookId, each -> each.nextAtMs() > 0).stream().limit(WAITING_MAX).toList();
    due.forEach(
        was ->
            replace(
                was,
                State.WAITING,
                0,
                waits(was) ? was.firstAtMs() : nowMs.getAsLong(),
                0,
                was.why()));
    return Future.succeededFuture(due.size());
  }

  private void replace(
      Delivery was, State state, int attempts, long firstAtMs, long nextAtMs, String why) {
    UnaryOperator<Of> changed =
        each ->
            each.delivery().no() == was.no()
                ? new Of(
                    each.webhookId(),
                    new Delivery(
                        was.no(),
                        was.messageId(),
                        was.eventType(),
                        was.orderKey(),
                        was.event(),
                        state,
                        attempts,
                        firstAtMs,
                        nextAtMs,
                        why))
                : each;
    parked.replaceAll(changed);
  }

  // ---- the instance that sends

  @Override
  public synchronized Future<Optional<Webhook>> lease(
      String webhookId, String owner, Duration length) {
    Optional<Webhook> free =
        find(webhookId)
            .filter(was -> was.stopped().isEmpty())
            .filter(was -> was.owner().equals(owner) || was.leasedUntilMs() < was.nowMs());
    free.ifPresent(
        was ->
            targets.put(
                webhookId, with(was, was.cursor(), "", owner, was.nowMs() + length.toMillis())));
    return Future.succeededFuture(free.flatMap(was -> find(webhookId)));
  }

  @Override
  public synchronized Future<Void> release(String owner) {
    targets.replaceAll(
        (id, was) ->
            was.owner().equals(owner) ? with(was, was.cursor(), was.stopped(), owner, 0) : was);
    return Future.succeededFuture();
  }

  private Optional<Webhook> owned(String webhookId, String owner) {
    return find(webhookId).filter(was -> was.owner().equals(owner));
  }

  @Override
  public synchronized Future<Boolean> advance(
      String webhookId, String owner, String from, String to, List<Parked> unaccepted) {
    Optional<Webhook> mine = owned(webhookId, owner).filter(was -> was.cursor().equals(from));
    mine.ifPresent(
        was -> {
          targets.put(webhookId, with(was, to, was.stopped(), owner, was.leasedUntilMs()));
          unaccepted.forEach(each -> park(webhookId, each));
        });
    return Future.succeededFuture(mine.isPresent());
  }

  private void park(String webhookId, Parked each) {
    if (of(webhookId, is -> is.messageId().equals(each.messageId())).isEmpty()) {
      long now = nowMs.getAsLong();
      parked.add(
          new Of(
              webhookId,
              new Delivery(
                  ++last,
                  each.messageId(),
                  each.eventType(),
                  each.orderKey(),
                  each.event(),
                  State.WAITING,
                  each.attempts(),
                  now,
                  now + each.waits().toMillis(),
                  each.why())));
    }
  }

  @Override
  public synchronized Future<List<String>> parkedOf(String webhookId, List<String> orderKeys) {
    return Future.succeededFuture(
        of(webhookId, each -> waits(each) && orderKeys.contains(each.orderKey())).stream()
            .map(Delivery::orderKey)
            .distinct()
            .toList());
  }

  @Override
  public synchronized Future<List<Delivery>> due(String webhookId, int limit) {
    List<Delivery> waiting = of(webhookId, InMemoryWebhooks::waits);
    return Future.succeededFuture(
        waiting.stream()
            .filter(each -> each.nextAtMs() <= nowMs.getAsLong())
            .filter(
                each ->
                    waiting.stream()
                        .noneMatch(
                            before ->
                                before.orderKey().equals(each.orderKey())
                                    && before.no() < each.no()))
            .sorted(Comparator.comparingLong(Delivery::nextAtMs).thenComparingLong(Delivery::no))
            .limit(limit)
            .toList());
  }

  @Override
  public synchronized Future<Boolean> settle(
      String webhookId, String owner, List<Long> accepted, List<Retried> retried) {
    boolean mine = owned(webhookId, owner).isPresent();
    if (mine) {
      parked.removeIf(each -> accepted.contains(each.delivery().no()));
      for (Retried each : retried) {
        Duration waits = each.waits();
        of(webhookId, was -> was.no() == each.no())
            .forEach(
                was ->
                    replace(
                        was,
                        waits == null ? State.FAILED : State.WAITING,
                        each.attempts(),
                        was.firstAtMs(),
                        nowMs.getAsLong() + (waits == null ? 0 : waits.toMillis()),
                        each.why()));
      }
    }
    return Future.succeededFuture(mine);
  }

  @Override
  public synchronized Future<Void> stop(String webhookId, String owner, String why) {
    owned(webhookId, owner)
        .ifPresent(was -> targets.put(webhookId, with(was, was.cursor(), why, owner, 0)));
    return Future.succeededFuture();
  }

  @Override
  public synchronized Future<Integer> purge(String webhookId) {
    List<Delivery> old =
        of(
            webhookId,
            each ->
                !waits(each) && each.firstAtMs() < nowMs.getAsLong() - FAILED_KEPT_FOR.toMillis());
    parked.removeIf(each -> old.contains(each.delivery()));
    return Future.succeededFuture(old.size());
  }
}
