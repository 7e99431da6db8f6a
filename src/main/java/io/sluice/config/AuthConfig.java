package io.sluice.config;

import static io.sluice.config.InvalidConfigException.require;
import static io.sluice.config.Key.Shown.SECRET;
import static java.nio.charset.StandardCharsets.UTF_8;

import io.sluice.config.Key.Patterns;
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
    @Key(value = HEADER_MODE, form = "header|jwt", expected = "header or jwt") String mode,
    @Key(value = "X-User-Id", form = Patterns.HEADER, expected = "the name of a header")
        String userHeader,
    @Key(TRUSTED_BY_DEFAULT) List<Cidr> trustedProxies,
    @Key(
            form = Patterns.BEARER_OR_NONE,
            expected = Patterns.BEARER_OR_NONE_EXPECTED,
            shown = SECRET)
        String serviceToken,
    @Key(shown = SECRET) String tokenSecret,
    @Key(shown = SECRET) String jwtSecret,
    @Key(form = TEXT, expected = TEXT_EXPECTED) String jwtPublicKey,
    @Key(form = TEXT, expected = TEXT_EXPECTED) String jwksFile,
    @Key(form = TEXT, expected = TEXT_EXPECTED) String issuer,
    @Key(form = TEXT, expected = TEXT_EXPECTED) String audience,
    @Key(
            value = USER_CLAIM_BY_DEFAULT,
            form = "(?!(?:exp|nbf|iat|iss|aud)$)[!-~]{1,64}",
            expected = "the name of a claim that has text")
        String userClaim) {
  static final String TRUSTED_PROXIES = "auth.trusted_proxies";
  static final String USER_CLAIM_BY_DEFAULT = "sub";

  /** Loopback, private and link-local addresses, and carrier-grade NAT. */
  static final String TRUSTED_BY_DEFAULT =
      "127.0.0.0/8,::1,10.0.0.0/8,172.16.0.0/12,192.168.0.0/16,fc00::/7,169.254.0.0/16,fe80::/10,100.64.0.0/10";

  static final String TEXT = "(?s).{0,1024}";
  static final String TEXT_EXPECTED = "text of at most 1024 characters";
  private static final String JWT_SECRET = "auth.jwt_secret";
  private static final String OTHER_KEYS = "auth.jwt_public_key and auth.jwks_file";

  /** A shorter one can be guessed from one order token. */
  private static final int TOKEN_SECRET_BYTES_MIN = 16;

  /** RFC 7518, section 3.2: as long as the hash. */
  private static final int JWT_SECRET_BYTES_MIN = 32;

  private static final String HEADER_MODE = "header";
  private static final String JWT_MODE = "jwt";

  public AuthConfig {
    trustedProxies = List.copyOf(trustedProxies);
    boolean isHeader = mode.equals(HEADER_MODE);
    require(
        !isHeader || !trustedProxies.isEmpty(),
        TRUSTED_PROXIES,
        "must name the gateway where auth.mode is header");
    requireBytes(tokenSecret, "auth.token_secret", TOKEN_SECRET_BYTES_MIN);
    requireBytes(jwtSecret, JWT_SECRET, JWT_SECRET_BYTES_MIN);
    long sources =
        Stream.of(jwtSecret, jwtPublicKey, jwksFile).filter(key -> !key.isEmpty()).count();
    if (sources > 1) {
      throw new InvalidConfigException(
          JWT_SECRET, "%s, %s must not be set together".formatted(JWT_SECRET, OTHER_KEYS));
    }
    require(
        isHeader || sources == 1,
        "auth.mode",
        "must not be jwt without one of %s, %s".formatted(JWT_SECRET, OTHER_KEYS));
    if (isHeader) {
      requireUnused(audience.isEmpty(), "auth.audience", "where auth.mode is header");
      requireUnused(
          userClaim.equals(USER_CLAIM_BY_DEFAULT), "auth.user_claim", "where auth.mode is header");
    }
    requireUnused(sources == 1 || issuer.isEmpty(), "auth.issuer", "where no key of tokens is set");
  }

  private static void requireBytes(String secret, String key, int min) {
    require(
        secret.isEmpty() || secret.getBytes(UTF_8).length >= min,
        key,
        "must have " + min + " bytes or more");
  }

  /** A key without any effect is a mistake rather than a wish. */
  private static void requireUnused(boolean isUnused, String key, String where) {
    require(isUnused, key, "must not be set " + where + ", because it has no effect there");
  }

  /** Whether the same callers are trusted as by default. */
  boolean isTrustedByDefault() {
    return trustedProxies.equals(ranges(TRUSTED_BY_DEFAULT));
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
  static List<Cidr> ranges(@Nullable Object raw) {
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
        InvalidConfigException.quoted(was));
  }
}
