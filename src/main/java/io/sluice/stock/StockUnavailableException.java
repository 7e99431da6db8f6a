package io.sluice.stock;

import io.sluice.monitor.Part;
import org.jspecify.annotations.Nullable;

/**
 * Redis could not be reached, or did not answer in time; the outcome of the call is unknown. Has no
 * stack trace.
 */
public final class StockUnavailableException extends RuntimeException implements Part.Failure {
  private static final long serialVersionUID = 1L;

  private final boolean full;

  public StockUnavailableException(String message, @Nullable Throwable cause) {
    this(message, cause, false);
  }

  /**
   * @param full whether Redis refused the call because its memory is full
   */
  public StockUnavailableException(String message, @Nullable Throwable cause, boolean full) {
    super(message, cause, false, false);
    this.full = full;
  }

  /** Whether Redis refused the call because its memory is full; then it had no effect. */
  public boolean isFull() {
    return full;
  }

  @Override
  public Part part() {
    return Part.STOCK;
  }
}
