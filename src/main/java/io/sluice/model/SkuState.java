package io.sluice.model;

/**
 * Whether a SKU sells. SCHEDULED sells from {@code opens_at} on; OPEN sells now; both only until
 * {@code closes_at}. CLOSED and FROZEN do not sell; FROZEN is an operator's or an alarm's stop, and
 * unfreeze restores what was before.
 */
public enum SkuState {
  SCHEDULED,
  OPEN,
  CLOSED,
  FROZEN;

  /** What this state amounts to at a moment; {@code 0} means that no such time is set. */
  public SkuState at(long nowMs, long opensAtMs, long closesAtMs) {
    if (this == CLOSED || this == FROZEN) {
      return this;
    }
    if (closesAtMs != 0 && nowMs >= closesAtMs) {
      return CLOSED;
    }
    return this == SCHEDULED && nowMs < opensAtMs ? SCHEDULED : OPEN;
  }
}
