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
}
