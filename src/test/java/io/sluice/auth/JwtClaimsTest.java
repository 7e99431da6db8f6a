package io.sluice.auth;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.config.AuthConfig;
import io.vertx.core.json.JsonObject;
import java.time.Instant;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What the claims of a signed token must be. */
class JwtClaimsTest {
  private static final long NOW_S = 1_800_000_000L;
  private static final String SECRET = "0123456789abcdef0123456789abcdef";
  private static final TokenSigner HMAC = TokenSigner.hmac(SECRET.getBytes(UTF_8));
  private static final JwtSettings SETTINGS = JwtSettings.ofSecret(SECRET);

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "\"exp\":1800000001.5|alice",
        "\"exp\":1.800000001e9|alice",
        "\"exp\":253402300799|alice",
        "\"iat\":1|NO_EXPIRY",
        "\"exp\":null|CLAIMS",
        "\"exp\":\"1800000600\"|CLAIMS",
        "\"exp\":true|CLAIMS",
        "\"exp\":[1800000600]|CLAIMS",
        "\"exp\":-1|CLAIMS",
        "\"exp\":0|EXPIRED",
        "\"exp\":1800000600000|CLAIMS",
        "\"exp\":9223372036854775807|CLAIMS",
        "\"exp\":99999999999999999999999|CLAIMS",
        "\"exp\":1e400|CLAIMS",
        "\"exp\":1800000600,\"exp\":1|MALFORMED",
        "\"exp\":1800000600,\"x\":{\"a\":1,\"a\":2}|MALFORMED",
        "\"exp\":1800000600,\"nbf\":\"0\"|CLAIMS",
        "\"exp\":1800000600,\"nbf\":1800000000|alice",
        "\"exp\":1800000600,\"nbf\":1800000060|NOT_YET",
        "\"exp\":1800000600,\"sub\":\"alice\"|MALFORMED",
      })
  void shouldRefuseTheTimesWhenTheyAreNone(String times, String expected) {
    // given
    String payload = "{\"sub\":\"alice\"," + times + "}";

    // when
    String outcome = outcome(SETTINGS.open(), HMAC.token("{\"alg\":\"HS256\"}", payload));

    // then
    assertThat(outcome).isEqualTo(expected);
  }

  @ParameterizedTest
  @CsvSource({
    "exp,-29_999,alice",
    "exp,-30_000,EXPIRED",
    "exp,-30_001,EXPIRED",
    "nbf,29_999,alice",
    "nbf,30_000,alice",
    "nbf,30_001,NOT_YET",
  })
  void shouldAllowHalfAMinuteWhenClocksDiffer(String claim, String fromNowMs, String expected) {
    // given
    long millis = Long.parseLong(fromNowMs.replace("_", ""));
    JsonObject claims =
        new JsonObject()
            .put("sub", "alice")
            .put("exp", NOW_S + 600)
            .put(claim, NOW_S + millis / 1000.0);

    // when
    String outcome = outcome(SETTINGS.open(), HMAC.token(claims));

    // then
    assertThat(outcome).isEqualTo(expected);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "\"iss\":\"https://issuer.example\",\"aud\":\"sluice\"|alice",
        "\"iss\":\"https://issuer.example\",\"aud\":[\"other\",\"sluice\"]|alice",
        "\"aud\":\"sluice\"|ISSUER",
        "\"iss\":\"https://issuer.example/\",\"aud\":\"sluice\"|ISSUER",
        "\"iss\":[\"https://issuer.example\"],\"aud\":\"sluice\"|CLAIMS",
        "\"iss\":\"https://issuer.example\"|AUDIENCE",
        "\"iss\":\"https://issuer.example\",\"aud\":\"sluice2\"|AUDIENCE",
        "\"iss\":\"https://issuer.example\",\"aud\":[]|AUDIENCE",
        "\"iss\":\"https://issuer.example\",\"aud\":[[\"sluice\"]]|CLAIMS",
        "\"iss\":\"https://issuer.example\",\"aud\":[\"sluice\",1]|CLAIMS",
        "\"iss\":\"https://issuer.example\",\"aud\":{\"sluice\":1}|CLAIMS",
      })
  void shouldCompareIssuerAndAudienceWhenTheyAreConfigured(String claims, String expected) {
    // given
    AuthConfig config = SETTINGS.auth("https://issuer.example", "sluice", "sub");
    String payload = "{\"sub\":\"alice\",\"exp\":1800000600," + claims + "}";

    // when
    String token = HMAC.token("{\"alg\":\"HS256\"}", payload);

    // then
    assertThat(outcome(config, token)).isEqualTo(expected);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "\"uid\":\"bob@shop.example\"|bob@shop.example",
        "\"sub\":\"bob\"|USER",
        "\"uid\":7|USER",
        "\"uid\":\"\"|USER",
        "\"uid\":\"b b\"|USER",
        "\"uid\":\"auth0:7\"|auth0:7",
        "\"uid\":\"..\"|USER",
        "\"uid\":[\"bob\"]|USER",
      })
  void shouldRefuseTheUserWhenItsClaimIsNoUserId(String claim, String expected) {
    // given
    AuthConfig config = SETTINGS.auth("", "", "uid");
    String payload = "{" + claim + ",\"exp\":1800000600}";

    // when
    String token = HMAC.token("{\"alg\":\"HS256\"}", payload);

    // then
    assertThat(outcome(config, token)).isEqualTo(expected);
  }

  /** The buyer, or the fault. */
  private static String outcome(AuthConfig config, String token) {
    KeyRing ring = KeyRing.open(config, System::nanoTime);
    JwtVerifier verifier =
        new JwtVerifier(ring, config.userClaim(), () -> Instant.ofEpochSecond(NOW_S));
    return JwtSettings.outcome(verifier, config, token);
  }
}
