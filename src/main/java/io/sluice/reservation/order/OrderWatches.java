package io.sluice.reservation.order;

import io.sluice.model.Order;
import io.sluice.model.OrderToken;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Subscriptions to orders. Thread-safe. */
final class OrderWatches {
  private static final int WATCHES_MAX = 100_000;
  private static final int WATCHES_PER_ORDER_MAX = 64;

  /** A subscription to one order. */
  final class Watch {
    private final OrderToken token;
    private final Consumer<Order> changed;

    private Watch(OrderToken token, Consumer<Order> changed) {
      this.token = token;
      this.changed = changed;
    }

    void close() {
      watches.computeIfPresent(token, (same, all) -> without(all));
    }

    private @Nullable List<Watch> without(List<Watch> all) {
      List<Watch> others = new ArrayList<>(all);
      if (others.remove(this)) {
        count.decrementAndGet();
      }
      return others.isEmpty() ? null : List.copyOf(others);
    }
  }

  private final Map<OrderToken, List<Watch>> watches = new ConcurrentHashMap<>();
  private final AtomicInteger count = new AtomicInteger();

  /** Notifies of each change until closed; a watch over the limit is never notified. */
  Watch add(OrderToken token, Consumer<Order> changed) {
    Watch watch = new Watch(token, changed);
    watches.compute(token, (same, all) -> with(all, watch));
    return watch;
  }

  void changed(Order order) {
    watches.getOrDefault(order.token(), List.of()).forEach(watch -> watch.changed.accept(order));
  }

  private @Nullable List<Watch> with(@Nullable List<Watch> all, Watch watch) {
    List<Watch> now = new ArrayList<>(all == null ? List.of() : all);
    if (now.size() < WATCHES_PER_ORDER_MAX && count.get() < WATCHES_MAX) {
      now.add(watch);
      count.incrementAndGet();
    }
    return now.isEmpty() ? null : List.copyOf(now);
  }
}
