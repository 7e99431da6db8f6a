package io.sluice.config;

import io.vertx.core.json.JsonArray;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * How callers are identified.
 *
 * @param mode header: a gateway in front sets {@code userHeader}
 * @param trustedProxies the addresses from which {@code userHeader} is accepted
 * @param serviceToken one or two bearer tokens of the back office; empty: loopback only, if any
 * @param tokenSecret the secret of order tokens; empty: drawn once and stored in the ledger
 */
public record AuthConfig(
    String mode,
    String userHeader,
    List<Cidr> trustedProxies,
    String serviceToken,
    String tokenSecret) {
  static final StringKey MODE = StringKey.of("auth.mode", "header", "header or jwt", "header|jwt");
  static final StringKey USER_HEADER =
      StringKey.of("auth.user_header", "X-User-Id", "the name of a header", Patterns.HEADER);
  static final String TRUSTED_PROXIES = "auth.trusted_proxies";
  static final StringKey SERVICE_TOKEN =
      StringKey.secret(
          "auth.service_token",
          "empty or " + Patterns.BEARER_TOKENS_EXPECTED,
          Patterns.BEARER_OR_NONE);
  static final StringKey TOKEN_SECRET = StringKey.secret("auth.token_secret", "text", Patterns.ANY);

  /** Loopback, private and link-local addresses, and carrier-grade NAT. */
  static final List<Cidr> TRUSTED_BY_DEFAULT =
      Stream.of(
              "127.0.0.0/8",
              "::1",
              "10.0.0.0/8",
              "172.16.0.0/12",
              "192.168.0.0/16",
              "fc00::/7",
              "169.254.0.0/16",
              "fe80::/10",
              "100.64.0.0/10")
          .map(Cidr::parse)
          .toList();

  public AuthConfig {
    MODE.check(mode);
    if (mode.equals("jwt")) {
      throw new InvalidConfigException(
          MODE.key(), "auth.mode must be header, was \"jwt\", which is not available yet");
    }
    USER_HEADER.check(userHeader);
    trustedProxies = List.copyOf(trustedProxies);
    if (mode.equals("header") && trustedProxies.isEmpty()) {
      throw new InvalidConfigException(
          TRUSTED_PROXIES, TRUSTED_PROXIES + " must name the gateway where auth.mode is header");
    }
    SERVICE_TOKEN.check(serviceToken);
    TOKEN_SECRET.check(tokenSecret);
  }

  static AuthConfig read(Settings settings) {
    return new AuthConfig(
        settings.text(MODE),
        settings.text(USER_HEADER),
        settings.value(TRUSTED_PROXIES, TRUSTED_BY_DEFAULT, AuthConfig::ranges),
        settings.text(SERVICE_TOKEN),
        settings.text(TOKEN_SECRET));
  }

  /** The tokens of the back office; empty where none is configured. */
  public List<String> serviceTokens() {
    return Patterns.bearerTokens(serviceToken);
  }

  /** Parses a YAML list, or text separated by commas. */
  private static List<Cidr> ranges(@Nullable Object raw) {
    if (raw instanceof JsonArray list) {
      return list.stream().map(AuthConfig::range).toList();
    }
    if (raw instanceof String text) {
      return text.isBlank()
          ? List.of()
          : Stream.of(text.split(",", -1)).map(String::strip).map(AuthConfig::range).toList();
    }
    throw fault(raw);
  }

  private static Cidr range(@Nullable Object entry) {
    try {
      return Cidr.parse(String.valueOf(entry));
    } catch (IllegalArgumentException none) {
      throw fault(entry);
    }
  }

  private static InvalidConfigException fault(@Nullable Object was) {
    return new InvalidConfigException(
        TRUSTED_PROXIES,
        TRUSTED_PROXIES + " must be ranges like 10.0.0.0/8 or fc00::/7, with commas",
        "\"" + was + "\"");
  }
}
