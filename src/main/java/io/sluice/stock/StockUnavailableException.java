package io.sluice.stock;

import org.jspecify.annotations.Nullable;

/**
 * Redis could not be asked, or did not answer in time: the outcome of the call is unknown. Carries
 * no stack trace.
 */
public final class StockUnavailableException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final boolean full;

  public StockUnavailableException(String message, @Nullable Throwable cause) {
    this(message, cause, false);
  }

  /** The same; {@code full} where Redis refused the call since its memory is full. */
  public StockUnavailableException(String message, @Nullable Throwable cause, boolean full) {
    super(message, cause, false, false);
    this.full = full;
  }

  /** Whether Redis refused it since its memory is full; then it had no effect. */
  public boolean isFull() {
    return full;
  }
}
