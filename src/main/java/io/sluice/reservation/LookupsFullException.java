package io.sluice.reservation;

/**
 * As many look-ups wait as may. Nothing is wrong with the stores: who asks again a second later is
 * answered.
 */
public final class LookupsFullException extends RuntimeException {
  LookupsFullException(int waitingMax) {
    super("Expected at most " + waitingMax + " look-ups to wait, but more do", null, false, false);
  }

  /** Whether a look-up was refused for this reason. */
  public static boolean isWhy(Throwable cause) {
    return cause instanceof LookupsFullException;
  }
}
