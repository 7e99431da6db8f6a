package io.sluice.ledger;

/**
 * This instance's configuration or order log is not the one that the ledger was founded with; ends
 * the process with code 2.
 */
public final class IdentityMismatchException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  public IdentityMismatchException(String message) {
    super(message);
  }
}
