package io.sluice.reservation.order;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import io.sluice.model.Order;
import io.sluice.model.OrderStatus;
import io.sluice.model.OrderToken;
import io.sluice.orderlog.Event;
import io.sluice.orderlog.EventFeed;
import io.vertx.core.json.DecodeException;
import io.vertx.core.json.JsonObject;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.LongPredicate;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The orders of the ledger that this instance heard of or read, the newest version of each. One per
 * instance, shared by its event loops: every method may be called on any thread.
 *
 * <p>An entry is what the order was at some time. It is what the order is now while the partition's
 * heartbeat is young, since a newer version would have been heard before it. Young is what was made
 * lately, by the ledger's clock, and not what arrived lately: a consumer that stood still, or a
 * broker that was paused, delivers old heartbeats as if they were new.
 */
public final class OrderCache implements EventFeed.Listener {
  private static final Logger log = LoggerFactory.getLogger(OrderCache.class);
  private static final int ORDERS_MAX = 200_000;
  public static final Duration HEARTBEAT_YOUNG = Duration.ofSeconds(2);
  private static final String HEARTBEAT = "HEARTBEAT";

  /** {@code madeAtMs} by the ledger's clock, {@code atNanos} when it was heard. */
  private record Heartbeat(long term, long madeAtMs, long atNanos) {}

  private final int partitions;
  private final Function<Event, Optional<Order>> orderOf;
  private final LongSupplier nanoTime;
  private final LongPredicate isYoung;
  private final OrderWatches watches = new OrderWatches();
  private final AtomicReferenceArray<@Nullable Heartbeat> heartbeats;
  private final Cache<OrderToken, Order> orders =
      Caffeine.newBuilder().maximumSize(ORDERS_MAX).executor(Runnable::run).build();

  /**
   * Makes an empty cache.
   *
   * @param orderOf the order that an event is about, or empty where it is not about one
   * @param isYoung whether what was made at this time of the ledger is younger than {@link
   *     #HEARTBEAT_YOUNG} now; false where that is not known
   */
  public OrderCache(
      int partitions,
      Function<Event, Optional<Order>> orderOf,
      LongSupplier nanoTime,
      LongPredicate isYoung) {
    this.partitions = partitions;
    this.orderOf = orderOf;
    this.nanoTime = nanoTime;
    this.isYoung = isYoung;
    this.heartbeats = new AtomicReferenceArray<>(partitions);
  }

  @Override
  public void heard(int partition, Event event) {
    if (!event.type().equals(HEARTBEAT)) {
      orderOf(event).ifPresent(this::learn);
    } else if (partition < partitions) {
      heartbeatOf(event).ifPresent(heartbeat -> heardHeartbeat(partition, heartbeat));
    }
  }

  /**
   * Remembers an order that the ledger has; a version that is known already is nothing new. Version
   * 0 is not in the ledger, and may never be.
   */
  void learn(Order order) {
    if (order.version() < 1) {
      return;
    }
    Order newest =
        orders
            .asMap()
            .merge(order.token(), order, (old, now) -> now.version() > old.version() ? now : old);
    if (newest.version() == order.version()) {
      watches.changed(order);
    }
  }

  /** The newest version that was heard or read, however long ago. */
  @Nullable Order lastKnown(OrderToken token) {
    return orders.getIfPresent(token);
  }

  /** The order as it is now, or null where this is not known here. */
  @Nullable Order current(OrderToken token) {
    Order order = lastKnown(token);
    if (order == null || isFinal(order)) {
      return order;
    }
    return isCurrent(token.bucketId().partition(partitions)) ? order : null;
  }

  /** Tells about each newer version until closed, on any thread; under overload about none. */
  OrderWatches.Watch watch(OrderToken token, Consumer<Order> changed) {
    return watches.add(token, changed);
  }

  /**
   * Whether the status of this order can never change again, so that any old copy of it is good.
   */
  static boolean isFinal(Order order) {
    return order.status() != OrderStatus.RESERVED && !order.status().isLive();
  }

  /** An event of a later release may be beyond us; it must not stop the feed. */
  private Optional<Order> orderOf(Event event) {
    try {
      return orderOf.apply(event);
    } catch (RuntimeException notOfOurs) {
      log.atDebug().setCause(notOfOurs).addKeyValue("type", event.type()).log("Event not read");
      return Optional.empty();
    }
  }

  /** An owner that was replaced may go on sending for a while, and cannot know what is current. */
  private void heardHeartbeat(int partition, Heartbeat heartbeat) {
    heartbeats.accumulateAndGet(
        partition,
        heartbeat,
        (before, now) -> before == null || now.term() >= before.term() ? now : before);
  }

  /** One that does not say when it was made is of no use. */
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

  /** Young since it was heard, and since it was made: it may have been on its way for long. */
  private boolean isCurrent(int partition) {
    Heartbeat last = heartbeats.get(partition);
    return last != null
        && nanoTime.getAsLong() - last.atNanos() < HEARTBEAT_YOUNG.toNanos()
        && isYoung.test(last.madeAtMs());
  }
}
