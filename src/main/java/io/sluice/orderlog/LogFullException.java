package io.sluice.orderlog;

/** This instance has too many appends in flight. The call had no effect and will have none. */
public final class LogFullException extends LogUnavailableException {
  private static final long serialVersionUID = 1L;

  public LogFullException(String message) {
    super(message);
  }
}
