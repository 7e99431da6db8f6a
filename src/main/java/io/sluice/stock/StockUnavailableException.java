package io.sluice.stock;

import org.jspecify.annotations.Nullable;

/**
 * Redis could not be asked, or did not answer in time: the outcome of the call is unknown. Carries
 * no stack trace.
 */
public final class StockUnavailableException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  public StockUnavailableException(String message, @Nullable Throwable cause) {
    super(message, cause, false, false);
  }

  /** Whether Redis refused it since its memory is full; then it had no effect. */
  public boolean isFull() {
    Throwable cause = getCause();
    return cause != null && RedisSettings.isErrorReply(cause, "OOM");
  }
}
