package io.sluice.ledger;

/**
 * The database refuses the data itself (out of range, too long, a violated constraint). Nothing was
 * written.
 */
public final class UnprocessableException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  public UnprocessableException(String message, Throwable cause) {
    super(message, cause);
  }
}
