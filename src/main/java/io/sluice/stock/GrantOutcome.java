package io.sluice.stock;

import io.sluice.model.Grant;
import io.sluice.model.Refusal;

/**
 * What {@code reserve} decided for one token. A failed Future, by contrast, means that the outcome
 * is unknown.
 */
public sealed interface GrantOutcome {

  /** Yes, just now. */
  record Granted(Grant grant) implements GrantOutcome {}

  /**
   * This token holds units already.
   *
   * @param unbooked whether it is not yet known to be in the ledger; then its record must be made
   *     durable before a yes
   */
  record Already(Grant grant, boolean unbooked) implements GrantOutcome {}

  /** No; nothing was changed. BUSY stands for a bucket that an operator has frozen. */
  record Refused(Refusal refusal) implements GrantOutcome {}
}
