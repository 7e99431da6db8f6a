package io.sluice.stock;

import io.sluice.model.BucketId;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The reply to {@link StockStore#reserve}, or to {@link StockStore#reserveCarts}.
 *
 * @param code OK, or ABSENT, LOST, LOADING, OTHER_SALE: then nothing was decided and {@code
 *     outcomes} is empty; always OK of several buckets
 * @param available units that can be granted after this batch
 * @param outcomes one per request, in order
 * @param contents identifies the bucket's token set, which leases compare
 * @param soldOutMs how long nothing new is granted, in milliseconds
 * @param run the begin of the run id of the Redis process that decided; empty if no bucket is OK
 * @param buckets of each bucket, what a {@code reserve} of the lines in it would have replied; null
 *     if the call was for one bucket
 */
public record ReserveReply(
    BucketCode code,
    long available,
    List<GrantOutcome> outcomes,
    Contents contents,
    int soldOutMs,
    String run,
    @Nullable Map<BucketId, ReserveReply> buckets) {

  /** A reply of one bucket. */
  public ReserveReply(
      BucketCode code,
      long available,
      List<GrantOutcome> outcomes,
      Contents contents,
      int soldOutMs,
      String run) {
    this(code, available, outcomes, contents, soldOutMs, run, null);
  }

  /** A reply without a lease. */
  public ReserveReply(BucketCode code, long available, List<GrantOutcome> outcomes) {
    this(code, available, outcomes, Contents.UNKNOWN, 0, "");
  }

  /** A reply of several buckets. */
  public static ReserveReply ofCarts(
      List<GrantOutcome> outcomes, Map<BucketId, ReserveReply> buckets, String run) {
    return new ReserveReply(BucketCode.OK, 0, outcomes, Contents.UNKNOWN, 0, run, buckets);
  }

  /** What it says of a bucket that was asked; null if it says nothing. */
  public @Nullable ReserveReply of(BucketId bucket) {
    return buckets == null ? this : buckets.get(bucket);
  }

  /**
   * Identifies the tokens that a bucket has recorded, without listing them. Within an epoch each
   * new token raises {@code claimed}, and none is removed, so equal contents mean the same tokens.
   *
   * @param limitPerUser the limit when this was read
   */
  public record Contents(long epoch, long claimed, int limitPerUser) {
    /** The contents of a reply that has none. */
    public static final Contents UNKNOWN = new Contents(0, 0, 0);

    /** Whether both are known to have the same tokens. */
    public boolean sameTokens(Contents other) {
      return epoch == other.epoch && claimed == other.claimed && epoch > 0;
    }
  }
}
