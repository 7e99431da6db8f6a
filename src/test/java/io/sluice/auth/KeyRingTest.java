package io.sluice.auth;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import ch.qos.logback.classic.Level;
import com.github.benmanes.caffeine.cache.Cache;
import io.sluice.auth.JwtVerifier.Verdict;
import io.sluice.config.AuthConfig;
import io.sluice.config.InvalidConfigException;
import io.sluice.monitor.Alarm;
import io.sluice.testkit.process.LogWatch;
import io.vertx.core.Vertx;
import io.vertx.core.json.JsonObject;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Which keys are taken from a file, and what happens when it changes. */
class KeyRingTest {
  private static final JsonObject CLAIMS =
      new JsonObject().put("sub", "alice").put("exp", 4_000_000_000L);

  private static TokenSigner old;
  private static TokenSigner young;

  @TempDir Path directory;

  private final AtomicLong nanos = new AtomicLong();
  private Path file;

  @BeforeAll
  static void drawKeys() {
    old = TokenSigner.ec();
    young = TokenSigner.ec();
  }

  @BeforeEach
  void writeOldKey() throws Exception {
    file = Files.writeString(directory.resolve("keys"), TokenSigner.jwks(old.jwk("1")));
  }

  static Stream<String> unusableSets() {
    TokenSigner rsa = TokenSigner.rsa(1024);
    return Stream.of(
        "",
        "{}",
        "{\"keys\":[]}",
        "{\"keys\":{}}",
        "[]",
        "keys",
        TokenSigner.jwks(old.jwk("1")).substring(0, 60),
        TokenSigner.jwks(old.jwk("1"), young.jwk("1")),
        TokenSigner.jwks(old.jwk("")),
        TokenSigner.jwks(old.jwk("1").put("use", "enc")),
        TokenSigner.jwks(old.jwk("1").put("alg", "ES512")),
        TokenSigner.jwks(old.jwk("1").put("crv", "P-384")),
        TokenSigner.jwks(old.jwk("1").put("x", young.jwk("1").getString("x"))),
        TokenSigner.jwks(TokenSigner.ec("secp384r1").jwk("1")),
        TokenSigner.jwks(rsa.jwk("1")),
        TokenSigner.jwks(old.jwk("1"), old.jwk("2").put("d", "AAAAAAAAAAAAAAAAAAAAAA")),
        TokenSigner.jwks(
            old.jwk("1"), new JsonObject().put("kty", "oct").put("kid", "2").put("k", "c2VjcmV0")),
        TokenSigner.jwks(old.jwk("1")) + " ".repeat(300_000));
  }

  @ParameterizedTest
  @MethodSource("unusableSets")
  void shouldStopTheStartWhenASetHasNoUsableKeyOrASecret(String content) throws Exception {
    // given
    Files.writeString(file, content);

    // when
    InvalidConfigException fault = fault(JwtSettings.ofJwks(file));

    // then
    assertThat(fault.key()).isEqualTo("auth.jwks_file");
    assertThat(fault)
        .hasMessageStartingWith("auth.jwks_file must ")
        .hasMessageContaining("" + file);
  }

  static Stream<String> unusablePems() {
    return Stream.of(
        "",
        old.pem().replace("PUBLIC", "PRIVATE"),
        old.pem() + young.pem(),
        old.pem().substring(0, 80),
        old.pem().replaceFirst("M", "N"),
        "-----BEGIN PUBLIC KEY-----\nA\n-----END PUBLIC KEY-----\n",
        TokenSigner.rsa(1024).pem(),
        TokenSigner.ec("secp384r1").pem());
  }

  @ParameterizedTest
  @MethodSource("unusablePems")
  void shouldStopTheStartWhenAPemFileHasNoUsableKey(String content) throws Exception {
    // given
    Files.writeString(file, content);

    // when
    InvalidConfigException fault = fault(JwtSettings.ofPublicKey(file));

    // then
    assertThat(fault).hasMessageStartingWith("auth.jwt_public_key must have ");
  }

  @Test
  void shouldStopTheStartWhenTheFileIsMissing() {
    // when
    InvalidConfigException fault = fault(JwtSettings.ofJwks(directory.resolve("none")));

    // then
    assertThat(fault).hasMessageContaining("must be in a file that can be read");
  }

  @Test
  void shouldUseTheGoodKeysWhenOthersOfTheSetAreOfAnotherKind() throws Exception {
    // given
    JsonObject unknown = new JsonObject().put("kty", "XYZ").put("kid", "x");
    JsonObject okp =
        new JsonObject()
            .put("kty", "OKP")
            .put("crv", "Ed25519")
            .put("kid", "o")
            .put("x", "11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo");
    Files.writeString(file, TokenSigner.jwks(unknown, okp, old.jwk("1")));

    // when
    KeyRing ring = ring();

    // then
    assertThat(passes(ring, old.token("1", CLAIMS))).isTrue();
  }

  @Test
  void shouldReplaceAllKeysAndForgetTokensWhenTheFileHasOthers() throws Exception {
    // given
    KeyRing ring = ring();
    String before = old.token("1", CLAIMS);
    boolean known = passes(ring, before);

    // when
    Files.writeString(file, TokenSigner.jwks(young.jwk("2")));
    ring.readAgain();

    // then
    assertThat(known).isTrue();
    assertThat(passes(ring, before)).isFalse();
    assertThat(passes(ring, young.token("2", CLAIMS))).isTrue();
  }

  @Test
  void shouldKeepTheKeysAndSayItOnceWhenTheFileIsHalfWritten() throws Exception {
    // given
    KeyRing ring = ring();
    String whole = TokenSigner.jwks(young.jwk("2"));
    List<String> lines;

    // when
    try (LogWatch log = LogWatch.of(KeyRing.class.getName(), Level.INFO)) {
      Files.writeString(file, whole.substring(0, whole.length() / 2));
      ring.readAgain();
      ring.readAgain();
      Files.delete(file);
      ring.readAgain();
      lines = log.lines();
    }

    // then
    assertThat(lines)
        .hasSize(2)
        .allMatch(line -> line.startsWith("ERROR " + Alarm.KEYS_UNREADABLE.text()))
        .allMatch(line -> line.contains(file.toString()));
    assertThat(passes(ring, old.token("1", CLAIMS))).isTrue();
  }

  @Test
  void shouldAskForTheFileOnceAMinuteWhenKeyIdsAreUnknown() {
    // given
    KeyRing ring = ring();
    AtomicInteger asked = new AtomicInteger();
    ring.readBy(asked::incrementAndGet);

    // when
    for (int i = 0; i < 100; i++) {
      passes(ring, young.token("x" + i, CLAIMS));
    }
    nanos.addAndGet(Duration.ofSeconds(60).toNanos());
    passes(ring, young.token("y", CLAIMS));
    passes(ring, young.token("1", CLAIMS));

    // then
    assertThat(asked).hasValue(2);
  }

  @Test
  void shouldRememberABoundedNumberOfTokensWhenManyAreVerified() {
    // given
    Cache<ByteBuffer, Claims> verified = ring().era().verified();
    Claims claims = new Claims(0, 1, null, List.of(), "alice", "alice");

    // when
    for (long i = 0; i < 120_000; i++) {
      verified.put(ByteBuffer.allocate(Long.BYTES).putLong(0, i), claims);
    }
    verified.cleanUp();

    // then
    assertThat(verified.estimatedSize()).isEqualTo(100_000);
  }

  @Test
  void shouldReadTheFileByItselfAndAtAnUnknownKeyWhenItIsWatched() throws Exception {
    // given
    Vertx vertx = Vertx.vertx();
    KeyRing often = ring();
    KeyRing seldom = ring();
    List<Runnable> ends =
        List.of(
            often.watch(vertx, Duration.ofMillis(10)), seldom.watch(vertx, Duration.ofHours(1)));

    // when
    Files.writeString(file, TokenSigner.jwks(young.jwk("2")));

    // then
    String token = young.token("2", CLAIMS);
    Awaitility.await().until(() -> passes(often, token));
    Awaitility.await().until(() -> passes(seldom, token));
    ends.forEach(Runnable::run);
    vertx.close().toCompletionStage().toCompletableFuture().join();
  }

  private KeyRing ring() {
    return KeyRing.open(JwtSettings.ofJwks(file).open(), nanos::get);
  }

  private static InvalidConfigException fault(JwtSettings settings) {
    AuthConfig config = settings.open();
    return catchThrowableOfType(
        InvalidConfigException.class, () -> KeyRing.open(config, System::nanoTime));
  }

  private static boolean passes(KeyRing ring, String token) {
    return new JwtVerifier(ring, "sub", InstantSource.system())
            .verify(token, (claims, nowMs) -> null, JwtSettings.UNLIMITED)
        instanceof Verdict.Valid;
  }
}
