package io.sluice.http;

import static io.sluice.http.PublicPortFixture.BODY;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.web.HttpProbe;
import io.sluice.web.HttpProbe.Answer;
import java.io.ByteArrayInputStream;
import java.net.http.HttpRequest.BodyPublishers;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** {@code POST /v1/orders} with invalid input: every row of the API's table. */
class PlaceOrderInputTest {
  @RegisterExtension
  static final PublicPortFixture fixture =
      PublicPortFixture.serving(PublicPortFixture.LOCAL_BACK_OFFICE);

  private final HttpProbe probe = fixture.probe;

  @ParameterizedTest
  @CsvSource({"PUT", "GET", "DELETE", "PATCH"})
  void shouldAnswer405WithAllowWhenTheMethodIsAnother(String method) {
    // when
    Answer answer = probe.send(method, "/v1/orders", BodyPublishers.noBody());

    // then
    assertThat(answer.status()).isEqualTo(405);
    assertThat(answer.problem()).isEqualTo("method-not-allowed");
    assertThat(answer.header("allow")).isEqualTo("POST, OPTIONS");
  }

  @Test
  void shouldAnswer401WhenThereIsNoBuyer() {
    // when: everything else is invalid as well
    Answer answer = probe.send("POST", "/v1/orders", BodyPublishers.ofString("x".repeat(20_000)));

    // then
    assertThat(answer.status()).isEqualTo(401);
    assertThat(answer.problem()).isEqualTo("unauthorized");
    assertThat(answer.header("www-authenticate")).isEqualTo("Bearer");
  }

  @Test
  void shouldAnswer415WhenItIsNotJson() {
    // when: the body is too large, and the buyer is malformed as well
    Answer answer =
        probe.send(
            "POST",
            "/v1/orders",
            BodyPublishers.ofString("x".repeat(20_000)),
            "X-User-Id",
            "not a user",
            "Content-Type",
            "text/plain");

    // then
    assertThat(answer.status()).isEqualTo(415);
    assertThat(answer.problem()).isEqualTo("unsupported-media-type");
  }

  @Test
  void shouldAnswer415WhenThereIsNoContentType() {
    // when
    Answer answer =
        probe.send("POST", "/v1/orders", BodyPublishers.ofString(BODY), "X-User-Id", "alice");

    // then
    assertThat(answer.status()).isEqualTo(415);
  }

  @ParameterizedTest
  @ValueSource(ints = {16 * 1024 + 1, 200_000, 3_000_000})
  void shouldAnswer413WhenTheBodyIsTooLarge(int bytes) {
    // when: the buyer is malformed as well
    Answer answer = probe.json("POST", "/v1/orders", " ".repeat(bytes), "X-User-Id", "not a user");

    // then
    assertThat(answer.status()).isEqualTo(413);
    assertThat(answer.problem()).isEqualTo("content-too-large");
    assertThat(answer.header("connection")).isEqualTo("close");
  }

  @ParameterizedTest
  @ValueSource(ints = {16 * 1024 + 1, 200_000})
  void shouldAnswer413WhenAChunkedBodyIsTooLarge(int bytes) {
    // when
    Answer answer =
        probe.send(
            "POST",
            "/v1/orders",
            BodyPublishers.ofInputStream(() -> new ByteArrayInputStream(new byte[bytes])),
            "X-User-Id",
            "alice",
            "Content-Type",
            "application/json");

    // then
    assertThat(answer.status()).isEqualTo(413);
    assertThat(fixture.orders.asked).isEmpty();
  }

  @Test
  void shouldAnswer400WithTheFieldWhenTheBodyIsWrong() {
    // when
    Answer answer =
        probe.json("POST", "/v1/orders", "{\"sku_id\":1001,\"qty\":0}", "X-User-Id", "alice");

    // then
    assertThat(answer.status()).isEqualTo(400);
    assertThat(answer.problem()).isEqualTo("bad-request");
    assertThat(answer.field()).isEqualTo("qty");
    assertThat(answer.json().getString("detail"))
        .isEqualTo("Expected a whole number in 1..1000, but got 0");
    assertThat(fixture.orders.asked).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "a b"})
  void shouldAnswer400WhenTheBuyerIsMalformed(String user) {
    // when
    Answer answer = probe.json("POST", "/v1/orders", BODY, "X-User-Id", user);

    // then
    assertThat(answer.status()).isEqualTo(400);
    assertThat(answer.field()).isEqualTo("X-User-Id");
  }

  @Test
  void shouldAnswer400WhenTheBuyerIsTooLong() {
    // when
    Answer tooLong = probe.json("POST", "/v1/orders", BODY, "X-User-Id", "u".repeat(129));
    Answer longest = probe.json("POST", "/v1/orders", BODY, "X-User-Id", "u".repeat(128));

    // then
    assertThat(tooLong.status()).isEqualTo(400);
    assertThat(longest.status()).isEqualTo(201);
  }

  @Test
  void shouldAnswer400WhenThereAreTwoBuyers() {
    // when
    Answer answer =
        probe.json("POST", "/v1/orders", BODY, "X-User-Id", "alice", "X-User-Id", "mallory");

    // then
    assertThat(answer.status()).isEqualTo(400);
    assertThat(answer.field()).isEqualTo("X-User-Id");
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "a b", "a\tb"})
  void shouldAnswer400WhenTheKeyIsMalformed(String key) {
    // when
    Answer answer =
        probe.json("POST", "/v1/orders", BODY, "X-User-Id", "alice", "Idempotency-Key", key);

    // then
    assertThat(answer.status()).isEqualTo(400);
    assertThat(answer.field()).isEqualTo("Idempotency-Key");
  }

  @Test
  void shouldAnswer400WhenTheKeyIsTooLongOrTwice() {
    // when
    Answer tooLong =
        probe.json(
            "POST", "/v1/orders", BODY, "X-User-Id", "alice", "Idempotency-Key", "~".repeat(129));
    Answer twice =
        probe.json(
            "POST",
            "/v1/orders",
            BODY,
            "X-User-Id",
            "alice",
            "Idempotency-Key",
            "a",
            "Idempotency-Key",
            "b");

    // then
    assertThat(tooLong.status()).isEqualTo(400);
    assertThat(twice.status()).isEqualTo(400);
  }
}
