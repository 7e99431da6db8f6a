package io.sluice.testkit.server;

/**
 * A test server could not be found, started or stopped; the message has the end of its log, if it
 * has one.
 */
public final class BackendException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  public BackendException(String message) {
    super(message);
  }

  public BackendException(String message, Throwable cause) {
    super(message, cause);
  }

  /** Whether the server found its port taken, so that another port may work. */
  boolean portTaken() {
    return getMessage().contains("ddress already in use");
  }
}
