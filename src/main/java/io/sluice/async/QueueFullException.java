package io.sluice.async;

/**
 * The maximum number of look-ups is waiting. The stores are fine; a retry a second later is likely
 * to succeed.
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
