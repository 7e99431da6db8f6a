package io.sluice.http;

import static io.sluice.http.PublicPortFixture.policy;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.auth.TokenSigner;
import io.sluice.config.AuthConfig;
import io.sluice.config.Config;
import io.sluice.web.HttpProbe.Answer;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Whom a waiting room's ticket admits, where a gateway names the buyers. */
class TicketApiTest {
  private static final String SECRET = "0123456789abcdef0123456789abcdef";
  private static final TokenSigner ROOM = TokenSigner.hmac(SECRET.getBytes(UTF_8));
  private static final TokenSigner STRANGER =
      TokenSigner.hmac(SECRET.replace('0', '1').getBytes(UTF_8));

  private static final AuthConfig AUTH =
      new AuthConfig(
          "header",
          "X-User-Id",
          Config.defaults().auth().trustedProxies(),
          "",
          "",
          SECRET,
          "",
          "",
          "https://room.example",
          "",
          "sub");

  @RegisterExtension static final PublicPortFixture FIXTURE = PublicPortFixture.serving(AUTH);

  @BeforeEach
  void demandTickets() {
    FIXTURE.orders.sku = FakeOrders.sku(true);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "aud|\"sku:1001\"|201",
        "aud|[\"7\",\"sku:1001\"]|201",
        "nbf|-100|201",
        "nbf|29|201",
        "aud|\"1001\"|the aud that is expected here",
        "aud|\"sku:1002\"|the aud that is expected here",
        "aud|1001|claims with the types of RFC 7519",
        "aud|null|claims with the types of RFC 7519",
        "sub|\"bob\"|the buyer as its sub",
        "sub|\"Alice\"|the buyer as its sub",
        "sub|null|the buyer as its sub",
        "iss|\"https://other.example\"|the iss of auth.issuer",
        "exp|-31|an exp that is not over",
        "exp|null|claims with the types of RFC 7519",
      })
  void shouldAdmitTheBuyerToTheSkuThatTheTicketNames(String claim, String value, String expected) {
    // given
    JsonObject claims = claims();
    Object parsed = new JsonArray("[" + value + "]").getValue(0);
    claims.put(claim, parsed instanceof Integer s && !claim.equals("aud") ? nowS() + s : parsed);

    // when
    Answer answer = place("Sluice-Ticket", ROOM.token(claims));

    // then
    if (expected.equals("201")) {
      assertThat(answer.status()).isEqualTo(201);
    } else {
      assertThat(answer.problem()).isEqualTo("ticket-required");
      assertThat(answer.header("retry-after")).isNull();
      assertThat(answer.json().getString("detail")).contains("one with " + expected);
      assertThat(FIXTURE.orders.asked).isEmpty();
    }
  }

  @Test
  void shouldSayWhenToComeBackWhenTheTicketHasNotBegun() {
    // given
    JsonObject early = claims().put("nbf", nowS() + 90).put("exp", nowS() + 600);

    // when
    Answer answer = place("Sluice-Ticket", ROOM.token(early));
    Answer forged = place("Sluice-Ticket", STRANGER.token(early));

    // then: half a minute is allowed for clocks
    assertThat(answer.problem()).isEqualTo("too-early");
    assertThat(Integer.parseInt(answer.header("retry-after"))).isBetween(55, 60);
    assertThat(forged.problem()).isEqualTo("ticket-required");
    assertThat(forged.json().getString("detail")).contains("a signature by the configured key");
    assertThat(FIXTURE.orders.asked).isEmpty();
  }

  @Test
  void shouldDemandExactlyOneTicket() {
    // given
    String ticket = ROOM.token(claims());

    // when
    Answer none = place();
    Answer two = place("Sluice-Ticket", ticket, "Sluice-Ticket", ticket);
    Answer asBearer = place("Authorization", "Bearer " + ticket);

    // then
    assertThat(none.json().getString("detail"))
        .isEqualTo("Expected the waiting room's ticket as Sluice-Ticket: one, but there is none.");
    assertThat(two.json().getString("detail")).contains("there are several");
    assertThat(asBearer.problem()).isEqualTo("ticket-required");
    assertThat(FIXTURE.orders.asked).isEmpty();
  }

  @Test
  void shouldLookAtNoTicketWhenTheSkuDemandsNone() {
    // given
    FIXTURE.orders.sku = FakeOrders.sku(false);

    // when
    Answer answer = place("Sluice-Ticket", "nonsense");

    // then
    assertThat(answer.status()).isEqualTo(201);
  }

  @Test
  void shouldLookAtTheBodyBeforeTheTicket() {
    // when
    Answer answer = FIXTURE.order("{}", "alice");

    // then
    assertThat(answer.problem()).isEqualTo("bad-request");
  }

  @Test
  void shouldAdmitNobodyWhenThisInstanceHasNoKey() {
    // given
    try (PublicPortFixture keyless =
        PublicPortFixture.serving(PublicPortFixture.LOCAL_BACK_OFFICE)) {
      keyless.orders.sku = FakeOrders.sku(true);

      // when
      Answer answer = keyless.place();

      // then
      assertThat(answer.problem()).isEqualTo("ticket-required");
      assertThat(answer.json().getString("detail")).contains("no key verifies tickets here");
    }
  }

  @Test
  void shouldAdmitToTheSaleOnlyWhenTheSkuIsInOne() {
    // given
    FIXTURE.orders.sku = FakeOrders.inSale(FakeOrders.sku(true), "phones-12");

    // when
    Answer ofSku = place("Sluice-Ticket", ROOM.token(claims()));
    Answer ofSale = place("Sluice-Ticket", ROOM.token(claims().put("aud", "phones-12")));

    // then
    assertThat(ofSku.problem()).isEqualTo("ticket-required");
    assertThat(ofSku.json().getString("detail")).contains("the aud that is expected here");
    assertThat(ofSale.status()).isEqualTo(201);
  }

  /** Each wrong one costs time that honest buyers need for theirs. */
  @Test
  void shouldRefuseTheTicketsOfABuyerWhoSendsForgedOnesAndBanHimWhenHeGoesOn() {
    // given
    try (PublicPortFixture fixture =
        PublicPortFixture.limited(
            AUTH, PublicPortFixture.admission(0, 0, 10, 0), System::nanoTime)) {
      fixture.orders.sku = FakeOrders.sku(true);
      String honest = ROOM.token(claims().put("sub", "honest"));
      String good = ROOM.token(claims().put("sub", "mallory"));

      // when: all with one request key, so that they count once
      List<String> answers = new ArrayList<>();
      answers.add(policy(place(fixture, "mallory", good)));
      for (int i = 0; i < 9; i++) {
        answers.add(
            policy(place(fixture, "mallory", STRANGER.token(claims().put("sub", "mallory")))));
      }
      answers.add(policy(place(fixture, "honest", honest)));
      answers.add(policy(place(fixture, "mallory", good)));

      // then
      assertThat(answers)
          .containsExactly(
              "201",
              "403",
              "403",
              "403",
              "403",
              "403",
              "signature",
              "signature",
              "blacklist",
              "blacklist",
              "201",
              "blacklist");
    }
  }

  @Test
  void shouldStillTakeTheTicketThatItKnowsWhenTheBuyerHasSentForgedOnes() {
    // given
    try (PublicPortFixture fixture =
        PublicPortFixture.limited(
            AUTH, PublicPortFixture.admission(0, 0, 10, 0), System::nanoTime)) {
      fixture.orders.sku = FakeOrders.sku(true);
      String good = ROOM.token(claims().put("sub", "mallory"));
      place(fixture, "mallory", good);
      for (int i = 0; i < 5; i++) {
        place(fixture, "mallory", STRANGER.token(claims().put("sub", "mallory")));
      }

      // when
      Answer known = place(fixture, "mallory", good);
      Answer unseen =
          place(fixture, "mallory", ROOM.token(claims().put("sub", "mallory").put("x", 1)));
      fixture.nanos = Duration.ofSeconds(62).toNanos();
      Answer later =
          place(fixture, "mallory", ROOM.token(claims().put("sub", "mallory").put("x", 1)));

      // then
      assertThat(known.status()).isEqualTo(201);
      assertThat(unseen.status()).isEqualTo(429);
      assertThat(unseen.header("retry-after")).isEqualTo("61");
      assertThat(later.status()).isEqualTo(201);
    }
  }

  private static Answer place(PublicPortFixture fixture, String buyer, String ticket) {
    return fixture.order(
        PublicPortFixture.BODY, buyer, "Idempotency-Key", "one", "Sluice-Ticket", ticket);
  }

  private static JsonObject claims() {
    return new JsonObject()
        .put("iss", "https://room.example")
        .put("aud", "sku:1001")
        .put("sub", "alice")
        .put("exp", nowS() + 600);
  }

  private static long nowS() {
    return System.currentTimeMillis() / 1000;
  }

  private static Answer place(String... headers) {
    return FIXTURE.order(PublicPortFixture.BODY, "alice", headers);
  }
}
