package io.sluice.order;

import io.sluice.ledger.Fence;
import io.sluice.ledger.rules.OutboxPayload;
import io.sluice.model.Order;
import io.sluice.model.OrderStatus;
import io.sluice.model.OrderToken;
import io.sluice.model.Sku;
import io.sluice.orderlog.Event;
import io.sluice.orderlog.EventListener;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Orders of the ledger that this instance has committed, received as events or read, of each the
 * newest version. One per instance, shared by its event loops; thread-safe.
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
public final class OrderCache implements EventListener {
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

  /** How an order was learned. */
  private enum Source {
    /** It says nothing of whose order it is, and comes twice, and late. */
    EVENT,
    /** Of an owner in this instance. */
    COMMIT,
    ROW
  }

  /**
   * @param asOf before the order was read, or as its event or commit came
   * @param learnedAt not before {@code asOf}
   * @param buyerIsRead whether a row of the ledger has the same buyer
   */
  private record Entry(
      Order order, HeardTerms.Until asOf, HeardTerms.Until learnedAt, boolean buyerIsRead) {
    Entry after(Entry old) {
      boolean isSame = old.buyerIsRead && old.order.userId().equals(order.userId());
      return buyerIsRead || !isSame ? this : new Entry(order, asOf, learnedAt, true);
    }
  }

  private final int partitions;
  private final LongSupplier nanoTime;
  private final Ages ages;
  private final Watches watches = new Watches();
  private final AtomicReferenceArray<@Nullable Heartbeat> heartbeats;
  private final HeardTerms terms;

  /** By the texts of their tokens, which are the keys of their events. */
  private final RecentMap<String, Entry> orders;

  /**
   * @param nanoTime a monotonic clock
   * @param ages by the ledger's clock
   */
  public OrderCache(int partitions, LongSupplier nanoTime, Ages ages) {
    this.partitions = partitions;
    this.nanoTime = nanoTime;
    this.ages = ages;
    this.heartbeats = new AtomicReferenceArray<>(partitions);
    this.terms = new HeardTerms(partitions);
    this.orders = new RecentMap<>(ORDERS_MAX, KEPT_FOR, nanoTime);
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
      if (!isKnown(event)) {
        orderOf(event).ifPresent(order -> learn(order, terms.now(), Source.EVENT));
      }
    } else if (partition < partitions) {
      heartbeatOf(event).ifPresent(heartbeat -> heardHeartbeat(partition, heartbeat));
    }
  }

  /**
   * Most events of owners in this instance are: their commits have told it. So they are not read.
   */
  private boolean isKnown(Event event) {
    Entry entry = orders.get(event.key());
    return entry != null
        && !entry.asOf.isBefore(terms.now())
        && OutboxPayload.isKnown(event.payload(), entry.order);
  }

  /**
   * Learns what a transaction of an owner in this instance has left, unless a later owner was heard
   * meanwhile: of a ledger that was restored, this may be lost.
   *
   * @param fence after it: its owner, and up to where the log is applied
   * @param committed orders as it has left them, whether it has changed them or not; an order of
   *     several SKUs as a whole
   */
  public void committed(Fence fence, Collection<Order> committed) {
    HeardTerms.Until asOf = terms.hear(fence.partition(), fence.term());
    if (asOf != null) {
      for (Order order : committed) {
        learn(order, asOf, Source.COMMIT);
        watches.committed(order, fence);
      }
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
    learn(order, asOf, Source.ROW);
  }

  private void learn(Order order, HeardTerms.Until asOf, Source source) {
    if (order.version() < 1 || order.isFollower()) {
      return;
    }
    boolean isEvent = source == Source.EVENT;
    Entry learned = new Entry(order, asOf, terms.now(), !isEvent);
    boolean mayAdd = !isEvent || ages.isYounger(order.updatedAtMs(), KEPT_FOR);
    Entry kept =
        orders.change(
            order.token().value(),
            old -> {
              if (old == null) {
                return mayAdd ? learned : null;
              }
              return replaces(learned, old, source) ? learned.after(old) : old;
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
  private static boolean replaces(Entry now, Entry old, Source source) {
    int newer = Long.compare(now.order.version(), old.order.version());
    return newer == 0
        ? !now.asOf.isBefore(old.asOf)
        : newer > 0 || (source == Source.ROW && old.learnedAt.isBefore(now.asOf));
  }

  /** Whether whose order this is was read from the ledger, and not only heard. */
  boolean knowsBuyer(OrderToken token) {
    Entry entry = orders.get(token.value());
    return entry != null && entry.buyerIsRead;
  }

  /** The order as it was received or read last, however long ago. */
  @Nullable Order lastKnown(OrderToken token) {
    Entry entry = orders.get(token.value());
    return entry == null ? null : entry.order;
  }

  /**
   * The current order, or null if it is not known here.
   *
   * @param sku of the order, whose events come from the partition where its bucket is; null if that
   *     is not known
   */
  @Nullable Order current(OrderToken token, @Nullable Sku sku) {
    Entry entry = orders.get(token.value());
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
  Watches.Watch watch(OrderToken token, Watcher watcher) {
    return watches.add(token, watcher);
  }

  /** Whether the status of this order never changes again, unless the ledger is restored. */
  static boolean isFinal(Order order) {
    return order.status() != OrderStatus.RESERVED && !order.status().isLive();
  }

  /** An event of a later release may be unreadable for this build; it must not stop the feed. */
  private Optional<Order> orderOf(Event event) {
    try {
      return OutboxPayload.order(event.payload());
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
    Long term = event.number("term");
    Long madeAtMs = event.number("at");
    return term == null || madeAtMs == null
        ? Optional.empty()
        : Optional.of(new Heartbeat(term, madeAtMs, nanoTime.getAsLong()));
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

  /** Receives an order, on any thread. */
  @FunctionalInterface
  interface Watcher {
    /** This replaces what was known. */
    void changed(Order order);

    /**
     * A transaction of an owner in this instance has left it so, changed or not.
     *
     * @param fence up to where the log of its partition is applied
     */
    default void committed(Order order, Fence fence) {}
  }

  /** Subscriptions to orders. Thread-safe. */
  static final class Watches {
    private static final int WATCHES_MAX = 100_000;
    private static final int WATCHES_PER_ORDER_MAX = 64;

    /** A subscription to one order. */
    final class Watch {
      private final OrderToken token;
      private final Watcher watcher;

      private Watch(OrderToken token, Watcher watcher) {
        this.token = token;
        this.watcher = watcher;
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
    Watch add(OrderToken token, Watcher watcher) {
      Watch watch = new Watch(token, watcher);
      watches.compute(token, (same, all) -> with(all, watch));
      return watch;
    }

    void changed(Order order) {
      of(order).forEach(watch -> watch.watcher.changed(order));
    }

    void committed(Order order, Fence fence) {
      of(order).forEach(watch -> watch.watcher.committed(order, fence));
    }

    private List<Watch> of(Order order) {
      return watches.getOrDefault(order.token(), List.of());
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

    /** What is so once this term is heard; null if a higher one was. */
    synchronized @Nullable Until hear(int partition, long term) {
      if (term > highest[partition]) {
        highest[partition] = term;
        breakAt(partition);
      }
      return term == highest[partition] ? latest : null;
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
