package io.sluice.reservation.grant;

/**
 * The memory of all {@link TokenReplica copies} of an event loop, counted in fingerprints of tokens
 * and buyers.
 */
final class CopySpace {
  /** 32 to 64 MiB, as full as their tables are. */
  static final int FINGERPRINTS_MAX = 2_000_000;

  private long used;

  /** Whether no further page may be copied. */
  boolean isFull() {
    return used >= FINGERPRINTS_MAX;
  }

  void take(int fingerprints) {
    used += fingerprints;
  }

  void giveBack(int fingerprints) {
    used -= fingerprints;
  }

  long used() {
    return used;
  }
}
