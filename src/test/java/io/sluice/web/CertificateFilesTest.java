package io.sluice.web;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.sluice.config.InvalidConfigException;
import io.sluice.config.TlsFiles;
import io.sluice.testkit.tls.Certificates;
import io.sluice.testkit.tls.Certificates.Issued;
import io.sluice.web.PortTls.CertificateFiles;
import io.vertx.core.Vertx;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;

class CertificateFilesTest {
  private static final TlsFiles.Keys KEYS =
      new TlsFiles.Keys("http.tls.cert_file", "http.tls.key_file");

  @TempDir static Path folder;
  private static Vertx vertx;
  private static Certificates authority;
  private static Issued issued;

  /** What is wrong with a pair: the key that is named, and how its sentence goes on. */
  private record Fault(TlsFiles files, String key, String sentence) {}

  @BeforeAll
  static void issue() {
    vertx = Vertx.vertx();
    authority = Certificates.foundedIn(folder, "the authority");
    issued = authority.issue("shop", "shop.example");
  }

  @AfterAll
  static void close() {
    HttpProbe.await(vertx.close());
  }

  @Test
  void shouldTellWhenItExpiresWhenThePairFits() {
    // given
    CertificateFiles unit = unit(files(issued.certificate(), issued.key()), Instant.now());

    // when
    Instant expires = unit.check(unit.read());

    // then
    assertThat(expires).isAfter(Instant.now());
  }

  @TestFactory
  Stream<DynamicTest> shouldNameTheKeyAndThePathWhenThePairCannotBeServed() throws IOException {
    return faults().entrySet().stream()
        .map(row -> DynamicTest.dynamicTest(row.getKey(), () -> check(row.getValue())));
  }

  @Test
  void shouldRefuseACertificateWhenItsTimeHasNotBegun() {
    // given
    CertificateFiles unit =
        unit(files(issued.certificate(), issued.key()), Instant.now().minus(Duration.ofDays(400)));

    // when
    InvalidConfigException fault =
        catchThrowableOfType(InvalidConfigException.class, () -> unit.check(unit.read()));

    // then
    assertThat(fault).hasMessageContaining("valid now").hasMessageContaining("begins at");
  }

  private static void check(Fault row) {
    // given
    CertificateFiles unit = unit(row.files(), Instant.now());

    // when
    InvalidConfigException fault =
        catchThrowableOfType(InvalidConfigException.class, () -> unit.check(unit.read()));

    // then
    assertThat(fault.key()).isEqualTo(row.key());
    assertThat(fault.getMessage())
        .startsWith(row.key() + " must be ")
        .contains(row.sentence())
        .doesNotContain("\n", "PRIVATE", "Exception");
  }

  private static Map<String, Fault> faults() throws IOException {
    Issued other = authority.issue("other", "shop.example");
    Issued old = authority.issueExpired("old", "shop.example");
    Path text = Files.writeString(folder.resolve("text.pem"), "a secret that is no key");
    Path large = Files.write(folder.resolve("large.pem"), new byte[300 * 1024]);
    Path missing = folder.resolve("missing.pem");
    String cert = KEYS.certFile();
    String key = KEYS.keyFile();
    Map<String, Fault> rows = new LinkedHashMap<>();
    rows.put(
        "no certificate", new Fault(files(missing, issued.key()), cert, "read (" + missing + ")"));
    rows.put(
        "no key", new Fault(files(issued.certificate(), missing), key, "read (" + missing + ")"));
    rows.put("a folder", new Fault(files(folder, issued.key()), cert, "read (" + folder + ")"));
    rows.put("too large", new Fault(files(large, issued.key()), cert, "bytes (" + large + ")"));
    rows.put("no PEM", new Fault(files(text, issued.key()), cert, text + " is not"));
    rows.put("no PEM key", new Fault(files(issued.certificate(), text), key, text + " is not"));
    rows.put(
        "a certificate as key",
        new Fault(files(issued.certificate(), issued.certificate()), key, "is not"));
    rows.put(
        "another's key",
        new Fault(
            files(issued.certificate(), other.key()),
            key,
            "the key of the certificate in %s, %s is not"
                .formatted(issued.certificate(), other.key())));
    rows.put("expired", new Fault(files(old.certificate(), old.key()), cert, " expired at "));
    return rows;
  }

  private static TlsFiles files(Path certificate, Path key) {
    return new TlsFiles(certificate.toString(), key.toString());
  }

  private static CertificateFiles unit(TlsFiles files, Instant now) {
    return new CertificateFiles(vertx, files, KEYS, () -> now);
  }
}
