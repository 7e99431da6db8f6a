package io.sluice.orderlog;

import org.jspecify.annotations.Nullable;

/** The broker did not answer as it should, or not in time. What was asked may have happened. */
public class LogUnavailableException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  public LogUnavailableException(String message) {
    super(message);
  }

  public LogUnavailableException(String message, @Nullable Throwable cause) {
    super(message, cause);
  }
}
