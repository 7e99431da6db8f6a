package io.sluice.ledger.rules;

import io.sluice.ledger.rules.BatchSnapshot.Bucket;
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

  private final Map<BucketId, Queue<Order>> byBucket = new HashMap<>();

  /**
   * A hold has ended before this grant if the payment deadline that Redis gave it is before this
   * time.
   */
  static long endedBeforeMs(Grant grant) {
    return grant.grantedAtMs() + CLOCKS_APART_MS;
  }

  /**
   * The overdue holds to read for a bucket.
   *
   * @param beforeMs read those whose payment deadline is before this
   * @param holds how many to read at most
   */
  public record Demand(long beforeMs, int holds) {
    public static Demand of(BucketId bucket, Collection<Command> commands) {
      long beforeMs = 0;
      long units = 0;
      for (Command command : commands) {
        if (!(command instanceof Command.Reserve reserve)) {
          continue;
        }
        for (Grant line : reserve.grant().lines()) {
          if (line.token().bucketId().equals(bucket)) {
            beforeMs = Math.max(beforeMs, endedBeforeMs(line));
            units += Math.max(0, line.qty());
          }
        }
      }
      return new Demand(beforeMs, (int) Math.min(HOLDS_MAX, units));
    }
  }

  /**
   * Removes and returns the bucket's oldest hold that must have ended before this grant; null where
   * there is none.
   *
   * @param orders all orders of the batch
   */
  @Nullable Order next(Bucket bucket, Grant grant, Collection<Order> orders) {
    Queue<Order> holds = byBucket.computeIfAbsent(bucket.id(), id -> holdsOf(id, orders));
    Order oldest = holds.peek();
    return oldest != null && PaymentTime.promisedBeforeMs(oldest) < endedBeforeMs(grant)
        ? holds.poll()
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
    Queue<Order> holds =
        new PriorityQueue<>(
            Comparator.comparingLong(PaymentTime::promisedBeforeMs)
                .thenComparing(order -> order.token().value()));
    orders.stream()
        .filter(order -> order.token().bucketId().equals(bucket))
        // Redis did not hear of an extension, so it says nothing about when such a hold ended.
        .filter(order -> order.status() == OrderStatus.PENDING && !order.notes().extended())
        .forEach(holds::add);
    return holds;
  }
}
