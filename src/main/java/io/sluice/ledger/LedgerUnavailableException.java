package io.sluice.ledger;

import io.sluice.monitor.Part;

/**
 * The database could not be reached, or its answer was lost: connection, lock, time-out, read-only,
 * disk full. The outcome is unknown; the same call may be repeated any number of times.
 */
public final class LedgerUnavailableException extends RuntimeException implements Part.Failure {
  private static final long serialVersionUID = 1L;

  public LedgerUnavailableException(String message, Throwable cause) {
    super(message, cause);
  }

  @Override
  public Part part() {
    return Part.LEDGER;
  }
}
