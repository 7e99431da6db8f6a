package io.sluice.http;

import static io.sluice.http.PublicPortFixture.BODY;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.web.HttpProbe;
import io.sluice.web.HttpProbe.Answer;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.net.http.HttpRequest.BodyPublishers;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
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

  private Answer place(String body, String... headers) {
    return probe.json("POST", "/v1/orders", body, headers);
  }

  @Test
  void shouldAnswer401WhenThereIsNoBuyer() {
    // when: everything else is invalid as well
    Answer answer = probe.send("POST", "/v1/orders", BodyPublishers.ofString("x".repeat(20_000)));

    // then
    assertThat(answer.problem()).isEqualTo("unauthorized");
    assertThat(answer.header("www-authenticate")).isEqualTo("Bearer");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "text/plain",
        "application/x-www-form-urlencoded",
        "multipart/form-data; boundary=x",
        "application/json-seq",
        ";;;"
      })
  void shouldAnswer415WhenItIsNotJson(String type) {
    // when: the body is too large, and the buyer is malformed as well
    String[] headers = {"X-User-Id", "not a user", "Content-Type", type};
    Answer answer =
        probe.send(
            "POST",
            "/v1/orders",
            BodyPublishers.ofString("x".repeat(20_000)),
            Arrays.copyOf(headers, type.isEmpty() ? 2 : 4));

    // then
    assertThat(answer.problem()).isEqualTo("unsupported-media-type");
  }

  @Test
  void shouldTakeJsonHoweverItsTypeIsSpelled() {
    // when
    Answer answer =
        probe.send(
            "POST",
            "/v1/orders",
            BodyPublishers.ofString(BODY),
            "X-User-Id",
            "alice",
            "Content-Type",
            "Application/JSON; charset=utf-8");

    // then
    assertThat(answer.status()).isEqualTo(201);
  }

  @ParameterizedTest
  @ValueSource(ints = {16 * 1024 + 1, 200_000, 3_000_000})
  void shouldAnswer413WhenTheBodyIsTooLarge(int bytes) {
    // when: it is no order of a buyer either
    Answer answer = place(" ".repeat(bytes), "X-User-Id", "not a user");

    // then
    assertThat(answer.problem()).isEqualTo("content-too-large");
    assertThat(answer.header("connection")).isEqualTo("close");
  }

  @ParameterizedTest
  @CsvSource({"16384, 201", "16385, 413", "200000, 413"})
  void shouldTakeAChunkedBodyUpToTheLimit(int bytes, int status) {
    // given
    byte[] body = (BODY + " ".repeat(bytes - BODY.length())).getBytes(UTF_8);

    // when
    Answer answer =
        probe.send(
            "POST",
            "/v1/orders",
            BodyPublishers.ofInputStream(() -> new ByteArrayInputStream(body)),
            "X-User-Id",
            "alice",
            "Content-Type",
            "application/json");

    // then
    assertThat(answer.status()).isEqualTo(status);
    assertThat(fixture.orders.asked).hasSize(status == 201 ? 1 : 0);
  }

  /** A name of at most 128 visible ASCII characters: of a buyer, and of a request. */
  @ParameterizedTest
  @ValueSource(strings = {"X-User-Id", "Idempotency-Key"})
  void shouldTakeOneNameOfVisibleCharacters(String header) throws IOException {
    // given
    String[] others = header.equals("X-User-Id") ? new String[0] : new String[] {"X-User-Id", "a"};

    // when
    List<Answer> refused =
        Stream.of("", "a b", "a\tb", "u".repeat(129))
            .map(name -> place(BODY, with(others, header, name)))
            .toList();
    Answer twice = place(BODY, with(with(others, header, "a"), header, "b"));
    String notAscii =
        probe.raw(
            "POST /v1/orders HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Length: 0\r\n"
                + "Content-Type: application/json\r\nX-User-Id: \u00e9\r\n\r\n");
    Answer longest = place(BODY, with(others, header, "u".repeat(128)));

    // then
    assertThat(refused).extracting(Answer::field).containsOnly(header);
    assertThat(twice.field()).isEqualTo(header);
    assertThat(notAscii).startsWith("HTTP/1.1 400 ");
    assertThat(longest.status()).isEqualTo(201);
  }

  private static String[] with(String[] headers, String... more) {
    return Stream.of(headers, more).flatMap(Stream::of).toArray(String[]::new);
  }
}
