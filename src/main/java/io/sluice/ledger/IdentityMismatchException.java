package io.sluice.ledger;

/**
 * This instance's configuration or order log is not the one that the ledger was founded with; ends
 * the process with code 2.
 */
public final class IdentityMismatchException extends RuntimeException {
  /** The remedy for another order log. */
  public static final String LOST_LOG =
      "restore that log or, if it is lost for good, end all instances and start one with"
          + " --adopt-log";

  private static final long serialVersionUID = 1L;

  public IdentityMismatchException(String message) {
    super(message);
  }
}
