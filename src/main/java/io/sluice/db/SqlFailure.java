package io.sluice.db;

/** The only failure of calls to the database; its fault is DATA or UNAVAILABLE. */
public final class SqlFailure extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final SqlFault fault;

  SqlFailure(SqlFault fault, Throwable cause) {
    super(fault + ": " + cause.getMessage(), cause);
    this.fault = fault;
  }

  /** The fault of this failure, which may have been classified before. */
  static SqlFault faultOf(Throwable failure) {
    return failure instanceof SqlFailure classified ? classified.fault() : SqlFault.of(failure);
  }

  public SqlFault fault() {
    return fault;
  }
}
