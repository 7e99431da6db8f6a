package io.sluice.http;

import static io.sluice.web.HttpProbe.eventually;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.auth.JwtSettings;
import io.sluice.auth.TokenSigner;
import io.sluice.config.AuthConfig;
import io.sluice.web.HttpProbe.Answer;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Who may do what where buyers carry tokens. */
class JwtApiTest {
  private static final String ORDER = "/v1/orders/" + FakeOrders.TOKEN;
  private static final String SECRET = "0123456789abcdef0123456789abcdef";
  private static final TokenSigner SIGNER = TokenSigner.hmac(SECRET.getBytes(UTF_8));
  private static final TokenSigner FORGER =
      TokenSigner.hmac(SECRET.replace('0', '1').getBytes(UTF_8));
  private static final AuthConfig AUTH =
      JwtSettings.ofSecret(SECRET).auth(PublicPortFixture.TOKEN, "", "", "sub");

  @RegisterExtension
  static final PublicPortFixture FIXTURE = PublicPortFixture.serving(AUTH, "0.0.0.0");

  @Test
  void shouldPlaceTheOrderOfTheTokensBuyerWhateverTheUserHeaderSays() {
    // given
    String token = SIGNER.token(claims("bob"));

    // when
    Answer answer = place("Authorization", "Bearer " + token, "X-User-Id", "alice");

    // then
    assertThat(answer.status()).isEqualTo(201);
    assertThat(FIXTURE.orders.asked).containsExactly("place bob 1001 1 null");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      nullValues = "-",
      value = {
        "-|-|Expected the buyer's token as one Authorization: Bearer, but there is none",
        "Basic %s|-|Expected the buyer's token as one Authorization: Bearer, but there is none",
        "Bearer|-|Expected the buyer's token as one Authorization: Bearer, but there is none",
        "Bearer %s|Bearer %s|Expected the buyer's token as one",
        "Bearer the-office-token|-|Expected a token with a signed JWT of three parts",
        "Bearer %sx|-|Expected a token with a signature by the configured key",
      })
  void shouldAnswer401WhenThereIsNotOneGoodToken(String first, String second, String detail) {
    // given
    String token = SIGNER.token(claims("bob"));
    String headers = header(first, token) + header(second, token);

    // when
    String answer = raw("POST /v1/orders", headers + "X-User-Id: alice\r\n");

    // then
    assertThat(answer)
        .startsWith("HTTP/1.1 401 ")
        .containsIgnoringCase("www-authenticate: Bearer\r\n")
        .contains("\"detail\":\"" + detail)
        .doesNotContain(token);
    assertThat(FIXTURE.orders.asked).isEmpty();
  }

  @Test
  void shouldSayWhichClaimIsWrongWhenTheUserIsNone() {
    // when
    Answer answer = place("Authorization", "Bearer " + SIGNER.token(claims("b b")));

    // then
    assertThat(answer.problem()).isEqualTo("unauthorized");
    assertThat(answer.json().getString("detail")).contains("auth.user_claim").doesNotContain("b b");
  }

  @Test
  void shouldKnowBuyersAndTheBackOfficeWhenBothCarryBearerTokens() {
    // when
    FIXTURE.probe.get(ORDER, "Authorization", "Bearer " + SIGNER.token(claims("bob")));
    FIXTURE.probe.get(ORDER, "Authorization", "bearer " + PublicPortFixture.TOKEN);
    Answer nobody = FIXTURE.probe.get(ORDER, "X-User-Id", "alice");

    // then
    assertThat(FIXTURE.orders.asked)
        .containsExactly("find " + FakeOrders.TOKEN + " bob", "find " + FakeOrders.TOKEN + " all");
    assertThat(nobody.status()).isEqualTo(401);
    assertThat(nobody.json().getString("detail")).contains(". Or: ", "auth.service_token");
  }

  @ParameterizedTest
  @ValueSource(strings = {"/confirm", "/refund"})
  void shouldNotTakeABuyersTokenForTheBackOffices(String command) {
    // given
    String token = SIGNER.token(claims("the-office"));

    // when
    Answer answer = FIXTURE.probe.post(ORDER + command, "Authorization", "Bearer " + token);

    // then
    assertThat(answer.status()).isEqualTo(401);
    assertThat(FIXTURE.orders.asked).isEmpty();
  }

  @Test
  void shouldTakeATokenThatFillsTheHeadersOfARequest() {
    // given
    JsonObject large = claims("bob").put("groups", "g".repeat(5_700));
    JsonObject larger = claims("bob").put("groups", "g".repeat(12_500));

    // when
    Answer fits = place("Authorization", "Bearer " + SIGNER.token(large));
    Answer tooLarge = place("Authorization", "Bearer " + SIGNER.token(larger));

    // then
    assertThat(fits.status()).isEqualTo(201);
    assertThat(tooLarge.status()).isEqualTo(431);
  }

  @Test
  void shouldTakeBackOfItsAddressOnlyWhatWasAnswered503() {
    // given: each wrong signature takes 5 ms, which are three looks at the clock
    AtomicLong looks = new AtomicLong();
    int limit = 2_000;
    try (PublicPortFixture fixture =
        PublicPortFixture.limited(
            AUTH,
            PublicPortFixture.admission(0, 0, 0, limit),
            () -> looks.incrementAndGet() / 3 * 5_000_000)) {
      String genuine = SIGNER.token(claims("bob"));
      Answer first = fixture.probe.get(ORDER, "Authorization", "Bearer " + genuine);

      // when
      StringBuilder answers = new StringBuilder();
      eventually(
          () ->
              answers
                  .append(flood(fixture, FORGER.token(claims("bob")), 250))
                  .toString()
                  .contains("HTTP/1.1 503 "));
      int unauthorized = answers.toString().split("HTTP/1.1 401 ", -1).length - 1;
      String then = flood(fixture, genuine, limit - unauthorized);

      // then
      assertThat(first.status()).isEqualTo(200);
      assertThat(then.split("HTTP/1.1 200 ", -1)).hasSize(limit - unauthorized);
      assertThat(then).contains("HTTP/1.1 429 ");
    }
  }

  @ParameterizedTest
  @CsvSource({
    "203.0.113.9, 203.0.113.9, 203.0.113.10, 30",
    "2001:db8::1, 2001:db8::2, 2001:db8:0:1::1, 30",
  })
  void shouldRefuseMoreTokensOfAnAddressWhenTooManyWereForged(
      String forger, String neighbour, String other, int limit) {
    // given
    try (PublicPortFixture fixture = unlimited()) {
      for (int i = 0; i < limit; i++) {
        assertThat(from(fixture, forger, FORGER.token(claims("f" + i))).status()).isEqualTo(401);
      }

      // when
      Answer over = from(fixture, forger, FORGER.token(claims("f")));
      Answer near = from(fixture, neighbour, SIGNER.token(claims("bob")));
      Answer far = from(fixture, other, SIGNER.token(claims("carol")));
      Answer known = from(fixture, forger, SIGNER.token(claims("carol")));
      fixture.nanos = Duration.ofSeconds(62).toNanos();
      Answer later = from(fixture, neighbour, SIGNER.token(claims("bob")));

      // then
      assertThat(over.status()).isEqualTo(429);
      assertThat(over.header("ratelimit-policy")).isEqualTo("\"signature\";q=30;w=60");
      assertThat(over.header("retry-after")).isEqualTo("61");
      assertThat(near.status()).isEqualTo(429);
      assertThat(far.status()).isEqualTo(200);
      assertThat(known.status()).isEqualTo(200);
      assertThat(later.status()).isEqualTo(200);
    }
  }

  @Test
  void shouldRefuseTokensOfASiteWhenItChangesItsNetworkAllTheTime() {
    // given: four networks of one /56, each within its own limit
    try (PublicPortFixture fixture = unlimited()) {
      for (int i = 0; i < 120; i++) {
        String address = "2001:db8:0:" + i % 4 + "::1";
        assertThat(from(fixture, address, FORGER.token(claims("f" + i))).status()).isEqualTo(401);
      }

      // when
      Answer fifth = from(fixture, "2001:db8:0:ff::1", SIGNER.token(claims("bob")));
      Answer other = from(fixture, "2001:db8:0:100::1", SIGNER.token(claims("bob")));

      // then
      assertThat(fifth.status()).isEqualTo(429);
      assertThat(other.status()).isEqualTo(200);
    }
  }

  /** They call for many, so what one of them sends must not lock out the others at once. */
  @Test
  void shouldNotBlameAGatewayThatDoesNotSayForWhomItCalls() {
    // given
    try (PublicPortFixture fixture = unlimited()) {
      flood(fixture, FORGER.token(claims("f")), 200);

      // when
      Answer answer =
          fixture.probe.get(ORDER, "Authorization", "Bearer " + SIGNER.token(claims("bob")));

      // then
      assertThat(answer.status()).isEqualTo(200);
    }
  }

  @Test
  void shouldCountWhoIsUnknownForItsAddress() {
    // given
    try (PublicPortFixture fixture =
        PublicPortFixture.limited(
            AUTH, PublicPortFixture.admission(0, 0, 0, 2), System::nanoTime)) {
      String address = "203.0.113.9";

      // when
      Answer first = fixture.probe.get(ORDER, "X-Forwarded-For", address);
      Answer second = from(fixture, address, "nonsense");
      Answer third = from(fixture, address, "nonsense");
      Answer office =
          fixture.probe.get(
              ORDER,
              "X-Forwarded-For",
              address,
              "Authorization",
              "Bearer " + PublicPortFixture.TOKEN);

      // then
      assertThat(first.status()).isEqualTo(401);
      assertThat(second.status()).isEqualTo(401);
      assertThat(third.status()).isEqualTo(429);
      assertThat(office.status()).isEqualTo(200);
    }
  }

  private static PublicPortFixture unlimited() {
    return PublicPortFixture.limited(
        AUTH, PublicPortFixture.admission(0, 0, 0, 0), System::nanoTime);
  }

  private static Answer from(PublicPortFixture fixture, String address, String token) {
    return fixture.probe.get(ORDER, "X-Forwarded-For", address, "Authorization", "Bearer " + token);
  }

  private static String flood(PublicPortFixture fixture, String token, int calls) {
    String call =
        "GET %s HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer %s\r\n".formatted(ORDER, token);
    return raw(fixture, (call + "\r\n").repeat(calls) + call + "Connection: close\r\n\r\n");
  }

  private static String raw(PublicPortFixture fixture, String bytes) {
    try {
      return fixture.probe.raw(bytes);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static JsonObject claims(String buyer) {
    return new JsonObject().put("sub", buyer).put("exp", System.currentTimeMillis() / 1000 + 600);
  }

  private static String header(String form, String token) {
    return form == null ? "" : "Authorization: " + form.formatted(token) + "\r\n";
  }

  private static Answer place(String... headers) {
    return FIXTURE.probe.json("POST", "/v1/orders", PublicPortFixture.BODY, headers);
  }

  private static String raw(String request, String headers) {
    try {
      return FIXTURE.probe.rawAnswer(
          request
              + " HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: "
              + PublicPortFixture.BODY.length()
              + "\r\n"
              + headers
              + "\r\n"
              + PublicPortFixture.BODY);
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }
}
