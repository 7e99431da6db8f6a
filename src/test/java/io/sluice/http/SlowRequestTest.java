package io.sluice.http;

import static io.sluice.web.HttpProbe.eventually;
import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.config.TlsFiles;
import java.io.IOException;
import java.net.Socket;
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
      "POST /v1/orders HTTP/1.1\r\nHost: x\r\nX-User-Id: alice\r\nContent-Type: application/json\r\n";

  private static final Pattern STATUS = Pattern.compile("HTTP/1\\.1 (\\d{3}) ");

  @RegisterExtension
  static final PublicPortFixture fixture = PublicPortFixture.limited(20, 1, 100, TlsFiles.NONE);

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
    try (Socket socket = new Socket("127.0.0.1", fixture.port.port())) {
      socket.setSoTimeout(3_000);

      // when
      socket.getOutputStream().write((GET + "\r\n\r\n").getBytes(ISO_8859_1));
      String first = read(socket);
      pause();
      socket.getOutputStream().write((GET + "\r\n").getBytes(ISO_8859_1));
      String second = read(socket);

      // then
      assertThat(first).startsWith("HTTP/1.1 404 ");
      assertThat(second).startsWith("HTTP/1.1 404 ");
    }
  }

  @Test
  void shouldCloseIdleConnectionsWhenThereAreTooMany() throws IOException {
    // given
    Socket[] idle = new Socket[20];
    for (int i = 0; i < idle.length; i++) {
      idle[i] = new Socket("127.0.0.1", fixture.port.port());
    }
    eventually(() -> fixture.gauge("sluice_http_connections") >= 20);
    pause();

    // when
    String answer = fixture.probe.raw(GET + "Connection: close\r\n\r\n");

    // then
    assertThat(answer).startsWith("HTTP/1.1 404 ");
    for (Socket one : idle) {
      one.close();
    }
    eventually(() -> fixture.gauge("sluice_http_connections") == 0);
  }

  @Test
  void shouldAnswer503WhenAllConnectionsAreInUse() throws IOException {
    // given
    Socket[] used = new Socket[20];
    for (int i = 0; i < used.length; i++) {
      used[i] = new Socket("127.0.0.1", fixture.port.port());
      used[i].getOutputStream().write((GET + "\r\n").getBytes(ISO_8859_1));
      read(used[i]);
    }

    // when
    String answer = fixture.probe.raw("");

    // then
    assertThat(answer).startsWith("HTTP/1.1 503 ").contains("retry-after: 1");
    for (Socket one : used) {
      one.close();
    }
    eventually(() -> fixture.gauge("sluice_http_connections") == 0);
  }

  /** Longer than a connection may be without a request, and than a request may take to arrive. */
  private static void pause() {
    long end = System.nanoTime() + 2_500_000_000L;
    eventually(() -> System.nanoTime() > end);
  }

  private static String read(Socket socket) throws IOException {
    byte[] bytes = new byte[4_096];
    int length = socket.getInputStream().read(bytes);
    return new String(bytes, 0, Math.max(0, length), ISO_8859_1);
  }
}
