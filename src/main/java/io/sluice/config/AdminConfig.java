package io.sluice.config;

/**
 * The management port.
 *
 * @param port 0 takes any free one
 * @param token bearer token; empty: loopback only
 */
public record AdminConfig(String host, int port, String token) {
  static final StringKey HOST =
      StringKey.of("admin.host", "127.0.0.1", "an address or a host name", Patterns.HOST);
  static final IntKey PORT = new IntKey("admin.port", 8081, 0, 65_535);
  static final StringKey TOKEN =
      StringKey.secret(
          "admin.token", "what a bearer token may hold, up to 512 characters", Patterns.BEARER);

  public AdminConfig {
    HOST.check(host);
    PORT.check(port);
    TOKEN.check(token);
  }

  static AdminConfig read(Settings settings) {
    return new AdminConfig(settings.text(HOST), settings.number(PORT), settings.text(TOKEN));
  }
}
