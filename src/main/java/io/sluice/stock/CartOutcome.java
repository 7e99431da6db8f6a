package io.sluice.stock;

import io.sluice.model.BucketId;
import io.sluice.model.Grant;
import io.sluice.model.Refusal;

/**
 * The decision of {@code reserve_carts} for one cart. A failed Future, in contrast, means that the
 * outcome is unknown.
 */
public sealed interface CartOutcome {

  /** Granted by this call; the grant of its lead, which has all lines. */
  record Granted(Grant lead) implements CartOutcome {}

  /**
   * It was granted before.
   *
   * @param unbooked as in {@link GrantOutcome.Already}, of any of its lines
   */
  record Already(Grant lead, boolean unbooked) implements CartOutcome {}

  /**
   * Refused; nothing was changed. BUSY stands for a bucket that an operator has frozen.
   *
   * @param line the index of the line that it is refused for; -1 if it is for none alone
   */
  record Refused(Refusal refusal, int line) implements CartOutcome {
    /** The index if no line is to blame alone. */
    public static final int NO_LINE = -1;
  }

  /** The bucket of a line cannot be asked now: ABSENT, LOST, LOADING or OTHER_SALE. */
  record Away(BucketCode code, BucketId bucket) implements CartOutcome {}

  /** Some of its lines are recorded and others are not; booking and rebuild repair that. */
  record Torn() implements CartOutcome {}
}
