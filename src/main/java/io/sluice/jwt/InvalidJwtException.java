package io.sluice.jwt;

/** A token is not what it must be. Has no stack trace, because it is the caller's error. */
final class InvalidJwtException extends Exception {
  private static final long serialVersionUID = 1L;

  private final JwtFault fault;

  InvalidJwtException(JwtFault fault) {
    super(fault.detail(), null, false, false);
    this.fault = fault;
  }

  JwtFault fault() {
    return fault;
  }
}
