package io.sluice.orderlog.kafka;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.sluice.config.InvalidConfigException;
import io.sluice.config.KafkaProperties;
import io.sluice.testkit.tls.Certificates;
import io.sluice.testkit.tls.Certificates.Issued;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.stream.Stream;
import org.apache.kafka.common.security.ssl.DefaultSslEngineFactory;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;

class ClientCertificateTest {
  private static final String REFUSED =
      "kafka.properties must hold a certificate with its own key, these do not belong together: ";

  @TempDir static Path folder;
  private static Issued ours;
  private static Issued other;

  @BeforeAll
  static void issue() {
    Certificates authority = Certificates.foundedIn(folder, "the authority");
    ours = authority.issue("ours", "sluice");
    other = authority.issue("other", "sluice");
  }

  @TestFactory
  Stream<DynamicTest> shouldAcceptAKeyStoreWhenItHoldsAPairOrNothing() throws IOException {
    Map<String, Map<String, String>> rows = new LinkedHashMap<>();
    rows.put("none", Map.of("security.protocol", "SSL"));
    rows.put("plain text", Map.of("ssl.keystore.location", "missing"));
    rows.put("PEM", file(ours));
    rows.put("PEM values", values(ours));
    rows.put(
        "PKCS12",
        Map.of(
            "security.protocol",
            "SSL",
            "ssl.keystore.type",
            "PKCS12",
            "ssl.keystore.location",
            ours.keyStore().toString(),
            "ssl.keystore.password",
            Certificates.PASSWORD));
    rows.put(
        "of its own engine",
        with(values(other), "ssl.engine.factory.class", DefaultSslEngineFactory.class.getName()));
    return rows.entrySet().stream()
        .map(
            row ->
                DynamicTest.dynamicTest(
                    row.getKey(), () -> assertThat(fault(row.getValue())).isNull()));
  }

  @TestFactory
  Stream<DynamicTest> shouldNameThePropertiesWhenAKeyIsOfAnotherCertificate() throws IOException {
    return Map.of(
            "ssl.keystore.location, ssl.keystore.type", file(other),
            "ssl.keystore.certificate.chain, ssl.keystore.key, ssl.keystore.type", values(other))
        .entrySet()
        .stream()
        .map(
            row ->
                DynamicTest.dynamicTest(
                    row.getKey(),
                    () ->
                        assertThat(fault(row.getValue()))
                            .isInstanceOf(InvalidConfigException.class)
                            .hasMessage(REFUSED + row.getKey())));
  }

  private static Throwable fault(Map<String, String> values) {
    Map<String, Object> settings = new HashMap<>(values);
    settings.put("bootstrap.servers", "127.0.0.1:1");
    return catchThrowable(() -> PropertyCheck.certificate(new KafkaProperties(values), settings));
  }

  /** One file with our certificate and the key of this one. */
  private static Map<String, String> file(Issued key) throws IOException {
    Path both = folder.resolve("both-" + key.key().getFileName());
    Files.writeString(both, Files.readString(ours.certificate()) + Files.readString(key.key()));
    return Map.of(
        "security.protocol", "SSL",
        "ssl.keystore.type", "PEM",
        "ssl.keystore.location", both.toString());
  }

  private static Map<String, String> values(Issued key) throws IOException {
    return Map.of(
        "security.protocol",
        "SASL_SSL",
        "ssl.keystore.type",
        "PEM",
        "ssl.keystore.certificate.chain",
        Files.readString(ours.certificate()),
        "ssl.keystore.key",
        Files.readString(key.key()));
  }

  private static Map<String, String> with(Map<String, String> values, String name, String value) {
    Map<String, String> all = new HashMap<>(values);
    all.put(name, value);
    return all;
  }
}
