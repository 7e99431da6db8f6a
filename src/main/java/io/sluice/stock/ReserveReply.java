package io.sluice.stock;

import java.util.List;

/**
 * Answer of {@link StockStore#reserve}.
 *
 * @param code OK, or ABSENT, LOST, LOADING: then nothing was decided and {@code outcomes} is empty
 * @param available units that can be granted after this batch
 * @param outcomes one per request, in order
 * @param contents which tokens the bucket has, as a lease compares them
 * @param soldOutMs for how long nothing new is granted, in milliseconds
 */
public record ReserveReply(
    BucketCode code,
    long available,
    List<GrantOutcome> outcomes,
    Contents contents,
    int soldOutMs) {

  /** Where no lease comes with it. */
  public ReserveReply(BucketCode code, long available, List<GrantOutcome> outcomes) {
    this(code, available, outcomes, Contents.UNKNOWN, 0);
  }

  /**
   * Which tokens a bucket has recorded, without naming them: in one epoch each new one raises
   * {@code claimed}, and none goes. Equal contents mean the same tokens.
   *
   * @param limitPerUser in force when this was read
   */
  public record Contents(long epoch, long claimed, int limitPerUser) {
    /** Of an answer that does not say. */
    public static final Contents UNKNOWN = new Contents(0, 0, 0);

    /** Whether both have the same tokens. */
    public boolean sameTokens(Contents other) {
      return epoch == other.epoch && claimed == other.claimed && epoch > 0;
    }
  }
}
