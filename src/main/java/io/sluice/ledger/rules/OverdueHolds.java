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
 * Holds that must have ended before a grant, although this ledger has not ended them: it was put
 * back to an earlier state, and time-outs are in no log. Redis could only grant their units again
 * since they had been released.
 */
public final class OverdueHolds {
  /**
   * How far apart the database's clock, which times out, and that of Redis, which grants, may be.
   */
  static final long CLOCKS_APART_MS = 2_000;

  /** Holds of a bucket that a batch looks at. */
  static final int HOLDS_MAX = 20_000;

  private final Map<BucketId, Queue<Order>> byBucket = new HashMap<>();

  /** What Redis promised a hold that this grant shows to have ended lies before this. */
  static long endedBeforeMs(Grant grant) {
    return grant.grantedAtMs() + CLOCKS_APART_MS;
  }

  /** What these commands want of a bucket: until when holds were promised, and how many. */
  public record Demand(long beforeMs, int holds) {
    public static Demand of(BucketId bucket, Collection<Command> commands) {
      long beforeMs = 0;
      long units = 0;
      for (Command command : commands) {
        if (command instanceof Command.Reserve reserve
            && reserve.grant().token().bucketId().equals(bucket)) {
          beforeMs = Math.max(beforeMs, endedBeforeMs(reserve.grant()));
          units += Math.max(0, reserve.grant().qty());
        }
      }
      return new Demand(beforeMs, (int) Math.min(HOLDS_MAX, units));
    }
  }

  /**
   * The next one of the bucket that this grant shows to have ended, or null; expects all orders.
   */
  @Nullable Order next(Bucket bucket, Grant grant, Collection<Order> orders) {
    Queue<Order> holds = byBucket.computeIfAbsent(bucket.id(), id -> holdsOf(id, orders));
    Order oldest = holds.peek();
    return oldest != null && PaymentTime.promisedBeforeMs(oldest) < endedBeforeMs(grant)
        ? holds.poll()
        : null;
  }

  /** A hold that was booked since. */
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
        .filter(order -> order.status() == OrderStatus.PENDING)
        .forEach(holds::add);
    return holds;
  }
}
