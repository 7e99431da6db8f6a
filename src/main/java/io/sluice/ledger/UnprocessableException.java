package io.sluice.ledger;

/**
 * The database refuses what the data itself says (out of range, too long, a broken constraint).
 * Nothing was written.
 */
public final class UnprocessableException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  public UnprocessableException(String message, Throwable cause) {
    super(message, cause);
  }
}
