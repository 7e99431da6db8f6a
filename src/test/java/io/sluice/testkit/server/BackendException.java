package io.sluice.testkit.server;

/**
 * Says that a test server could not be found, started or stopped, with the end of its log where it
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

  /** True if the server found its port taken: another free port may do. */
  boolean portTaken() {
    return getMessage().contains("ddress already in use");
  }
}
