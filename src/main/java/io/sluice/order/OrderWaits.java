package io.sluice.order;

import io.sluice.async.LoopContext;
import io.sluice.async.TimerQueue;
import io.sluice.model.Order;
import io.sluice.order.OrderAnswer.Known;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * Callers that wait for an order's status to change. Events wake them. The ledger is read each
 * second for all of them, since an event may be late or, if the feed started later, missing.
 */
final class OrderWaits {
  static final Duration REREAD = Duration.ofSeconds(1);
  private static final int WAITS_MAX = 10_000;

  private final OrderCache cache;
  private final OrderReader ledger;
  private final LoopContext loop;
  private final TimerQueue deadlines;
  private final Set<Wait> waits = new LinkedHashSet<>();
  private boolean rereading;

  OrderWaits(OrderCache cache, OrderReader ledger, LoopContext loop) {
    this.cache = cache;
    this.ledger = ledger;
    this.loop = loop;
    this.deadlines = new TimerQueue(loop);
  }

  /**
   * Completes when the status differs from that of {@code first}, after the wait, or when the
   * caller has left.
   */
  Future<OrderAnswer> changed(Order first, Duration atMost, Future<Void> left) {
    if (left.isComplete() || waits.size() >= WAITS_MAX || atMost.isNegative() || atMost.isZero()) {
      return Future.succeededFuture(new Known(first));
    }
    Wait wait = new Wait(first, atMost);
    waits.add(wait);
    left.onSuccess(gone -> wait.end());
    wait.offer(first);
    rereadLater();
    return wait.answer.future();
  }

  private void rereadLater() {
    if (!rereading && !waits.isEmpty()) {
      rereading = true;
      loop.timers().after(REREAD).onSuccess(due -> reread());
    }
  }

  private void reread() {
    List<Future<Void>> reads = List.copyOf(waits).stream().map(this::reread).toList();
    Future.join(reads)
        .onComplete(
            done -> {
              rereading = false;
              rereadLater();
            });
  }

  private Future<Void> reread(Wait wait) {
    return ledger
        .read(wait.latest.token())
        .onSuccess(order -> order.ifPresent(wait::offer))
        .mapEmpty();
  }

  /** One waiting caller. */
  private final class Wait {
    private final Order first;
    private final OrderCache.HeardTerms.Until since = cache.asOf();
    private final Promise<OrderAnswer> answer = Promise.promise();
    private final OrderCache.Watches.Watch watch;
    private final TimerQueue.Deadline deadline;
    private Order latest;

    private Wait(Order first, Duration atMost) {
      this.first = first;
      this.latest = first;
      this.watch = cache.watch(first.token(), order -> loop.executor().execute(() -> offer(order)));
      this.deadline = deadlines.after(atMost, this::end);
    }

    /**
     * Takes the order, or what is known by now: a row may have been read before an event came. A
     * version before the latest comes late, of an order that is no longer cached, unless a ledger
     * was restored meanwhile: then a higher term is heard.
     */
    private void offer(Order order) {
      Order known = cache.lastKnown(order.token());
      Order now = known == null ? order : known;
      if (now.version() >= latest.version() || since.isBefore(cache.asOf())) {
        latest = now;
      }
      if (latest.status() != first.status()) {
        end();
      }
    }

    private void end() {
      if (waits.remove(this)) {
        watch.close();
        deadline.cancel();
        answer.complete(new Known(latest));
      }
    }
  }
}
