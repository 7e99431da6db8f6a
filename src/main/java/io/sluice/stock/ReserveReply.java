package io.sluice.stock;

import java.util.List;

/**
 * The reply to {@link StockStore#reserve}.
 *
 * @param code OK, or ABSENT, LOST, LOADING, OTHER_SALE: then nothing was decided and {@code
 *     outcomes} is empty
 * @param available units that can be granted after this batch
 * @param outcomes one per request, in order
 * @param contents identifies the bucket's token set, which leases compare
 * @param soldOutMs how long nothing new is granted, in milliseconds
 * @param run the begin of the run id of the Redis process that decided; empty if not OK
 */
public record ReserveReply(
    BucketCode code,
    long available,
    List<GrantOutcome> outcomes,
    Contents contents,
    int soldOutMs,
    String run) {

  /** A reply without a lease. */
  public ReserveReply(BucketCode code, long available, List<GrantOutcome> outcomes) {
    this(code, available, outcomes, Contents.UNKNOWN, 0, "");
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
