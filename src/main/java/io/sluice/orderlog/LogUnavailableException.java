package io.sluice.orderlog;

import org.jspecify.annotations.Nullable;

/** The broker failed or did not answer in time. The call may have had its effect. */
public class LogUnavailableException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  public LogUnavailableException(String message) {
    super(message);
  }

  public LogUnavailableException(String message, @Nullable Throwable cause) {
    super(message, cause);
  }
}
