package io.sluice.auth;

/** Why a token is refused. The details are fixed texts: nothing of a token is repeated. */
public enum JwtFault {
  TOO_LONG("at most " + JwtVerifier.TOKEN_LENGTH_MAX + " characters, but it is longer"),
  MALFORMED(
      "a signed JWT of three parts in base64url with JSON objects of distinct names, but it is"
          + " not"),
  HEADER(
      "a header without crit, b64, jwk, jku, x5u, x5c, zip, enc and nested tokens, but it has one"),
  ALGORITHM("the alg of the configured key, but it is another"),
  UNKNOWN_KEY("a kid of the configured key set, but it is missing or unknown"),
  CLAIMS("claims with the types of RFC 7519, but exp, nbf, iss or aud has another"),
  NO_EXPIRY("an exp, but it has none"),
  EXPIRED("an exp that is not over, but it is"),
  NOT_YET("a nbf that has begun, but it has not"),
  ISSUER("the iss of auth.issuer, but it is missing or another"),
  AUDIENCE("the aud that is expected here, but it is missing or another"),
  USER("a user id in the claim of auth.user_claim, but it is missing or none"),
  SUBJECT("the buyer as its sub, but it is another's"),
  SENDER("a signature that was verified before, because its sender has sent too many wrong ones"),
  BUSY("a signature that was verified before, because wrong ones have used up the time for more"),
  SIGNATURE("a signature by the configured key, but it is none");

  private final String detail;

  JwtFault(String detail) {
    this.detail = detail;
  }

  /** The expectation, and the value found; continues "Expected a token with ". */
  public String detail() {
    return detail;
  }

  /** A token is not what it must be. Has no stack trace, because it is the caller's error. */
  static final class InvalidJwtException extends Exception {
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
}
