package io.sluice.model;

/**
 * Whether a SKU sells. SCHEDULED sells from {@code opens_at} on; OPEN sells now; both only until
 * {@code closes_at}. CLOSED and FROZEN do not sell. FROZEN is set by an operator or an alarm, and
 * unfreeze restores the state before.
 */
public enum SkuState {
  SCHEDULED,
  OPEN,
  CLOSED,
  FROZEN;

  /** The effective state at a time; {@code 0} means that no such time is set. */
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
