package io.sluice.http;

import static io.sluice.web.HttpProbe.eventually;
import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.config.TlsFiles;
import io.sluice.testkit.tls.Certificates;
import io.sluice.testkit.tls.Certificates.Issued;
import java.io.IOException;
import java.net.Socket;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import javax.net.ssl.SSLContext;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Connections to a port with TLS count from the first moment, whether they speak it or not. */
class TlsConnectionsTest {
  private static final int MAX = 5;
  private static final int PATIENCE_MS = 5_000;
  private static final String GET = "GET /v1/skus/1001 HTTP/1.1\r\nHost: x\r\n\r\n";

  @TempDir static Path folder;
  private static TlsFiles files;
  private static SSLContext client;

  private final List<Socket> opened = new ArrayList<>();

  @BeforeAll
  static void issue() {
    Certificates authority = Certificates.foundedIn(folder, "the authority");
    Issued issued = authority.issue("port", "127.0.0.1");
    files = new TlsFiles(issued.certificate().toString(), issued.key().toString());
    client = authority.client();
  }

  @AfterEach
  void close() throws IOException {
    for (Socket one : opened) {
      one.close();
    }
  }

  @Test
  void shouldCountAConnectionWhenItsHandshakeHasNotBegun() throws IOException {
    // given
    try (PublicPortFixture fixture = port(10)) {

      // when
      silent(fixture);
      silent(fixture);

      // then
      eventually(() -> fixture.gauge("sluice_http_connections") == 2);
      close();
      eventually(() -> fixture.gauge("sluice_http_connections") == 0);
    }
  }

  @Test
  void shouldCloseWithoutAHandshakeWhenAllConnectionsAreInUse() throws IOException {
    // given
    try (PublicPortFixture fixture = port(10)) {
      for (int i = 0; i < MAX; i++) {
        ask(encrypted(fixture));
      }

      // when
      int received = silent(fixture).getInputStream().read();

      // then
      assertThat(received).isEqualTo(-1);
      assertThat(fixture.dropped("limit")).isEqualTo(1);
      assertThat(fixture.gauge("sluice_http_connections")).isEqualTo(MAX);
    }
  }

  @Test
  void shouldMakeRoomWhenOthersDoNotSpeak() throws IOException {
    // given
    try (PublicPortFixture fixture = port(10)) {
      for (int i = 0; i < MAX; i++) {
        silent(fixture);
      }
      eventually(() -> fixture.gauge("sluice_http_connections") == MAX);
      pause();

      // when
      String answer = ask(encrypted(fixture));

      // then
      assertThat(answer).startsWith("HTTP/1.1 404 ");
      assertThat(fixture.dropped("idle")).isEqualTo(MAX);
      assertThat(fixture.gauge("sluice_http_connections")).isEqualTo(1);
    }
  }

  @Test
  void shouldCloseAConnectionWhenItsHandshakeTakesLongerThanARequestMay() throws IOException {
    // given
    try (PublicPortFixture fixture = port(1)) {
      Socket none = silent(fixture);
      Socket begun = silent(fixture);
      begun.getOutputStream().write(new byte[] {22, 3, 1, 0});

      // when
      int first = none.getInputStream().read();
      begun.getInputStream().readAllBytes();

      // then
      assertThat(first).isEqualTo(-1);
      assertThat(fixture.dropped("late")).isEqualTo(2);
      eventually(() -> fixture.gauge("sluice_http_connections") == 0);
    }
  }

  @Test
  void shouldCloseAConnectionWhenItSpeaksPlainText() throws IOException {
    // given
    try (PublicPortFixture fixture = port(10)) {
      Socket plain = silent(fixture);

      // when
      plain.getOutputStream().write(GET.getBytes(ISO_8859_1));
      String answer = new String(plain.getInputStream().readAllBytes(), ISO_8859_1);

      // then
      assertThat(answer).doesNotContain("HTTP");
      eventually(() -> fixture.gauge("sluice_http_connections") == 0);
    }
  }

  private static PublicPortFixture port(int bodyTimeoutS) {
    return PublicPortFixture.limited(MAX, bodyTimeoutS, 100, files);
  }

  private Socket silent(PublicPortFixture fixture) throws IOException {
    return kept(new Socket("127.0.0.1", fixture.port.port()));
  }

  private Socket encrypted(PublicPortFixture fixture) throws IOException {
    return kept(client.getSocketFactory().createSocket("127.0.0.1", fixture.port.port()));
  }

  private Socket kept(Socket socket) throws IOException {
    opened.add(socket);
    socket.setSoTimeout(PATIENCE_MS);
    return socket;
  }

  private static String ask(Socket socket) throws IOException {
    socket.getOutputStream().write(GET.getBytes(ISO_8859_1));
    byte[] bytes = new byte[4_096];
    int length = socket.getInputStream().read(bytes);
    return new String(bytes, 0, Math.max(0, length), ISO_8859_1);
  }

  /** Longer than a connection may be without a request. */
  private static void pause() {
    long end = System.nanoTime() + 1_500_000_000L;
    eventually(() -> System.nanoTime() > end);
  }
}
