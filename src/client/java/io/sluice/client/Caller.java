package io.sluice.client;

/**
 * Who makes a call, as a header of the request. Its text shows no value, as that may be a secret.
 *
 * @param header the name of the header; empty if the caller says nothing about himself
 * @param value what it says
 */
public record Caller(String header, String value) {
  private static final String TEXT = "[!-~]([ -~]*[!-~])?";

  /**
   * Both are checked.
   *
   * @throws IllegalArgumentException if one of them cannot be sent as it is
   */
  public Caller {
    if (!header.isEmpty() && !(header.matches("[A-Za-z0-9-]+") && value.matches(TEXT))) {
      throw new IllegalArgumentException(
          "Expected a header and visible ASCII characters as its value, but got others");
    }
  }

  /**
   * A buyer, whom the shop has authenticated; for services with {@code auth.mode: header}, which
   * believe the addresses of {@code auth.trusted_proxies}.
   *
   * @param userId 1 to 128 visible ASCII characters
   */
  public static Caller user(String userId) {
    return header("X-User-Id", userId);
  }

  /** The same with the name that {@code auth.user_header} has. */
  public static Caller header(String name, String value) {
    return new Caller(name, value);
  }

  /**
   * A bearer token: the back office's or an operator's, or a buyer's JWT if {@code auth.mode} is
   * {@code jwt}.
   */
  public static Caller token(String token) {
    return new Caller("Authorization", "Bearer " + token);
  }

  /** A program of the service's own machine, if the service has no tokens. */
  public static Caller local() {
    return new Caller("", "");
  }

  @Override
  public String toString() {
    return "Caller[" + header + "]";
  }
}
