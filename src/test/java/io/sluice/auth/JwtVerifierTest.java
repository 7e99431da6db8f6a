package io.sluice.auth;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.config.AuthConfig;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Which tokens pass, and why the others do not. */
class JwtVerifierTest {
  private static final long NOW_S = 1_800_000_000L;
  private static final String SECRET = "0123456789abcdef0123456789abcdef";
  private static final TokenSigner HMAC = TokenSigner.hmac(SECRET.getBytes(UTF_8));
  private static final JsonObject CLAIMS =
      new JsonObject()
          .put("sub", "alice")
          .put("exp", NOW_S + 600)
          .put("iss", "https://issuer.example")
          .put("aud", "sluice");

  private static TokenSigner rsa;
  private static TokenSigner ec;
  private static TokenSigner stranger;

  @TempDir Path directory;

  private final AtomicLong nowMs = new AtomicLong(NOW_S * 1000);

  @BeforeAll
  static void drawKeys() {
    rsa = TokenSigner.rsa(2048);
    ec = TokenSigner.ec();
    stranger = TokenSigner.ec();
  }

  @Test
  void shouldTellTheBuyerWhenEachKindOfKeyHasSigned() throws Exception {
    // given
    JwtVerifier byPem = verifier(pem(rsa));
    JwtVerifier bySet = verifier(jwks(rsa.jwk("r"), ec.jwk("e")));

    // when
    List<String> buyers =
        List.of(
            outcome(verifier(secret()), HMAC.token(CLAIMS)),
            outcome(byPem, rsa.token(CLAIMS)),
            outcome(byPem, rsa.token("anything", CLAIMS)),
            outcome(verifier(pem(ec)), ec.token(CLAIMS)),
            outcome(bySet, rsa.token("r", CLAIMS)),
            outcome(bySet, ec.token("e", CLAIMS)));

    // then
    assertThat(buyers).containsOnly("alice");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "{\"alg\":\"HS256\",\"typ\":\"JWT\",\"x5t\":\"x\",\"other\":{\"a\":[1]}}|alice",
        "{\"alg\":\"HS256\",\"kid\":\"any\",\"cty\":\"json\"}|alice",
        "{\"alg\":\"none\"}|ALGORITHM",
        "{\"alg\":\"None\"}|ALGORITHM",
        "{\"alg\":\"hs256\"}|ALGORITHM",
        "{\"alg\":\"HS512\"}|ALGORITHM",
        "{\"alg\":\"RS256\"}|ALGORITHM",
        "{\"alg\":\"dir\",\"enc\":\"A128GCM\"}|HEADER",
        "{\"alg\":\"\"}|ALGORITHM",
        "{\"typ\":\"JWT\"}|ALGORITHM",
        "{\"alg\":null}|MALFORMED",
        "{\"alg\":[\"HS256\"]}|MALFORMED",
        "{\"alg\":\"HS256\",\"kid\":1}|MALFORMED",
        "{\"alg\":\"HS256\",\"alg\":\"HS256\"}|MALFORMED",
        "{\"alg\":\"HS256\",\"\\u0061lg\":\"none\"}|MALFORMED",
        "{\"alg\":\"HS256\",\"crit\":[\"exp\"]}|HEADER",
        "{\"alg\":\"HS256\",\"crit\":[]}|HEADER",
        "{\"alg\":\"HS256\",\"b64\":true}|HEADER",
        "{\"alg\":\"HS256\",\"b64\":false,\"crit\":[\"b64\"]}|HEADER",
        "{\"alg\":\"HS256\",\"jwk\":{\"kty\":\"oct\",\"k\":\"AAAA\"}}|HEADER",
        "{\"alg\":\"HS256\",\"jku\":\"https://evil.example/keys\"}|HEADER",
        "{\"alg\":\"HS256\",\"x5u\":\"https://evil.example/cert\"}|HEADER",
        "{\"alg\":\"HS256\",\"x5c\":[]}|HEADER",
        "{\"alg\":\"HS256\",\"zip\":\"DEF\"}|HEADER",
        "{\"alg\":\"HS256\",\"cty\":\"JWT\"}|HEADER",
        "{\"alg\":\"HS256\",\"cty\":\"application/jwt\"}|HEADER",
        "{\"alg\":\"HS256\"} {}|MALFORMED",
        "{\"alg\":\"HS256\"|MALFORMED",
        "[\"HS256\"]|MALFORMED",
        "\"HS256\"|MALFORMED",
        "``|MALFORMED",
      })
  void shouldRefuseTheHeaderWhenItAsksForAnotherReading(String header, String expected) {
    // when
    String outcome = outcome(verifier(secret()), HMAC.token(header, CLAIMS.encode()));

    // then
    assertThat(outcome).isEqualTo(expected);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        ".",
        "..",
        "...",
        "a",
        "a.b",
        "%1$s.",
        "%1$s.%2$s",
        "%1$s.%2$s.%3$s.",
        ".%1$s.%2$s.%3$s",
        "%1$s.%2$s.%3$s.%3$s.%3$s",
        "%1$s=.%2$s.%3$s",
        "%1$s.%2$s.%3$s=",
        "%1$s.%2$s.%3$s ",
        "%1$s. %2$s.%3$s",
        "%1$s.%2$s.+/%3$s",
        "%1$s.%2$s.\u00e9%3$s",
        "%1$s.%2$s.%3$sA",
      })
  void shouldRefuseTheFormWhenItIsNotThreeParts(String form) {
    // given
    String[] parts = HMAC.token(CLAIMS).split("\\.");

    // when
    String outcome = outcome(verifier(secret()), form.formatted((Object[]) parts));

    // then
    assertThat(outcome).isIn("MALFORMED", "SIGNATURE");
  }

  @Test
  void shouldRefuseATokenBeforeReadingItWhenItIsTooLong() {
    // given
    String longest = "x".repeat(JwtVerifier.TOKEN_LENGTH_MAX);

    // when
    JwtVerifier verifier = verifier(secret());

    // then
    assertThat(outcome(verifier, longest)).isEqualTo("MALFORMED");
    assertThat(outcome(verifier, longest + "x")).isEqualTo("TOO_LONG");
  }

  @Test
  void shouldRefuseTheTokenWhenThePublicKeyWasUsedAsASecret() throws Exception {
    // given
    JwtVerifier byPem = verifier(pem(rsa));
    JwtVerifier bySet = verifier(jwks(rsa.jwk("r")));
    TokenSigner forger = TokenSigner.hmac(rsa.pem().getBytes(UTF_8));

    // when
    List<String> outcomes =
        List.of(
            outcome(byPem, forger.token(CLAIMS)),
            outcome(bySet, forger.token("r", CLAIMS)),
            outcome(byPem, forger.token("{\"alg\":\"RS256\"}", CLAIMS.encode())));

    // then
    assertThat(outcomes).containsExactly("ALGORITHM", "ALGORITHM", "SIGNATURE");
  }

  @Test
  void shouldRefuseTheSignatureWhenItIsAnotherKeysOrInAnotherForm() throws Exception {
    // given
    JwtVerifier verifier = verifier(pem(ec));
    String unsigned = ec.token(CLAIMS).replaceFirst("[^.]*$", "");
    List<String> tokens = new ArrayList<>();
    tokens.add(stranger.token(CLAIMS));
    tokens.add(ec.withDerSignatures().token(CLAIMS));
    tokens.add(unsigned);
    tokens.add(unsigned + TokenSigner.base64(new byte[64]));
    tokens.add(unsigned + ec.token(CLAIMS.copy().put("sub", "bob")).replaceFirst(".*\\.", ""));

    // when
    List<String> outcomes = tokens.stream().map(token -> outcome(verifier, token)).toList();

    // then
    assertThat(outcomes).containsOnly("SIGNATURE");
  }

  @Test
  void shouldRefuseTheKeyWhenItsIdIsUnknownOrOfAnotherAlgorithm() throws Exception {
    // given
    JwtVerifier verifier = verifier(jwks(rsa.jwk("r"), ec.jwk("e")));

    // when
    List<String> outcomes =
        List.of(
            outcome(verifier, ec.token(CLAIMS)),
            outcome(verifier, ec.token("x", CLAIMS)),
            outcome(verifier, ec.token("r", CLAIMS)),
            outcome(verifier, ec.token("../e", CLAIMS)));

    // then
    assertThat(outcomes).containsExactly("UNKNOWN_KEY", "UNKNOWN_KEY", "ALGORITHM", "UNKNOWN_KEY");
  }

  @Test
  void shouldLookAtTimeAndRuleAgainWhenTheTokenIsKnown() {
    // given
    JwtVerifier verifier = verifier(secret());
    AuthConfig other = secret().auth("", "other", "sub");
    String token = HMAC.token(CLAIMS);

    // when
    String first = outcome(verifier, token);
    String forAnother = JwtSettings.outcome(verifier, other, token);
    nowMs.addAndGet(700_000);
    String later = outcome(verifier, token);

    // then
    assertThat(List.of(first, forAnother, later)).containsExactly("alice", "AUDIENCE", "EXPIRED");
  }

  @Test
  void shouldNeverPassATokenWhenOneOfItsCharactersWasChanged() {
    // given
    JwtVerifier verifier = verifier(secret());
    String token = HMAC.token(CLAIMS.copy().put("aud", new JsonArray().add("sluice")));
    String known = outcome(verifier, token);

    // when: the last character of a part may have bits that say nothing
    List<String> passed = new ArrayList<>();
    for (int i = 0; i < token.length(); i++) {
      char other = token.charAt(i) == 'A' ? 'E' : 'A';
      String changed = token.substring(0, i) + other + token.substring(i + 1);
      if (outcome(verifier, changed).equals("alice")) {
        passed.add(changed);
      }
    }

    // then
    assertThat(known).isEqualTo("alice");
    assertThat(passed).isEmpty();
  }

  private JwtSettings secret() {
    return JwtSettings.ofSecret(SECRET);
  }

  private JwtSettings pem(TokenSigner signer) throws Exception {
    return JwtSettings.ofPublicKey(Files.writeString(directory.resolve("key.pem"), signer.pem()));
  }

  private JwtSettings jwks(JsonObject... keys) throws Exception {
    return JwtSettings.ofJwks(
        Files.writeString(directory.resolve("keys.json"), TokenSigner.jwks(keys)));
  }

  private JwtVerifier verifier(JwtSettings settings) {
    return verifier(settings.open());
  }

  private JwtVerifier verifier(AuthConfig config) {
    return new JwtVerifier(
        KeyRing.open(config, System::nanoTime),
        config.userClaim(),
        () -> Instant.ofEpochMilli(nowMs.get()));
  }

  private static String outcome(JwtVerifier verifier, String token) {
    return JwtSettings.outcome(verifier, JwtSettings.ofSecret(SECRET).open(), token);
  }
}
