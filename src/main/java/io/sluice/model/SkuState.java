package io.sluice.model;

/**
 * Whether a SKU sells. SCHEDULED sells from {@code opens_at} on; OPEN sells now; both only until
 * {@code closes_at}. The others do not sell. FROZEN is set by an operator or an alarm, and unfreeze
 * restores the state before. An ENDING SKU is closed until its last order has ended and Redis holds
 * nothing of it; then it is ENDED, and ARCHIVED once its rows are in the archive.
 */
public enum SkuState {
  SCHEDULED,
  OPEN,
  CLOSED,
  FROZEN,
  ENDING,
  ENDED,
  ARCHIVED;

  /** The effective state at a time; {@code 0} means that no such time is set. */
  public SkuState at(long nowMs, long opensAtMs, long closesAtMs) {
    if (this != SCHEDULED && this != OPEN) {
      return this;
    }
    if (closesAtMs != 0 && nowMs >= closesAtMs) {
      return CLOSED;
    }
    return this == SCHEDULED && nowMs < opensAtMs ? SCHEDULED : OPEN;
  }

  /** Whether nothing of it is in Redis, so that the ledger alone answers. */
  public boolean isEnded() {
    return this == ENDED || this == ARCHIVED;
  }

  /** Whether it has begun to end, so that operators cannot change it any more. */
  public boolean isEnding() {
    return this == ENDING || isEnded();
  }

  /** Whether it may begin to end, because its closes_at has passed so long ago. */
  public boolean isClosedFor(long forMs, long nowMs, long closesAtMs) {
    boolean mayEnd = this != FROZEN && !isEnding();
    return mayEnd && closesAtMs != 0 && nowMs - closesAtMs >= forMs;
  }

  /** The state for Redis, which knows nothing of ends: a SKU that ends is closed there. */
  public SkuState inRedis() {
    return isEnding() ? CLOSED : this;
  }
}
