package io.sluice.db;

/**
 * A table cannot be changed, since another session holds it. Not tried again by itself: everything
 * else that uses the table waits behind each attempt.
 */
public final class BlockedMigrationException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  BlockedMigrationException(String message, Throwable cause) {
    super(message, cause);
  }
}
