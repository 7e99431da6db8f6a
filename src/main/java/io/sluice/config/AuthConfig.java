package io.sluice.config;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.sluice.config.value.Cidr;
import io.sluice.config.value.InvalidConfigException;
import io.sluice.config.value.Patterns;
import io.sluice.config.value.Quoted;
import io.sluice.config.value.Settings;
import io.sluice.config.value.StringKey;
import io.vertx.core.json.JsonArray;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * How callers are identified.
 *
 * @param mode header: a gateway in front sets {@code userHeader}; jwt: buyers carry tokens
 * @param trustedProxies the addresses from which {@code userHeader} is accepted
 * @param serviceToken one or two bearer tokens of the back office; empty: loopback only, if any
 * @param tokenSecret the secret of order tokens; empty: drawn once and stored in the ledger
 * @param jwtSecret the key of HS256; of this and the next two at most one is not empty
 * @param jwtPublicKey the path of the PEM file with the key of RS256 or ES256
 * @param jwksFile the path of a JSON Web Key Set
 * @param issuer the {@code iss} of all tokens; empty: not compared
 * @param audience in the {@code aud} of buyers' tokens; empty: not compared
 * @param userClaim the claim of buyers' tokens that has the buyer's id
 */
public record AuthConfig(
    String mode,
    String userHeader,
    List<Cidr> trustedProxies,
    String serviceToken,
    String tokenSecret,
    String jwtSecret,
    String jwtPublicKey,
    String jwksFile,
    String issuer,
    String audience,
    String userClaim) {
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
  static final StringKey JWT_SECRET = StringKey.secret("auth.jwt_secret", "text", Patterns.ANY);
  static final StringKey JWT_PUBLIC_KEY = text("auth.jwt_public_key");
  static final StringKey JWKS_FILE = text("auth.jwks_file");
  static final StringKey ISSUER = text("auth.issuer");
  static final StringKey AUDIENCE = text("auth.audience");
  static final StringKey USER_CLAIM =
      StringKey.of(
          "auth.user_claim",
          "sub",
          "the name of a claim that has text",
          "(?!(?:exp|nbf|iat|iss|aud)$)[!-~]{1,64}");

  /** RFC 7518, section 3.2: as long as the hash. */
  private static final int SECRET_BYTES_MIN = 32;

  private static final String HEADER_MODE = "header";
  private static final String JWT_MODE = "jwt";

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
    USER_HEADER.check(userHeader);
    trustedProxies = List.copyOf(trustedProxies);
    if (mode.equals(HEADER_MODE) && trustedProxies.isEmpty()) {
      throw new InvalidConfigException(
          TRUSTED_PROXIES, TRUSTED_PROXIES + " must name the gateway where auth.mode is header");
    }
    SERVICE_TOKEN.check(serviceToken);
    TOKEN_SECRET.check(tokenSecret);
    USER_CLAIM.check(userClaim);
    checkSecret(jwtSecret);
    checkSources(
        mode.equals(JWT_MODE),
        Stream.of(jwtSecret, jwtPublicKey, jwksFile).filter(key -> !key.isEmpty()).count());
    if (mode.equals(HEADER_MODE)) {
      checkUnused(AUDIENCE, audience, "where auth.mode is header");
      checkUnused(USER_CLAIM, userClaim, "where auth.mode is header");
    }
    if ((jwtSecret + jwtPublicKey + jwksFile).isEmpty()) {
      checkUnused(ISSUER, issuer, "where no key of tokens is set");
    }
  }

  private static void checkSecret(String secret) {
    if (!secret.isEmpty() && secret.getBytes(UTF_8).length < SECRET_BYTES_MIN) {
      throw new InvalidConfigException(
          JWT_SECRET.key(), JWT_SECRET.key() + " must have " + SECRET_BYTES_MIN + " bytes or more");
    }
  }

  private static void checkSources(boolean isJwt, long sources) {
    if (sources > 1) {
      throw new InvalidConfigException(
          JWT_SECRET.key(),
          "%s, %s and %s must not be set together"
              .formatted(JWT_SECRET.key(), JWT_PUBLIC_KEY.key(), JWKS_FILE.key()));
    }
    if (isJwt && sources == 0) {
      throw new InvalidConfigException(
          MODE.key(),
          "%s must not be jwt without one of %s, %s and %s"
              .formatted(MODE.key(), JWT_SECRET.key(), JWT_PUBLIC_KEY.key(), JWKS_FILE.key()));
    }
  }

  /** A key without any effect is a mistake rather than a wish. */
  private static void checkUnused(StringKey key, String value, String where) {
    if (!value.equals(key.byDefault())) {
      throw new InvalidConfigException(
          key.key(), key.key() + " must not be set " + where + ", because it has no effect there");
    }
  }

  private static StringKey text(String key) {
    return StringKey.of(key, "", "text of at most 1024 characters", "(?s).{0,1024}");
  }

  static AuthConfig read(Settings settings) {
    return new AuthConfig(
        settings.text(MODE),
        settings.text(USER_HEADER),
        settings.value(TRUSTED_PROXIES, TRUSTED_BY_DEFAULT, AuthConfig::ranges),
        settings.text(SERVICE_TOKEN),
        settings.text(TOKEN_SECRET),
        settings.text(JWT_SECRET),
        settings.text(JWT_PUBLIC_KEY),
        settings.text(JWKS_FILE),
        settings.text(ISSUER),
        settings.text(AUDIENCE),
        settings.text(USER_CLAIM));
  }

  /** Whether buyers are known by their tokens, instead of a gateway's header. */
  public boolean isJwt() {
    return mode.equals(JWT_MODE);
  }

  /** Whether there is a key for tokens: of buyers, and of waiting rooms. */
  public boolean hasTokenKeys() {
    return !(jwtSecret + jwtPublicKey + jwksFile).isEmpty();
  }

  /** The tokens of the back office; empty if none is configured. */
  public List<String> serviceTokens() {
    return Patterns.bearerTokens(serviceToken);
  }

  /** Without the secrets, since this may be logged. */
  @Override
  public String toString() {
    return "callers by " + mode;
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
        Quoted.of(was));
  }
}
