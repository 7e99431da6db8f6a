package io.sluice.config;

/**
 * The management port.
 *
 * @param port 0 takes any free one
 * @param token bearer token; empty: loopback only
 */
public record AdminConfig(String host, int port, String token) {
  static final Text HOST =
      Text.of("admin.host", "127.0.0.1", "an address or a host name", Forms.HOST);
  static final WholeNumber PORT = new WholeNumber("admin.port", 8081, 0, 65_535);
  static final Text TOKEN =
      Text.secret(
          "admin.token", "what a bearer token may hold, up to 512 characters", Forms.BEARER);

  /** Checks each value. */
  public AdminConfig {
    HOST.check(host);
    PORT.check(port);
    TOKEN.check(token);
  }

  static AdminConfig read(Settings settings) {
    return new AdminConfig(settings.text(HOST), settings.number(PORT), settings.text(TOKEN));
  }
}
