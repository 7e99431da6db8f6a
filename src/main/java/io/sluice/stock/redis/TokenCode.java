package io.sluice.stock.redis;

import io.sluice.model.Refusal;
import io.sluice.stock.GrantOutcome;
import org.jspecify.annotations.Nullable;

/**
 * The result of {@code reserve} for one token, in order of precedence; the ordinal is the number
 * that the script returns.
 */
enum TokenCode {
  MISMATCH(Refusal.KEY_MISMATCH),
  ENDED(Refusal.ORDER_ENDED),
  ALREADY(null),
  FROZEN(Refusal.BUSY),
  NOT_OPEN(Refusal.NOT_OPEN),
  LIMIT_REACHED(Refusal.LIMIT_REACHED),
  SOLD_OUT(Refusal.SOLD_OUT),
  GRANTED(null);

  private static final TokenCode[] BY_NUMBER = values();
  private final GrantOutcome.@Nullable Refused refused;

  TokenCode(@Nullable Refusal refusal) {
    this.refused = refusal == null ? null : new GrantOutcome.Refused(refusal);
  }

  static TokenCode of(long number) {
    return BY_NUMBER[Math.toIntExact(number)];
  }

  /** The refusal for this code; not for ALREADY and GRANTED. */
  GrantOutcome.Refused refused() {
    if (refused == null) {
      throw new IllegalStateException("Expected a refusal, but got " + this);
    }
    return refused;
  }
}
