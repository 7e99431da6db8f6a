package io.sluice.orderlog;

/** As much is under way as this instance may have. What was asked did not happen and never will. */
public final class LogFullException extends LogUnavailableException {
  private static final long serialVersionUID = 1L;

  public LogFullException(String message) {
    super(message);
  }
}
