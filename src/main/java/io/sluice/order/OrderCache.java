package io.sluice.order;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import io.sluice.model.Order;
import io.sluice.model.OrderStatus;
import io.sluice.model.OrderToken;
import io.sluice.model.Sku;
import io.sluice.orderlog.Event;
import io.sluice.orderlog.EventFeed;
import io.vertx.core.json.DecodeException;
import io.vertx.core.json.JsonObject;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Orders of the ledger that this instance has received as events or read, of each the newest
 * version. One per instance, shared by its event loops; thread-safe.
 *
 * <p>An entry is the order at some time. It is current if its status is final, or while the
 * partition's heartbeat is young, since a newer version would have been received before that
 * heartbeat. Young means made recently, by the ledger's clock, not received recently: a stalled
 * consumer or a paused broker delivers old heartbeats late.
 *
 * <p>An entry is of the history that the ledger had when it was learned. A ledger that was restored
 * to an earlier state goes on from there with the same versions. So once a higher term of the
 * partition is heard, or events of it were missed, an older entry is no longer current, whatever
 * its status. It is replaced when the order is learned again.
 */
public final class OrderCache implements EventFeed.Listener {
  private static final Logger log = LoggerFactory.getLogger(OrderCache.class);
  private static final int ORDERS_MAX = 200_000;
  public static final Duration HEARTBEAT_YOUNG = Duration.ofSeconds(2);

  /**
   * No event tells that an order was archived, or that its buyer was forgotten. An older event adds
   * no order: a later event may have been known, and may not be any more. So somebody who writes
   * old events to their topic once more brings no status back that is older.
   */
  static final Duration KEPT_FOR = Duration.ofMinutes(5);

  /** The age of what the ledger has made. */
  @FunctionalInterface
  public interface Ages {
    /** Whether it was made less than that ago; false if that is not known. */
    boolean isYounger(long madeAtMs, Duration than);
  }

  /**
   * @param madeAtMs on the ledger's clock
   * @param atNanos when it was received
   */
  private record Heartbeat(long term, long madeAtMs, long atNanos) {}

  /**
   * @param asOf before the order was read, or as its event came
   * @param learnedAt not before {@code asOf}
   * @param buyerIsRead whether a row of the ledger has shown the same buyer
   */
  private record Entry(
      Order order, HeardTerms.Until asOf, HeardTerms.Until learnedAt, boolean buyerIsRead) {
    Entry after(Entry old) {
      boolean isSame = old.buyerIsRead && old.order.userId().equals(order.userId());
      return buyerIsRead || !isSame ? this : new Entry(order, asOf, learnedAt, true);
    }
  }

  private final int partitions;
  private final Function<Event, Optional<Order>> orderOf;
  private final LongSupplier nanoTime;
  private final Ages ages;
  private final Watches watches = new Watches();
  private final AtomicReferenceArray<@Nullable Heartbeat> heartbeats;
  private final HeardTerms terms;
  private final Cache<OrderToken, Entry> orders;

  /**
   * @param orderOf the order of an event, or empty if it has none
   * @param ages by the ledger's clock
   */
  public OrderCache(
      int partitions, Function<Event, Optional<Order>> orderOf, LongSupplier nanoTime, Ages ages) {
    this.partitions = partitions;
    this.orderOf = orderOf;
    this.nanoTime = nanoTime;
    this.ages = ages;
    this.heartbeats = new AtomicReferenceArray<>(partitions);
    this.terms = new HeardTerms(partitions);
    this.orders =
        Caffeine.newBuilder()
            .maximumSize(ORDERS_MAX)
            .expireAfterWrite(KEPT_FOR)
            .ticker(nanoTime::getAsLong)
            .executor(Runnable::run)
            .build();
  }

  /** As with a higher term, the known state of the partition's orders may be of the past. */
  @Override
  public void missed(int partition) {
    if (partition < partitions) {
      terms.miss(partition);
    }
  }

  @Override
  public void heard(int partition, Event event) {
    if (!event.type().equals(Event.HEARTBEAT)) {
      orderOf(event).ifPresent(order -> learn(order, terms.now(), false));
    } else if (partition < partitions) {
      heartbeatOf(event).ifPresent(heartbeat -> heardHeartbeat(partition, heartbeat));
    }
  }

  /** To be asked before orders are read that are then learned. */
  HeardTerms.Until asOf() {
    return terms.now();
  }

  /**
   * Stores an order of the ledger, unless a newer version is known already. Version 0 is not in the
   * ledger, and may never be; an order of several SKUs is known by its lead.
   *
   * @param asOf before it was read
   */
  void learn(Order order, HeardTerms.Until asOf) {
    learn(order, asOf, true);
  }

  private void learn(Order order, HeardTerms.Until asOf, boolean isRead) {
    if (order.version() < 1 || order.isFollower()) {
      return;
    }
    Entry learned = new Entry(order, asOf, terms.now(), isRead);
    boolean mayAdd = isRead || ages.isYounger(order.updatedAtMs(), KEPT_FOR);
    Entry kept =
        orders
            .asMap()
            .compute(
                order.token(),
                (token, old) -> {
                  if (old == null) {
                    return mayAdd ? learned : null;
                  }
                  return replaces(learned, old, isRead) ? learned.after(old) : old;
                });
    if (kept == null || kept.order.equals(order)) {
      watches.changed(order);
    }
  }

  /**
   * Only a ledger that was restored has two orders of one version, and the later one counts. There
   * it may even have a lower version than is known. This is believed of a row alone, as events come
   * twice, and only if the row was asked for under a later term than that of what is known.
   */
  private static boolean replaces(Entry now, Entry old, boolean isRead) {
    int newer = Long.compare(now.order.version(), old.order.version());
    return newer == 0
        ? !now.asOf.isBefore(old.asOf)
        : newer > 0 || (isRead && old.learnedAt.isBefore(now.asOf));
  }

  /** Whether whose order this is was read from the ledger, and not only heard. */
  boolean knowsBuyer(OrderToken token) {
    Entry entry = orders.getIfPresent(token);
    return entry != null && entry.buyerIsRead;
  }

  /** The order as it was received or read last, however long ago. */
  @Nullable Order lastKnown(OrderToken token) {
    Entry entry = orders.getIfPresent(token);
    return entry == null ? null : entry.order;
  }

  /**
   * The current order, or null if it is not known here.
   *
   * @param sku of the order, whose events come from the partition where its bucket is; null if that
   *     is not known
   */
  @Nullable Order current(OrderToken token, @Nullable Sku sku) {
    Entry entry = orders.getIfPresent(token);
    // Neither heartbeats nor terms tell of direct SKUs.
    if (entry == null || sku == null || sku.isDirect() || token.bucket() >= sku.buckets()) {
      return null;
    }
    int partition = sku.placed(token.bucket()).partition();
    boolean isCurrent =
        entry.asOf.isSame(terms.now(), partition) && (isFinal(entry.order) || isCurrent(partition));
    return isCurrent ? entry.order : null;
  }

  /**
   * Notifies of what replaces the known order until closed, on any thread; under overload never.
   */
  Watches.Watch watch(OrderToken token, Consumer<Order> changed) {
    return watches.add(token, changed);
  }

  /** Whether the status of this order never changes again, unless the ledger is restored. */
  static boolean isFinal(Order order) {
    return order.status() != OrderStatus.RESERVED && !order.status().isLive();
  }

  /** An event of a later release may be unreadable for this build; it must not stop the feed. */
  private Optional<Order> orderOf(Event event) {
    try {
      return orderOf.apply(event);
    } catch (RuntimeException notOfOurs) {
      log.atDebug()
          .setCause(notOfOurs)
          .addKeyValue("type", event.type())
          .log("event cannot be read; it is ignored");
      return Optional.empty();
    }
  }

  /**
   * Ignores lower terms: a replaced owner may send heartbeats for a while, but does not know what
   * is current.
   */
  private void heardHeartbeat(int partition, Heartbeat heartbeat) {
    terms.hear(partition, heartbeat.term());
    heartbeats.accumulateAndGet(
        partition,
        heartbeat,
        (before, now) -> before == null || now.term() >= before.term() ? now : before);
  }

  /** Empty without the time when it was made. */
  private Optional<Heartbeat> heartbeatOf(Event event) {
    try {
      JsonObject json = new JsonObject(event.payload());
      Long term = json.getLong("term");
      Long madeAtMs = json.getLong("at");
      return term == null || madeAtMs == null
          ? Optional.empty()
          : Optional.of(new Heartbeat(term, madeAtMs, nanoTime.getAsLong()));
    } catch (DecodeException | ClassCastException notOfOurs) {
      return Optional.empty();
    }
  }

  /**
   * Current means that the heartbeat was both received and made recently; it may have been delayed.
   */
  private boolean isCurrent(int partition) {
    Heartbeat last = heartbeats.get(partition);
    return last != null
        && nanoTime.getAsLong() - last.atNanos() < HEARTBEAT_YOUNG.toNanos()
        && ages.isYounger(last.madeAtMs(), HEARTBEAT_YOUNG);
  }

  /** Subscriptions to orders. Thread-safe. */
  static final class Watches {
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

  /**
   * When the facts known about a partition may be of a history that was lost: its term has risen,
   * or events were missed. The term rises with each change of owner, and so when an owner notices
   * that the ledger was restored to an earlier state. Thread-safe.
   */
  static final class HeardTerms {

    /**
     * The breaks seen until some time.
     *
     * @param count how many breaks, of all partitions
     * @param breaks of each partition
     */
    record Until(long count, List<Long> breaks) {
      boolean isBefore(Until other) {
        return count < other.count;
      }

      /** Whether nothing of this partition was learned by then that may have been lost since. */
      boolean isSame(Until now, int partition) {
        return breaks.get(partition).equals(now.breaks.get(partition));
      }
    }

    private final long[] highest;
    private volatile Until latest;

    HeardTerms(int partitions) {
      this.highest = new long[partitions];
      this.latest = new Until(0, Collections.nCopies(partitions, 0L));
    }

    Until now() {
      return latest;
    }

    synchronized void hear(int partition, long term) {
      if (term > highest[partition]) {
        highest[partition] = term;
        breakAt(partition);
      }
    }

    /** Events of the partition were missed. */
    synchronized void miss(int partition) {
      breakAt(partition);
    }

    private void breakAt(int partition) {
      Until before = latest;
      List<Long> breaks = new ArrayList<>(before.breaks);
      breaks.set(partition, breaks.get(partition) + 1);
      latest = new Until(before.count + 1, List.copyOf(breaks));
    }
  }
}
