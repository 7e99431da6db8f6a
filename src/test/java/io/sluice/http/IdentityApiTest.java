package io.sluice.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.config.AuthConfig;
import io.sluice.web.HttpProbe.Answer;
import java.util.Arrays;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Who may do what, by header, token and address. All requests here come from the loopback address.
 */
class IdentityApiTest {
  @RegisterExtension
  static final PublicPortFixture LOCAL =
      PublicPortFixture.serving(PublicPortFixture.LOCAL_BACK_OFFICE);

  @RegisterExtension
  static final PublicPortFixture TOKEN =
      PublicPortFixture.serving(PublicPortFixture.TOKEN_BACK_OFFICE);

  private static final String ORDER = "/v1/orders/" + FakeOrders.TOKEN;

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "|all",
        "X-User-Id: alice|alice",
        "x-user-id: bob|bob",
        "X-User-Id: carol|none",
        "X-User-Id: alice; Authorization: Bearer x|alice",
        "Forwarded: for=10.0.0.1|401",
        "X-User-Id: bob; X-Forwarded-For: 10.0.0.1|bob",
        "Authorization: Bearer x|401",
      })
  void shouldTellTheActorByAddressWhenNoTokenIsConfigured(String headers, String actor) {
    // when
    Answer answer = LOCAL.probe.get(ORDER, headers(headers));

    // then
    assertThat(actorOf(LOCAL, answer)).isEqualTo(actor);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "|401",
        "Authorization: Bearer the-office-token|all",
        "Authorization: bearer the-office-token|all",
        "Authorization: Bearer its-other-token-|all",
        "Authorization: Bearer the-office-token,its-other-token-|401",
        "Authorization: Bearer the-office-token; X-Forwarded-For: 10.0.0.1|all",
        "Authorization: Bearer the-office-token; X-User-Id: bob|all",
        "Authorization: Bearer the-office-tokem|401",
        "Authorization: Bearer the-office-token2|401",
        "Authorization: Bearer|401",
        "Authorization: Basic the-office-token|401",
        "Authorization: the-office-token|401",
        "Authorization: Bearer x; Authorization: Bearer the-office-token|401",
        "Authorization: Bearer wrong; X-User-Id: alice|alice",
        "X-User-Id: bob|bob",
      })
  void shouldTellTheActorByTokenWhenOneIsConfigured(String headers, String actor) {
    // when
    Answer answer = TOKEN.probe.get(ORDER, headers(headers));

    // then
    assertThat(actorOf(TOKEN, answer)).isEqualTo(actor);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "/confirm",
        "/refund",
        "/extend",
        "/refunds",
        "/refunds/r1/complete",
        "/refunds/r1/reject"
      })
  void shouldAnswer401WhenABuyerTriesWhatOnlyTheBackOfficeMay(String command) {
    // when: the third token has a form that no order has
    Stream<Answer> answers =
        Stream.of(
            LOCAL.probe.post(ORDER + command, "X-User-Id", "alice"),
            LOCAL.probe.post(ORDER + command, "X-Forwarded-For", "10.0.0.1"),
            LOCAL.probe.post("/v1/orders/x" + command, "X-User-Id", "alice"),
            LOCAL.probe.post("/v1/orders/commands", "X-User-Id", "alice"));

    // then
    assertThat(answers)
        .allSatisfy(
            answer -> {
              assertThat(answer.problem()).isEqualTo("unauthorized");
              assertThat(answer.header("www-authenticate")).isEqualTo("Bearer");
            });
    assertThat(LOCAL.orders.asked).isEmpty();
  }

  @Test
  void shouldCancelInItsOwnNameWhenTheBackOfficeCancels() {
    // when
    LOCAL.probe.post(ORDER + "/cancel");
    LOCAL.probe.post(ORDER + "/cancel", "X-User-Id", "alice");

    // then
    assertThat(LOCAL.orders.asked)
        .containsExactly(
            "cancel OPERATOR " + FakeOrders.TOKEN + " all",
            "cancel BUYER " + FakeOrders.TOKEN + " alice");
  }

  @Test
  void shouldReadAnotherHeaderWhenTheGatewaySetsAnother() {
    // given
    AuthConfig auth = PublicPortFixture.auth("X-Customer", "");
    try (PublicPortFixture fixture = PublicPortFixture.serving(auth)) {

      // when
      Answer theirs = fixture.probe.get(ORDER, "X-Customer", "bob");
      Answer malformed = fixture.probe.get(ORDER, "X-Customer", "b b");

      // then
      assertThat(actorOf(fixture, theirs)).isEqualTo("bob");
      assertThat(malformed.field()).isEqualTo("X-Customer");
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "auth0|64f1c2",
        "f:5c1d:bob",
        "bob+drop@x.com",
        "cn=bob,ou=people",
        "!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~",
        "..."
      })
  void shouldTakeTheIdsOfIdentityProviders(String userId) {
    // when
    LOCAL.probe.post(ORDER + "/cancel", "X-User-Id", userId);
    LOCAL.probe.post(ORDER + "/cancel", "X-User-Id", "u".repeat(128));

    // then
    assertThat(LOCAL.orders.asked).hasSize(2);
  }

  /** A path cannot name the first two. */
  @ParameterizedTest
  @ValueSource(strings = {".", "..", "a b", "long"})
  void shouldRefuseWhatIsNoIdOfABuyer(String userId) {
    // when
    Answer answer = LOCAL.probe.get(ORDER, "X-User-Id", userId.replace("long", "u".repeat(129)));

    // then
    assertThat(answer.status()).isEqualTo(400);
    assertThat(LOCAL.orders.asked).isEmpty();
  }

  @Test
  void shouldAnswer401WhenTheBackOfficePlacesAnOrderForNobody() {
    // when
    Answer answer = LOCAL.probe.json("POST", "/v1/orders", "{\"sku_id\":1,\"qty\":1}");

    // then
    assertThat(answer.status()).isEqualTo(401);
  }

  /** Whose orders the caller may see, or the status if the orders were not called at all. */
  private static String actorOf(PublicPortFixture fixture, Answer answer) {
    if (fixture.orders.asked.isEmpty()) {
      return String.valueOf(answer.status());
    }
    return fixture.orders.asked.get(0).replaceFirst(".* ", "");
  }

  private static String[] headers(String headers) {
    return headers == null
        ? new String[0]
        : Arrays.stream(headers.split("; "))
            .flatMap(header -> Arrays.stream((header + " ").split(": ?", 2)))
            .map(String::strip)
            .toArray(String[]::new);
  }
}
