package io.sluice.http;

import static io.sluice.http.Connections.ask;
import static io.sluice.web.HttpProbe.eventually;
import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.sluice.config.TlsFiles;
import io.sluice.testkit.tls.Certificates;
import io.sluice.testkit.tls.Certificates.Issued;
import java.io.IOException;
import java.io.InputStream;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.cert.Certificate;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.time.Duration;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocket;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Connections to a port with TLS count from the first moment, whether they speak it or not. */
class TlsConnectionsTest {
  private static final int MAX = 5;
  private static final String GET = "GET /v1/skus/1001 HTTP/1.1\r\nHost: x\r\n\r\n";

  @TempDir static Path folder;
  private static TlsFiles files;
  private static SSLContext client;

  @RegisterExtension final Connections connections = new Connections();

  @BeforeAll
  static void issue() {
    Certificates authority = Certificates.foundedIn(folder, "the authority");
    Issued issued = authority.issue("port", "127.0.0.1");
    files = new TlsFiles(issued.certificate().toString(), issued.key().toString());
    client = authority.client();
  }

  @Test
  void shouldCountAConnectionWhenItsHandshakeHasNotBegun() throws IOException {
    // given
    try (PublicPortFixture fixture = port(10)) {

      // when
      connections.open(fixture);
      connections.open(fixture);

      // then
      eventually(() -> fixture.gauge("sluice_http_connections") == 2);
      connections.closeAll();
      eventually(() -> fixture.gauge("sluice_http_connections") == 0);
    }
  }

  @Test
  void shouldCloseWithoutAHandshakeWhenAllConnectionsAreInUse() throws IOException {
    // given
    try (PublicPortFixture fixture = port(10)) {
      for (int i = 0; i < MAX; i++) {
        ask(encrypted(fixture), GET);
      }

      // when
      int received = connections.open(fixture).getInputStream().read();

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
        connections.open(fixture);
      }
      eventually(() -> fixture.gauge("sluice_http_connections") == MAX);
      // Longer than a connection may be without a request.
      Connections.pause(Duration.ofMillis(1_500));

      // when
      String answer = ask(encrypted(fixture), GET);

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
      Socket none = connections.open(fixture);
      Socket begun = connections.open(fixture);
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
      Socket plain = connections.open(fixture);

      // when
      plain.getOutputStream().write(GET.getBytes(ISO_8859_1));
      String answer = new String(plain.getInputStream().readAllBytes(), ISO_8859_1);

      // then
      assertThat(answer).doesNotContain("HTTP");
      eventually(() -> fixture.gauge("sluice_http_connections") == 0);
    }
  }

  /** Each costs the port a signature. */
  @Test
  void shouldNotNegotiateAnewWhenAClientAsksForIt() throws IOException {
    // given
    try (PublicPortFixture fixture = port(10)) {
      SSLSocket socket = (SSLSocket) encrypted(fixture);
      socket.setEnabledProtocols(new String[] {"TLSv1.2"});
      String first = ask(socket, GET);

      // when
      Throwable again =
          catchThrowable(
              () -> {
                socket.startHandshake();
                ask(socket, GET);
              });

      // then
      assertThat(first).startsWith("HTTP/1.1 404 ");
      assertThat(again).isInstanceOf(IOException.class);
      eventually(() -> fixture.gauge("sluice_http_connections") == 0);
    }
  }

  @ParameterizedTest
  @CsvSource({
    "TLSv1.2, TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256, true",
    "TLSv1.2, TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256, true",
    "TLSv1.3, TLS_AES_128_GCM_SHA256, true",
    "TLSv1.2, TLS_ECDHE_ECDSA_WITH_AES_128_CBC_SHA256, false",
    "TLSv1.2, TLS_ECDHE_RSA_WITH_AES_128_CBC_SHA256, false",
    "TLSv1.2, TLS_RSA_WITH_AES_128_GCM_SHA256, false",
    "TLSv1.2, TLS_DHE_RSA_WITH_AES_128_GCM_SHA256, false",
  })
  void shouldSpeakOnlySuitesWithForwardSecrecyAndAuthentication(
      String protocol, String suite, boolean spoken) throws IOException {
    // given
    boolean fits = !suite.contains("_" + (isEc() ? "RSA" : "ECDSA") + "_WITH");
    try (PublicPortFixture fixture = port(10)) {
      SSLSocket socket = (SSLSocket) encrypted(fixture);
      socket.setEnabledProtocols(new String[] {protocol});
      socket.setEnabledCipherSuites(new String[] {suite});

      // when
      Throwable refused = catchThrowable(socket::startHandshake);

      // then
      assertThat(refused == null).isEqualTo(spoken && fits);
    }
  }

  private static boolean isEc() throws IOException {
    try (InputStream in = Files.newInputStream(Path.of(files.certFile()))) {
      Certificate certificate = CertificateFactory.getInstance("X.509").generateCertificate(in);
      return certificate.getPublicKey().getAlgorithm().equals("EC");
    } catch (CertificateException unreadable) {
      throw new IOException(unreadable);
    }
  }

  private static PublicPortFixture port(int bodyTimeoutS) {
    return PublicPortFixture.limited(MAX, bodyTimeoutS, 100, files);
  }

  private Socket encrypted(PublicPortFixture fixture) throws IOException {
    return connections.keep(
        client.getSocketFactory().createSocket("127.0.0.1", fixture.port.port()));
  }
}
