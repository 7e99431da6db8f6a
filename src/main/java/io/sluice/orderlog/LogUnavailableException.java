package io.sluice.orderlog;

import io.sluice.monitor.Part;
import org.jspecify.annotations.Nullable;

/** The broker failed or did not answer in time. The call may have had its effect. */
public class LogUnavailableException extends RuntimeException implements Part.Failure {
  private static final long serialVersionUID = 1L;

  public LogUnavailableException(String message) {
    super(message);
  }

  public LogUnavailableException(String message, @Nullable Throwable cause) {
    super(message, cause);
  }

  @Override
  public Part part() {
    return Part.LOG;
  }

  /** This instance has too many appends in flight. The call had no effect and will have none. */
  public static final class LogFullException extends LogUnavailableException {
    private static final long serialVersionUID = 1L;

    public LogFullException(String message) {
      super(message);
    }
  }
}
