package io.sluice.config;

/**
 * How callers are identified.
 *
 * @param mode header: a gateway in front sets {@code userHeader}
 * @param serviceToken bearer token of the back office; empty: loopback only
 * @param tokenSecret the secret of order tokens; empty: drawn once and stored in the ledger
 */
public record AuthConfig(String mode, String userHeader, String serviceToken, String tokenSecret) {
  static final StringKey MODE = StringKey.of("auth.mode", "header", "header or jwt", "header|jwt");
  static final StringKey USER_HEADER =
      StringKey.of("auth.user_header", "X-User-Id", "the name of a header", Patterns.HEADER);
  static final StringKey SERVICE_TOKEN =
      StringKey.secret(
          "auth.service_token",
          "what a bearer token may hold, up to 512 characters",
          Patterns.BEARER);
  static final StringKey TOKEN_SECRET = StringKey.secret("auth.token_secret", "text", Patterns.ANY);

  public AuthConfig {
    MODE.check(mode);
    if (mode.equals("jwt")) {
      throw new InvalidConfigException(
          MODE.key(), "auth.mode must be header, was \"jwt\", which is not available yet");
    }
    USER_HEADER.check(userHeader);
    SERVICE_TOKEN.check(serviceToken);
    TOKEN_SECRET.check(tokenSecret);
  }

  static AuthConfig read(Settings settings) {
    return new AuthConfig(
        settings.text(MODE),
        settings.text(USER_HEADER),
        settings.text(SERVICE_TOKEN),
        settings.text(TOKEN_SECRET));
  }
}
