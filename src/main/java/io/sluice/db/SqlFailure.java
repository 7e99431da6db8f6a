package io.sluice.db;

import io.sluice.monitor.ConnectFault;
import io.vertx.sqlclient.ClosedConnectionException;
import io.vertx.sqlclient.DatabaseException;
import java.util.Map;

/** The only failure of calls to the database; its fault is DATA or UNAVAILABLE. */
public final class SqlFailure extends RuntimeException implements ConnectFault.Known {
  private static final long serialVersionUID = 1L;

  private static final Map<Integer, ConnectFault> CONNECT_FAULTS =
      Map.of(
          // Wrong user or password; the second is MariaDB's for sockets.
          1045, ConnectFault.LOGIN_REFUSED,
          1698, ConnectFault.LOGIN_REFUSED,
          // No right to the database, table, column or statement.
          1044, ConnectFault.PERMISSION_MISSING,
          1142, ConnectFault.PERMISSION_MISSING,
          1143, ConnectFault.PERMISSION_MISSING,
          1227, ConnectFault.PERMISSION_MISSING,
          // A server with require_secure_transport.
          3159, ConnectFault.TLS_REQUIRED,
          // "Bad handshake": a server without TLS took the request for it for a login. Its answer
          // may also arrive as the first bytes of TLS, which they are not.
          1043, ConnectFault.NOT_TLS);

  private final SqlFault fault;

  SqlFailure(SqlFault fault, Throwable cause) {
    super(fault + ": " + ConnectFault.line(cause), cause);
    this.fault = fault;
  }

  /** The fault of this failure, which may have been classified before. */
  static SqlFault faultOf(Throwable failure) {
    return failure instanceof SqlFailure classified ? classified.fault() : SqlFault.of(failure);
  }

  public SqlFault fault() {
    return fault;
  }

  @Override
  public ConnectFault connectFault() {
    Throwable cause = getCause();
    while (cause instanceof SqlFailure classified) {
      cause = classified.getCause();
    }
    if (cause instanceof DatabaseException answer) {
      return CONNECT_FAULTS.getOrDefault(answer.getErrorCode(), ConnectFault.FAILED);
    }
    if (cause == null) {
      return ConnectFault.FAILED;
    }
    return cause instanceof ClosedConnectionException
        ? ConnectFault.UNREACHABLE
        : ConnectFault.of(cause);
  }
}
