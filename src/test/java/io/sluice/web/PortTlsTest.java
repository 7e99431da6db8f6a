package io.sluice.web;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.netty.buffer.ByteBufAllocator;
import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.handler.ssl.SslHandler;
import io.sluice.config.TlsFiles;
import io.sluice.metrics.Meters;
import io.sluice.testkit.process.LogWatch;
import io.sluice.testkit.tls.Certificates;
import io.sluice.testkit.tls.Certificates.Issued;
import io.vertx.core.Vertx;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.security.KeyPairGenerator;
import java.security.cert.Certificate;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import java.util.List;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Files that change under a port with TLS. */
class PortTlsTest {
  private static final TlsFiles.Keys KEYS =
      new TlsFiles.Keys("http.tls.cert_file", "http.tls.key_file");
  private static final Duration LIMIT = Duration.ofSeconds(10);

  /** More than any handshake takes. */
  private static final int FLIGHTS_MAX = 20;

  private static final int LOOKS = 3;
  private static final String REFUSED = "WARN changed certificate is not used";
  private static final String REPLACED = "INFO certificate replaced";

  @TempDir Path folder;
  private final Vertx vertx = Vertx.vertx();
  private final LogWatch log = LogWatch.of(PortTls.class.getName(), Level.INFO);
  private Path certificate;
  private Path key;
  private Certificates authority;
  private Issued second;
  private PortTls unit;

  @BeforeEach
  void open() throws IOException {
    authority = Certificates.foundedIn(folder, "the authority");
    Issued first = authority.issue("first", "first.example");
    second = authority.issue("second", "second.example");
    certificate = Files.copy(first.certificate(), folder.resolve("tls.pem"));
    key = Files.copy(first.key(), folder.resolve("tls.key"));
    TlsFiles files = new TlsFiles(certificate.toString(), key.toString());
    unit = HttpProbe.await(PortTls.open(vertx, files, KEYS));
  }

  @AfterEach
  void close() {
    log.close();
    HttpProbe.await(vertx.close());
  }

  @ParameterizedTest
  @ValueSource(strings = {"the certificate first", "the key first"})
  void shouldServeTheOldPairAndWarnOnceUntilBothFilesFitWhenRotated(String order) throws Exception {
    // given
    boolean isKeyFirst = order.startsWith("the key");

    // when
    rotate(isKeyFirst);
    look();
    String halfway = shown();
    rotate(!isKeyFirst);
    look();

    // then
    assertThat(halfway).isEqualTo("CN=first.example");
    assertThat(shown()).isEqualTo("CN=second.example");
    List<String> lines = log.lines();
    assertThat(lines).hasSize(2);
    assertThat(lines.get(0))
        .startsWith(REFUSED)
        .contains("http.tls.key_file must be the key of the certificate in " + certificate)
        .contains(key + " is not");
    assertThat(lines.get(1)).startsWith(REPLACED).contains("http.tls.cert_file");
  }

  @Test
  void shouldShowWhenTheCertificateThatIsServedExpires() throws Exception {
    // given
    SimpleMeterRegistry registry = new SimpleMeterRegistry();
    unit.measure(new Meters(registry).connections(), "public");
    Files.copy(
        authority.issueExpired("old", "old.example").certificate(),
        certificate,
        StandardCopyOption.REPLACE_EXISTING);

    // when
    look();

    // then
    double expiresS =
        registry.get("sluice_tls_certificate_expires_timestamp_seconds").gauge().value();
    assertThat(expiresS).isGreaterThan(Instant.now().getEpochSecond());
  }

  @Test
  void shouldKeepOutAKeyOfAnotherKindWhenOnlyTheKeyIsRotated() throws Exception {
    // given
    KeyPairGenerator rsa = KeyPairGenerator.getInstance("RSA");
    rsa.initialize(2048);
    byte[] other = rsa.generateKeyPair().getPrivate().getEncoded();

    // when
    Files.writeString(
        key,
        "-----BEGIN PRIVATE KEY-----\n"
            + Base64.getMimeEncoder().encodeToString(other)
            + "\n-----END PRIVATE KEY-----\n");
    look();

    // then
    assertThat(shown()).isEqualTo("CN=first.example");
    assertThat(log.lines()).hasSize(1).allMatch(line -> line.startsWith(REFUSED));
  }

  @Test
  void shouldWarnAgainWhenTheOldPairWasPutBackInBetween() throws Exception {
    // given
    Path old = Files.copy(certificate, folder.resolve("old.pem"));

    // when
    rotate(false);
    look();
    replace(certificate, old);
    look();
    rotate(false);
    look();

    // then
    assertThat(shown()).isEqualTo("CN=first.example");
    assertThat(log.lines()).hasSize(2).allMatch(line -> line.startsWith(REFUSED));
  }

  private void rotate(boolean isKey) throws IOException {
    if (isKey) {
      replace(key, second.key());
    } else {
      replace(certificate, second.certificate());
    }
  }

  private static void replace(Path file, Path content) throws IOException {
    Files.copy(content, file, StandardCopyOption.REPLACE_EXISTING);
  }

  private void look() {
    for (int i = 0; i < LOOKS; i++) {
      HttpProbe.await(unit.look());
    }
  }

  /** What a new caller is shown who trusts the authority. */
  private String shown() throws SSLException {
    SSLEngine engine = authority.client().createSSLEngine();
    engine.setUseClientMode(true);
    EmbeddedChannel caller = new EmbeddedChannel(new SslHandler(engine));
    EmbeddedChannel port = new EmbeddedChannel(unit.handler(ByteBufAllocator.DEFAULT, LIMIT));
    for (int flight = 0; flight < FLIGHTS_MAX; flight++) {
      pass(caller, port);
      pass(port, caller);
    }
    Certificate shown = engine.getSession().getPeerCertificates()[0];
    caller.finishAndReleaseAll();
    port.finishAndReleaseAll();
    return ((X509Certificate) shown).getSubjectX500Principal().getName();
  }

  private static void pass(EmbeddedChannel from, EmbeddedChannel to) {
    for (Object each = from.readOutbound(); each != null; each = from.readOutbound()) {
      to.writeInbound(each);
    }
  }
}
