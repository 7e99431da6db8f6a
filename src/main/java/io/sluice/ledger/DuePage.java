package io.sluice.ledger;

import io.sluice.model.BucketId;
import io.sluice.model.OrderToken;
import java.util.Comparator;
import java.util.List;

/**
 * What was found among some holds.
 *
 * @param tokens the orders that are PENDING, oldest first
 * @param last the last hold that was looked at, ended ones included
 * @param complete whether no further hold was due
 */
public record DuePage(List<OrderToken> tokens, DuePlace last, boolean complete) {
  /**
   * A hold by its payment deadline; holds of one deadline by their place in the ledger.
   *
   * @param epoch with {@code seq}, unique in the bucket
   */
  public record DuePlace(long payBeforeMs, BucketId bucket, long epoch, long seq)
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
}
