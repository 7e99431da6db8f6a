package io.sluice.sale;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.sluice.cli.AdminCommand;
import io.sluice.cli.Streams;
import io.sluice.testkit.register.Moves;
import io.sluice.testkit.site.Answer;
import io.sluice.testkit.site.Buyer;
import io.sluice.testkit.site.Call;
import io.sluice.testkit.site.Sale;
import io.sluice.testkit.site.SaleSite;
import io.sluice.testkit.site.SluiceProcess;
import io.sluice.testkit.tls.Certificates;
import io.sluice.testkit.tls.Certificates.Issued;
import io.vertx.core.Future;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintStream;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicBoolean;
import javax.net.ssl.SSLSession;
import javax.net.ssl.SSLSocket;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Both ports with TLS: what they show, how it is exchanged, and what stops the start. */
class HttpTlsIT {
  @RegisterExtension static final SaleSite site = SaleSite.withInstances(0).withFaults();

  private static final Duration LIMIT = Duration.ofSeconds(30);
  private static final String REFUSED = "changed certificate is not used";
  private static final String REPLACED = "certificate replaced";

  @TempDir static Path folder;
  private static Certificates authority;
  private static Path certificate;
  private static Path key;
  private static SluiceProcess unit;

  @BeforeAll
  static void start() throws IOException {
    authority = Certificates.foundedIn(folder.resolve("ca"), "the authority");
    certificate = folder.resolve("tls.pem");
    key = folder.resolve("tls.key");
    Issued first = authority.issue("first", "127.0.0.1");
    replace(key, first.key());
    replace(certificate, first.certificate());
    unit = site.newInstance(settings(certificate, key)).start().awaitReady();
  }

  @Test
  @Moves("sluice_tls_certificate_expires_timestamp_seconds")
  void shouldServeTheOldPairUntilTheNewOneIsWholeWhenRotatedUnderRequests() throws Exception {
    // given
    Issued second = authority.issue("second", "127.0.0.1");
    Sale sale = site.sale(site.newSkuId(), unit).withStock(100_000).open();
    AtomicBoolean ended = new AtomicBoolean();
    List<Answer> answers = new ArrayList<>();
    Future<Void> buyers = buy(sale, 0, answers, ended);

    // when
    X509Certificate before = shown(unit.url());
    replace(certificate, second.certificate());
    await().atMost(LIMIT).until(() -> count(unit, REFUSED) == 2);
    X509Certificate halfway = shown(unit.url());
    replace(key, second.key());
    await().atMost(LIMIT).until(() -> count(unit, REPLACED) == 2);
    X509Certificate after = shown(unit.url());
    X509Certificate desk = shown(unit.adminUrl());

    // then
    ended.set(true);
    await().atMost(LIMIT).until(buyers::isComplete);
    assertThat(answers).isNotEmpty().allMatch(answer -> answer.brief().equals("201 RESERVED"));
    assertThat(halfway).isEqualTo(before);
    assertThat(after).isNotEqualTo(before).isEqualTo(desk);
    assertThat(unit.log().lines().filter(line -> line.contains(REFUSED)))
        .hasSize(2)
        .allMatch(line -> line.contains("tls.key_file must be the key of the certificate in"))
        .allMatch(line -> line.contains(key.toString()));
    assertThat(sale.pay(answers.get(0).token()).brief()).isEqualTo("200 CONFIRMED");
    assertThat(plain(unit)).isEqualTo("no answer");
  }

  @Test
  void shouldBeReachedFromTheCommandLineByWhoTrustsTheAuthority() {
    // when
    String trusting = command("is-alive", "--ca-file", authority.ca().toString());
    String other = command("is-alive");

    // then
    assertThat(trusting).isEqualTo("0 alive: true\n");
    assertThat(other).startsWith("3 not reached: ").contains("nothing was sent");
  }

  /** The exit code, and all that is printed. */
  private static String command(String... words) {
    List<String> all = new ArrayList<>(List.of(words));
    all.addAll(List.of("--url", unit.adminUrl()));
    ByteArrayOutputStream printed = new ByteArrayOutputStream();
    PrintStream to = new PrintStream(printed, true, StandardCharsets.UTF_8);
    Streams streams = new Streams(InputStream.nullInputStream(), to, to);
    int code = AdminCommand.run(all, Map.of(), streams);
    return code + " " + printed.toString(StandardCharsets.UTF_8);
  }

  @ParameterizedTest
  @ValueSource(strings = {"TLSv1.2", "TLSv1.3"})
  void shouldSpeakThatVersionOnBothPortsWhenTheCallerHasNoOther(String version) throws Exception {
    assertThat(session(unit.url(), version).getProtocol()).isEqualTo(version);
    assertThat(session(unit.adminUrl(), version).getProtocol()).isEqualTo(version);
  }

  @Test
  @Moves("sluice_tls_handshakes_total")
  void shouldShowWhenItsCertificatesExpireAndCountHandshakes() throws Exception {
    // given
    String ok = "sluice_tls_handshakes_total{outcome=\"ok\"}";
    String failed = "sluice_tls_handshakes_total{outcome=\"failed\"}";
    MetricsPage before = MetricsPage.of(site, unit);

    // when
    X509Certificate shown = shown(unit.url());
    String plain = plain(unit);

    // then
    MetricsPage now = MetricsPage.of(site, unit);
    assertThat(plain).isEqualTo("no answer");
    assertThat(now.value(ok)).isGreaterThan(before.value(ok));
    assertThat(now.value(failed)).isGreaterThan(before.value(failed));
    for (String port : List.of("public", "management")) {
      String expires = "sluice_tls_certificate_expires_timestamp_seconds{port=\"" + port + "\"}";
      assertThat(now.value(expires))
          .isEqualTo((double) shown.getNotAfter().toInstant().getEpochSecond());
    }
  }

  @Test
  void shouldNotStartAndNameTheKeyWhenAPairCannotBeServed() throws Exception {
    // given
    Issued sound = authority.issue("whole", "127.0.0.1");
    Issued other = authority.issue("half", "127.0.0.1");
    Issued expired = authority.issueExpired("expired", "127.0.0.1");
    Path missing = folder.resolve("missing");
    Path both = folder.resolve("kafka.pem");
    Files.writeString(both, Files.readString(sound.certificate()) + Files.readString(other.key()));
    String keystore = "security.protocol=SSL\nssl.keystore.type=PEM\nssl.keystore.location=" + both;

    // when
    Map<SluiceProcess, String> refused =
        Map.of(
            with(sound, "SLUICE_HTTP_TLS_KEY_FILE", other.key().toString()),
            "http.tls.key_file must be the key of the certificate in ",
            with(sound, "SLUICE_ADMIN_TLS_CERT_FILE", other.certificate().toString()),
            "admin.tls.key_file must be the key of the certificate in ",
            with(sound, "SLUICE_KAFKA_PROPERTIES", keystore),
            "kafka.properties must hold a certificate with its own key, ",
            with(sound, "SLUICE_HTTP_TLS_KEY_FILE", missing.toString()),
            "http.tls.key_file must be in a file that can be read (" + missing + ")",
            with(expired, "SLUICE_ADMIN_TLS_KEY_FILE", expired.key().toString()),
            "admin.tls.cert_file must be a certificate that is valid now, ");

    // then
    refused.forEach(
        (instance, line) -> {
          assertThat(instance.start().awaitExit().code()).isEqualTo(2);
          assertThat(instance.log().lines().filter(each -> each.startsWith("sluice: ")))
              .hasSize(1)
              .allMatch(each -> each.startsWith("sluice: " + line));
          assertThat(instance.log()).doesNotContain("\tat ", " | at ", "PRIVATE KEY");
        });
  }

  private static SluiceProcess with(Issued pair, String variable, String value) {
    Map<String, String> settings = new TreeMap<>(settings(pair.certificate(), pair.key()));
    settings.put(variable, value);
    return site.newInstance(settings);
  }

  /** Orders one after the other until told to end. */
  private static Future<Void> buy(Sale sale, int turn, List<Answer> answers, AtomicBoolean ended) {
    if (ended.get()) {
      return Future.succeededFuture();
    }
    return sale.ordering(Buyer.named("buyer-" + turn), "", 1)
        .compose(
            answer -> {
              answers.add(answer);
              return buy(sale, turn + 1, answers, ended);
            });
  }

  private static Map<String, String> settings(Path certificate, Path key) {
    return Map.of(
        "SLUICE_HTTP_TLS_CERT_FILE", certificate.toString(),
        "SLUICE_HTTP_TLS_KEY_FILE", key.toString(),
        "SLUICE_ADMIN_TLS_CERT_FILE", certificate.toString(),
        "SLUICE_ADMIN_TLS_KEY_FILE", key.toString());
  }

  private static void replace(Path file, Path content) throws IOException {
    Path fresh = Files.copy(content, folder.resolve("fresh"), StandardCopyOption.REPLACE_EXISTING);
    Files.move(fresh, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
  }

  private static long count(SluiceProcess unit, String line) {
    return unit.log().lines().filter(each -> each.contains(line)).count();
  }

  /** What a new caller is shown who trusts the authority. */
  private static X509Certificate shown(String url) throws IOException {
    SSLSession session = session(url, "TLSv1.2", "TLSv1.3");
    assertThat(session.getProtocol()).isEqualTo("TLSv1.3");
    return (X509Certificate) session.getPeerCertificates()[0];
  }

  private static SSLSession session(String url, String... protocols) throws IOException {
    URI at = URI.create(url);
    try (SSLSocket socket =
        (SSLSocket)
            authority.client().getSocketFactory().createSocket(at.getHost(), at.getPort())) {
      socket.setSoTimeout(Math.toIntExact(LIMIT.toMillis()));
      socket.setEnabledProtocols(protocols);
      socket.startHandshake();
      return socket.getSession();
    }
  }

  private static String plain(SluiceProcess unit) {
    return site.http().ask(Call.get(unit.url().replace("https:", "http:") + "/livez")).brief();
  }
}
