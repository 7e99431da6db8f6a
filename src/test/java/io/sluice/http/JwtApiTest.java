package io.sluice.http;

import static io.sluice.web.HttpProbe.eventually;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.config.AuthConfig;
import io.sluice.jwt.JwtSettings;
import io.sluice.jwt.TokenSigner;
import io.sluice.web.HttpProbe.Answer;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.io.UncheckedIOException;
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
    JsonObject larger = claims("bob").put("groups", "g".repeat(6_400));

    // when
    Answer fits = place("Authorization", "Bearer " + SIGNER.token(large));
    Answer tooLarge = place("Authorization", "Bearer " + SIGNER.token(larger));

    // then
    assertThat(fits.status()).isEqualTo(201);
    assertThat(tooLarge.status()).isEqualTo(431);
  }

  @Test
  void shouldTakeBackNoCountOfItsAddressWhenA503WasNotCounted() {
    // given: two calls a minute; each look at the clock takes a millisecond
    AtomicLong nanos = new AtomicLong();
    try (PublicPortFixture fixture =
        PublicPortFixture.limited(
            AUTH, PublicPortFixture.admission(0, 0, 0, 2), () -> nanos.addAndGet(1_000_000))) {
      String genuine = "Bearer " + SIGNER.token(claims("bob"));
      String forged = FORGER.token(claims("bob"));
      Answer first = fixture.probe.get(ORDER, "Authorization", genuine);

      // when
      eventually(() -> flood(fixture, forged).contains("HTTP/1.1 503 "));
      Answer second = fixture.probe.get(ORDER, "Authorization", genuine);
      Answer third = fixture.probe.get(ORDER, "Authorization", genuine);

      // then
      assertThat(first.status()).isEqualTo(200);
      assertThat(second.status()).isEqualTo(200);
      assertThat(third.status()).isEqualTo(429);
    }
  }

  private static String flood(PublicPortFixture fixture, String token) {
    String call =
        "GET %s HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer %s\r\n".formatted(ORDER, token);
    return raw(fixture, (call + "\r\n").repeat(250) + call + "Connection: close\r\n\r\n");
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
