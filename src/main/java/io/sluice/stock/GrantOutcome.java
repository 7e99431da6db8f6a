package io.sluice.stock;

import io.sluice.model.Grant;
import io.sluice.model.Refusal;

/**
 * The decision of {@code reserve} for one token. A failed Future, in contrast, means that the
 * outcome is unknown.
 */
public sealed interface GrantOutcome {

  /** Granted by this call. */
  record Granted(Grant grant) implements GrantOutcome {}

  /**
   * The token was granted before.
   *
   * @param unbooked whether it is not yet known to be in the ledger; then its record must be made
   *     durable before the grant is acknowledged
   */
  record Already(Grant grant, boolean unbooked) implements GrantOutcome {}

  /** Refused; nothing was changed. BUSY stands for a bucket that an operator has frozen. */
  record Refused(Refusal refusal) implements GrantOutcome {}
}
