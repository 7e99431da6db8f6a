package io.sluice.ledger;

import io.sluice.ledger.Instances.InstanceSettings;
import io.sluice.model.BucketId;
import io.sluice.model.Order;
import io.sluice.model.OrderToken;
import io.vertx.core.Future;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Map;

/**
 * Reads of orders, and the clock that their deadlines are compared with. Part of {@link Ledger}.
 */
public interface OrderReads {

  /** The database's clock, epoch milliseconds. */
  Future<Long> nowMs();

  /** {@link Instances#longest}. */
  Future<InstanceSettings> longestSettings();

  /**
   * A hold by its payment deadline; holds of one deadline by their place in the ledger.
   *
   * @param epoch with {@code seq}, unique in the bucket
   */
  record DuePlace(long payBeforeMs, BucketId bucket, long epoch, long seq)
      implements Comparable<DuePlace> {
    /** Before every hold. */
    public static final DuePlace FIRST = before(0);

    private static final Comparator<DuePlace> ORDER =
        Comparator.comparingLong(DuePlace::payBeforeMs)
            .thenComparing(DuePlace::bucket)
            .thenComparingLong(DuePlace::epoch)
            .thenComparingLong(DuePlace::seq);

    /** Before every hold with this deadline, or a later one. */
    public static DuePlace before(long payBeforeMs) {
      return new DuePlace(payBeforeMs, new BucketId(0, -1), 0, 0);
    }

    @Override
    public int compareTo(DuePlace other) {
      return ORDER.compare(this, other);
    }
  }

  /**
   * What was found among some holds.
   *
   * @param tokens the orders that are PENDING, oldest first
   * @param last the last hold that was looked at, ended ones included
   * @param complete whether no further hold was due
   */
  record DuePage(List<OrderToken> tokens, DuePlace last, boolean complete) {}

  /**
   * PENDING orders of this partition whose pay_before is at most {@code dueMs}, among the next
   * holds behind {@code after}. One with an extension is due by its latest deadline alone, and one
   * of several SKUs by its lead.
   *
   * @param limit how many holds to look at, ended ones included
   */
  Future<DuePage> due(int partition, DuePlace after, long dueMs, int limit);

  /** The maximum number of orders in one call. */
  int ORDERS_MAX = 1_000;

  /**
   * The current committed state of these orders, at most {@link #ORDERS_MAX}. Unknown tokens are
   * left out. An order of several SKUs is read as a whole by the token of its lead; by those of its
   * other lines, only they are.
   */
  Future<Map<OrderToken, Order>> orders(Collection<OrderToken> tokens);
}
