package io.sluice.ledger.rules;

import io.sluice.ledger.rules.BatchChanges.Replayed;
import io.sluice.model.BucketId;
import io.sluice.model.Command;
import io.sluice.model.Grant;
import io.sluice.model.Order;
import io.sluice.model.OrderStatus;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.Queue;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Finds holds that must have ended before a grant was made, although this ledger still has them as
 * PENDING. This happens after the ledger was restored to an earlier state, because time-outs are
 * not in the order log. Redis could grant those units again only because they had been released.
 */
public final class OverdueHolds {
  /**
   * The maximum difference assumed between the database's clock, which decides time-outs, and the
   * clock of Redis, which stamps grants.
   */
  static final long CLOCKS_APART_MS = 2_000;

  /** The maximum number of holds of a bucket that a batch reads. */
  static final int HOLDS_MAX = 20_000;

  private static final Comparator<Order> OLDEST_FIRST =
      Comparator.comparingLong(PaymentTime::promisedBeforeMs)
          .thenComparing(order -> order.token().value());

  private final Map<BucketId, Queue<Order>> byBucket = new HashMap<>();

  /**
   * A hold has ended before this grant if the payment deadline that Redis gave it is before this
   * time.
   */
  static long endedBeforeMs(Grant grant) {
    return grant.grantedAtMs() + CLOCKS_APART_MS;
  }

  /**
   * The overdue holds to read for each bucket of a SKU.
   *
   * @param beforeMs read those whose payment deadline is before this
   * @param holds how many to read at most
   */
  public record Demand(long beforeMs, int holds) {
    public static Demand of(long skuId, Collection<Command> commands) {
      long beforeMs = 0;
      long units = 0;
      for (Command command : commands) {
        if (!(command instanceof Command.Reserve reserve)) {
          continue;
        }
        for (Grant line : reserve.grant().lines()) {
          if (line.token().skuId() == skuId) {
            beforeMs = Math.max(beforeMs, endedBeforeMs(line));
            units += Math.max(0, line.qty());
          }
        }
      }
      return new Demand(beforeMs, (int) Math.min(HOLDS_MAX, units));
    }
  }

  /**
   * The buckets whose overdue holds may make room, and were not read yet: those that have no room
   * for their grants, then all of their SKUs.
   *
   * @param read the buckets whose overdue holds were read
   */
  public static Set<BucketId> toRead(Replayed replayed, Set<BucketId> read) {
    BatchChanges changes = replayed.changes();
    Set<BucketId> wanted = new TreeSet<>(changes.full());
    changes.gathered().forEach((id, units) -> wanted.addAll(units > 0 ? Set.of(id) : Set.of()));
    wanted.removeAll(read);
    if (wanted.isEmpty()) {
      changes.full().forEach(full -> wanted.addAll(replayed.snapshot().siblingsHere(full)));
      wanted.removeAll(read);
    }
    return wanted;
  }

  /**
   * Removes and returns the oldest hold of these buckets that must have ended before this grant;
   * null if there is none.
   *
   * @param orders all orders of the batch
   */
  @Nullable Order next(Collection<BucketId> buckets, Grant grant, Collection<Order> orders) {
    Queue<Order> next = null;
    for (BucketId bucket : buckets) {
      Queue<Order> holds = byBucket.computeIfAbsent(bucket, id -> holdsOf(id, orders));
      if (!holds.isEmpty()
          && (next == null || OLDEST_FIRST.compare(holds.element(), next.element()) < 0)) {
        next = holds;
      }
    }
    return next != null && PaymentTime.promisedBeforeMs(next.element()) < endedBeforeMs(grant)
        ? next.poll()
        : null;
  }

  /** Adds a hold that this batch booked. */
  void booked(Order order) {
    Queue<Order> holds = byBucket.get(order.token().bucketId());
    if (holds != null) {
      holds.add(order);
    }
  }

  private static Queue<Order> holdsOf(BucketId bucket, Collection<Order> orders) {
    Queue<Order> holds = new PriorityQueue<>(OLDEST_FIRST);
    orders.stream()
        .filter(order -> order.token().bucketId().equals(bucket))
        // Redis does not know extensions, so its record does not show when such a hold ended.
        .filter(order -> order.status() == OrderStatus.PENDING && !order.notes().extended())
        .forEach(holds::add);
    return holds;
  }
}
