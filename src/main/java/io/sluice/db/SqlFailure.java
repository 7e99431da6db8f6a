package io.sluice.db;

import io.sluice.connect.ConnectFault;
import io.vertx.sqlclient.DatabaseException;
import java.util.Set;

/** The only failure of calls to the database; its fault is DATA or UNAVAILABLE. */
public final class SqlFailure extends RuntimeException implements ConnectFault.Known {
  private static final long serialVersionUID = 1L;

  // Wrong user or password (the second is MariaDB's for sockets); no right to the database, table,
  // column or statement; a server with require_secure_transport.
  private static final Set<Integer> LOGIN_CODES = Set.of(1045, 1698);
  private static final Set<Integer> RIGHTS_CODES = Set.of(1044, 1142, 1143, 1227);
  private static final int TLS_CODE = 3159;

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
    if (!(cause instanceof DatabaseException answer)) {
      return cause == null ? ConnectFault.FAILED : ConnectFault.of(cause);
    }
    if (answer.getErrorCode() == TLS_CODE) {
      return ConnectFault.TLS_REQUIRED;
    }
    if (LOGIN_CODES.contains(answer.getErrorCode())) {
      return ConnectFault.LOGIN_REFUSED;
    }
    return RIGHTS_CODES.contains(answer.getErrorCode())
        ? ConnectFault.PERMISSION_MISSING
        : ConnectFault.FAILED;
  }
}
