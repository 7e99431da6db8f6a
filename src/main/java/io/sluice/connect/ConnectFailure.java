package io.sluice.connect;

/** A server cannot be used, for this reason. The message is one line for the log. */
public final class ConnectFailure extends RuntimeException implements ConnectFault.Known {
  private static final long serialVersionUID = 1L;

  private final ConnectFault fault;

  public ConnectFailure(ConnectFault fault, Throwable cause) {
    super(ConnectFault.line(cause), cause);
    this.fault = fault;
  }

  public ConnectFailure(ConnectFault fault, String message) {
    super(message);
    this.fault = fault;
  }

  @Override
  public ConnectFault connectFault() {
    return fault;
  }
}
