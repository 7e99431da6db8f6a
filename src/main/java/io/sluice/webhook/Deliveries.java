package io.sluice.webhook;

import io.sluice.async.AsyncLoop;
import io.sluice.async.BackgroundTask;
import io.sluice.async.StallDetector;
import io.sluice.ledger.Webhooks.Counts;
import io.sluice.ledger.Webhooks.Webhook;
import io.vertx.core.Future;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;
import java.util.function.ToLongFunction;
import java.util.stream.Collectors;

/**
 * All targets, as this instance sends to them. It takes the lease of each target that no other
 * instance has, and renews those that it has. Used on one event loop.
 */
final class Deliveries {
  /** How often {@link #tick} is to be called. */
  static final Duration TICK = Duration.ofSeconds(2);

  /** Longer than some ticks that fail. A message that is under way then may be sent twice. */
  static final Duration LEASE = Duration.ofSeconds(20);

  /** The number of ticks between two looks for failed events that are to be deleted. */
  private static final int PURGE_EVERY = 1_800;

  private final TargetDelivery.Shared shared;
  private final Map<String, TargetDelivery> all = new HashMap<>();
  private final BackgroundTask leases = new BackgroundTask("webhooks", this::look);
  private long ticks;

  Deliveries(TargetDelivery.Shared shared) {
    this.shared = shared;
    shared
        .meters()
        .webhooks(
            () -> sum(each -> each.counts().waiting()),
            () -> sum(each -> each.counts().failed()),
            () -> all().stream().mapToLong(TargetDelivery::oldestMs).max().orElse(0));
  }

  /** Scrapes come on other threads. */
  private synchronized List<TargetDelivery> all() {
    return List.copyOf(all.values());
  }

  private long sum(ToLongFunction<TargetDelivery> count) {
    return all().stream().mapToLong(count).sum();
  }

  void tick() {
    ticks++;
    leases.wake();
  }

  /** To be called each {@link StallDetector#TICK}: tells of what makes no progress. */
  void watch() {
    leases.isStuck();
    all().forEach(TargetDelivery::isStuck);
  }

  private Future<Boolean> look() {
    return shared
        .ledger()
        .webhooks()
        .compose(
            found -> {
              List<Future<Void>> gone = forgetAllBut(found);
              return Future.join(gone).compose(stopped -> AsyncLoop.forEach(found, this::lease));
            })
        .map(false);
  }

  private synchronized List<Future<Void>> forgetAllBut(List<Webhook> found) {
    Set<String> ids = found.stream().map(Webhook::webhookId).collect(Collectors.toSet());
    List<Future<Void>> stopped = new ArrayList<>();
    all.entrySet()
        .removeIf(
            each -> {
              boolean isGone = !ids.contains(each.getKey());
              if (isGone) {
                stopped.add(each.getValue().stop());
              }
              return isGone;
            });
    return stopped;
  }

  private synchronized TargetDelivery of(Webhook target) {
    return all.computeIfAbsent(target.webhookId(), id -> new TargetDelivery(shared, target));
  }

  private Future<Void> lease(Webhook seen) {
    TargetDelivery delivery = of(seen);
    boolean isFree = seen.owner().equals(shared.owner()) || seen.leasedUntilMs() < seen.nowMs();
    if (!isFree || !seen.stopped().isEmpty()) {
      delivery.lose();
      return Future.succeededFuture();
    }
    long askedNanos = shared.nanoTime().getAsLong();
    return shared
        .ledger()
        .lease(seen.webhookId(), shared.owner(), LEASE)
        .compose(
            leased -> {
              if (leased.isEmpty()) {
                delivery.lose();
                return Future.succeededFuture();
              }
              return counts(seen.webhookId())
                  .onSuccess(counts -> delivery.leased(leased.get(), counts, askedNanos, LEASE))
                  .mapEmpty();
            });
  }

  private Future<Counts> counts(String webhookId) {
    return (ticks % PURGE_EVERY == 1 ? shared.ledger().purge(webhookId) : Future.succeededFuture(0))
        .compose(purged -> shared.ledger().counts(webhookId));
  }

  /**
   * Sends nothing more, and lets others send at once. What is under way is not refused by its
   * target: it is sent again.
   *
   * @param drop drops what is under way
   */
  Future<Void> stop(Supplier<Future<Void>> drop) {
    return leases
        .stop()
        .compose(
            stopped -> {
              all().forEach(TargetDelivery::lose);
              return drop.get();
            })
        .transform(dropped -> Future.join(all().stream().map(TargetDelivery::stop).toList()))
        .transform(stopped -> shared.ledger().release(shared.owner()));
  }
}
