package io.sluice.async;

/**
 * As many look-ups wait as may. Nothing is wrong with the stores: who asks again a second later is
 * answered.
 */
public final class QueueFullException extends RuntimeException {
  public QueueFullException(int waitingMax) {
    super("Expected at most " + waitingMax + " look-ups to wait, but more do", null, false, false);
  }

  /** Whether a look-up was refused for this reason. */
  public static boolean isWhy(Throwable cause) {
    return cause instanceof QueueFullException;
  }
}
