package io.sluice.http;

import static io.sluice.http.Connections.ask;
import static io.sluice.web.HttpProbe.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.config.TlsFiles;
import java.io.IOException;
import java.net.Socket;
import java.time.Duration;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Requests that do not arrive, and connections that ask for nothing. */
class SlowRequestTest {
  private static final String GET = "GET /v1/skus/1001 HTTP/1.1\r\nHost: x\r\n";
  private static final String POST =
      "POST /v1/orders HTTP/1.1\r\n"
          + "Host: x\r\n"
          + "X-User-Id: alice\r\n"
          + "Content-Type: application/json\r\n";

  private static final int MAX = 20;

  /** Longer than a connection may be without a request, and than a request may take to arrive. */
  private static final Duration IDLE = Duration.ofMillis(2_500);

  private static final Pattern STATUS = Pattern.compile("HTTP/1\\.1 (\\d{3}) ");

  @RegisterExtension
  static final PublicPortFixture fixture = PublicPortFixture.limited(MAX, 1, 100, TlsFiles.NONE);

  @RegisterExtension final Connections connections = new Connections();

  /**
   * A port that still counts the connections of the test before has no place for all of this one.
   */
  @BeforeEach
  void setUp() {
    eventually(() -> fixture.gauge("sluice_http_connections") == 0);
  }

  @Test
  void shouldAnswer408WhenTheHeadDoesNotArrive() throws IOException {
    // when
    String answer = fixture.probe.raw("POST /v1/orders HTTP/1.1\r\nHost:");

    // then
    assertThat(answer).startsWith("HTTP/1.1 408 ").contains("/problems/request-timeout");
  }

  @Test
  void shouldAnswer408WhenTheBodyDoesNotArrive() throws IOException {
    // when
    String answer = fixture.probe.raw(POST + "Content-Length: 23\r\n\r\n{\"sku_id\"");

    // then
    assertThat(answer).startsWith("HTTP/1.1 408 ").contains("/problems/request-timeout");
    assertThat(fixture.orders.asked).isEmpty();
  }

  @ParameterizedTest
  @CsvSource({"'',", "GET,404", "POST,503"})
  void shouldAnswer408AndCloseWhenTheBodyOfARefusedOrderDoesNotArrive(String before, String answer)
      throws IOException {
    // given
    fixture.orders.full = true;
    String first =
        switch (before) {
          case "GET" -> GET + "\r\n";
          case "POST" -> POST + "Content-Length: 2\r\n\r\n{}";
          default -> "";
        };

    // when
    String answers = fixture.probe.raw(first + POST + "Content-Length: 23\r\n\r\n{\"sku_id\"");

    // then
    assertThat(STATUS.matcher(answers).results().map(line -> line.group(1)).toList())
        .isEqualTo(answer == null ? List.of("408") : List.of(answer, "408"));
    assertThat(answers).contains("/problems/request-timeout", "connection: close");
  }

  @Test
  void shouldAnswer408WhenABodyThatNobodyReadsDoesNotArrive() throws IOException {
    // when
    String answer =
        fixture.probe.raw("PUT /v1/orders HTTP/1.1\r\nHost: x\r\nContent-Length: 9\r\n\r\n");

    // then
    assertThat(answer).startsWith("HTTP/1.1 405 ").doesNotContain("408");
  }

  @Test
  void shouldCloseWithoutASecondAnswerWhenTheNextHeadDoesNotArrive() throws IOException {
    // when
    String answers = fixture.probe.raw(GET + "\r\nGET /v1");

    // then
    assertThat(answers).startsWith("HTTP/1.1 404 ").doesNotContain("408");
  }

  @Test
  void shouldNotTakeAnEmptyLineBehindABodyForARequest() throws IOException {
    // given
    Socket socket = connections.open(fixture);
    String first = ask(socket, GET + "\r\n\r\n");
    Connections.pause(IDLE);

    // when
    String second = ask(socket, GET + "\r\n");

    // then
    assertThat(first).startsWith("HTTP/1.1 404 ");
    assertThat(second).startsWith("HTTP/1.1 404 ");
  }

  @Test
  void shouldCloseIdleConnectionsWhenThereAreTooMany() throws IOException {
    // given
    for (int i = 0; i < MAX; i++) {
      connections.open(fixture);
    }
    eventually(() -> fixture.gauge("sluice_http_connections") >= MAX);
    Connections.pause(IDLE);

    // when
    String answer = fixture.probe.raw(GET + "Connection: close\r\n\r\n");

    // then
    assertThat(answer).startsWith("HTTP/1.1 404 ");
    connections.closeAll();
    eventually(() -> fixture.gauge("sluice_http_connections") == 0);
  }

  @Test
  void shouldAnswer503WhenAllConnectionsAreInUse() throws IOException {
    // given
    for (int i = 0; i < MAX; i++) {
      ask(connections.open(fixture), GET + "\r\n");
    }

    // when
    String answer = fixture.probe.raw("");

    // then
    assertThat(answer).startsWith("HTTP/1.1 503 ").contains("retry-after: 1");
    connections.closeAll();
    eventually(() -> fixture.gauge("sluice_http_connections") == 0);
  }
}
