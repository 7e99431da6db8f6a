package io.sluice.sale;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;
import static org.awaitility.Awaitility.await;

import io.sluice.testkit.process.FreePort;
import io.sluice.testkit.process.Workspace;
import io.sluice.testkit.register.Moves;
import io.sluice.testkit.server.ServerOptions;
import io.sluice.testkit.site.Answer;
import io.sluice.testkit.site.Buyer;
import io.sluice.testkit.site.Sale;
import io.sluice.testkit.site.SaleSite;
import io.sluice.testkit.site.SluiceProcess;
import io.sluice.testkit.tls.Certificates;
import io.sluice.testkit.tls.Certificates.Issued;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.ScramCredentialInfo;
import org.apache.kafka.clients.admin.ScramMechanism;
import org.apache.kafka.clients.admin.UserScramCredentialUpsertion;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** A broker that demands TLS, a certificate and a login (SASL_SSL, SCRAM-SHA-512) of Sluice. */
class KafkaLoginIT {
  private static final String PASSWORD = "the-word-of-the-broker";
  private static final String WRONG = "the-word-of-somebody-else";
  private static final int PORT = FreePort.next();
  private static final Path FOLDER = Workspace.root().resolve("kafka-login");
  private static final Certificates AUTHORITY =
      Certificates.foundedIn(FOLDER.resolve("ca"), "the authority");
  private static final Certificates STRANGER =
      Certificates.foundedIn(FOLDER.resolve("stranger"), "the stranger");

  @RegisterExtension
  static final SaleSite site =
      SaleSite.withInstances(0)
          .withFaults()
          .withServersOfItsOwn(demanding(AUTHORITY.issue("broker", "127.0.0.1")));

  private static final Buyer ALICE = Buyer.named("alice");
  private static final Duration LIMIT = Duration.ofSeconds(60);

  /** Long enough for some hundred attempts to connect. */
  private static final Duration WATCHED = Duration.ofSeconds(3);

  @TempDir static Path secrets;
  private static SluiceProcess unit;

  @BeforeAll
  static void start() throws Exception {
    assumeThat(site.backends().kafka().killable()).as("Kafka was started by the tests").isTrue();
    takeLogin(PASSWORD);
    unit = instance("127.0.0.1", properties("sound", AUTHORITY, PASSWORD)).start().awaitReady();
  }

  /** The password that the broker takes from now on, for new connections. */
  private static void takeLogin(String password) throws Exception {
    try (Admin admin =
        Admin.create(Map.of("bootstrap.servers", site.backends().kafka().bootstrapServers()))) {
      var credential = new ScramCredentialInfo(ScramMechanism.SCRAM_SHA_512, 4096);
      admin
          .alterUserScramCredentials(
              List.of(new UserScramCredentialUpsertion("sluice", credential, password)))
          .all()
          .get(LIMIT.toSeconds(), TimeUnit.SECONDS);
    }
  }

  @Test
  void shouldTakeAnOrderFromItsBeginningToItsEndWhenTheBrokerDemandsALogin() {
    // given
    Sale sale = site.sale(site.newSkuId(), unit).withStock(10).open();

    // when
    String token = sale.order(ALICE).token();
    String paid = sale.pay(token).brief();
    String refunded = sale.refund(token).brief();

    // then
    assertThat(paid).isEqualTo("200 CONFIRMED");
    assertThat(refunded).isEqualTo("200 REFUNDED");
    assertThat(unit.log())
        .contains("kafka.properties = ")
        .contains("sasl.jaas.config")
        .doesNotContain(PASSWORD);
  }

  @Test
  void shouldSayWhatIsLessSafeAtTheStartAndInReadyzWhenTheLogIsThatOfOneBroker() {
    // when
    Answer ready = unit.readiness();

    // then
    assertThat(ready.status()).isEqualTo(200);
    assertThat(ready.json().getJsonObject("parts").getJsonObject("kafka").getString("detail"))
        .startsWith("takes records; less safe than a sale needs: ")
        .contains("replication.factor is 1, should be 3");
    assertThat(unit.log().lines())
        .filteredOn(line -> line.contains("order log is less safe than a sale needs"))
        .filteredOn(line -> line.contains("replication.factor is 1, should be 3"))
        .hasSize(1);
  }

  @Test
  @Moves("sluice_log_polls_failed_total")
  void shouldReadOnWhenItsLoginIsTakenAgain() throws Exception {
    // given
    Sale sale = site.sale(site.newSkuId(), unit).withStock(10).open();
    String before = sale.order(ALICE).token();
    await().atMost(LIMIT).until(() -> sale.tokens("PENDING").anyMatch(before::equals));

    // when
    takeLogin(WRONG);
    site.backends().kafka().kill();
    site.backends().kafka().start();
    try {
      await()
          .atMost(LIMIT)
          .until(() -> MetricsPage.of(site, unit).value("sluice_log_polls_failed_total") > 0);
    } finally {
      takeLogin(PASSWORD);
    }

    // then
    await().atMost(LIMIT).until(() -> sale.order(Buyer.named("bob")).isYes());
    await().atMost(LIMIT).until(() -> sale.tokens("PENDING").count() == 2);
  }

  @Test
  void shouldSayWhyInOneLineAndWaitWhenTheConnectionIsRefused() throws Exception {
    // given
    Map<SluiceProcess, String> units = new LinkedHashMap<>();
    units.put(instance("127.0.0.1", properties("word", AUTHORITY, WRONG)), "login refused");
    units.put(
        instance("127.0.0.1", properties("ca", STRANGER, PASSWORD)),
        "tls: certificate not trusted");
    units.put(
        instance("localhost", properties("name", AUTHORITY, PASSWORD)),
        "tls: certificate is for another host name");
    units.put(instance("127.0.0.1", withoutCertificate()), "tls: handshake failed");

    // when
    units.keySet().forEach(SluiceProcess::start);

    // then
    units.forEach(
        (refused, why) ->
            await().atMost(LIMIT).until(() -> refused.readiness().body().contains(why)));
    units.forEach(
        (refused, why) ->
            await()
                .during(WATCHED)
                .atMost(LIMIT)
                .untilAsserted(
                    () ->
                        assertThat(refused.log().lines().filter(line -> line.contains(why)))
                            .hasSize(1)));
    assertThat(units.keySet())
        .allSatisfy(
            refused -> {
              assertThat(refused.log()).doesNotContain(" | at ", PASSWORD, WRONG);
              assertThat(refused.log().lines().filter(line -> line.matches(".* (WARN|ERROR) .*")))
                  .hasSizeLessThan(10);
              assertThat(refused.terminate().code()).isZero();
            });
  }

  /** The broker's settings for one more listener. */
  private static ServerOptions demanding(Issued issued) {
    String listener = "listener.name.demanding.";
    return ServerOptions.none()
        .withKafka("listeners", "DEMANDING://127.0.0.1:" + PORT)
        .withKafka("advertised.listeners", "DEMANDING://127.0.0.1:" + PORT)
        .withKafka("listener.security.protocol.map", "DEMANDING:SASL_SSL")
        .withKafka(listener + "sasl.enabled.mechanisms", "SCRAM-SHA-512")
        .withKafka(
            listener + "scram-sha-512.sasl.jaas.config",
            "org.apache.kafka.common.security.scram.ScramLoginModule required;")
        .withKafka(listener + "ssl.client.auth", "required")
        .withKafka(listener + "ssl.truststore.type", "PKCS12")
        .withKafka(listener + "ssl.truststore.location", AUTHORITY.trustStore().toString())
        .withKafka(listener + "ssl.truststore.password", Certificates.PASSWORD)
        .withKafka(listener + "ssl.keystore.type", "PKCS12")
        .withKafka(listener + "ssl.keystore.location", issued.keyStore().toString())
        .withKafka(listener + "ssl.keystore.password", Certificates.PASSWORD)
        .withKafka(listener + "ssl.key.password", Certificates.PASSWORD);
  }

  private static SluiceProcess instance(String host, Path properties) {
    return site.newInstance(
        Map.of(
            "SLUICE_KAFKA_BOOTSTRAP_SERVERS",
            host + ":" + PORT,
            "SLUICE_KAFKA_PROPERTIES_FILE",
            properties.toString()));
  }

  private static Path properties(String name, Certificates trusted, String password)
      throws IOException {
    Issued shown = AUTHORITY.issue("sluice-" + name, "sluice");
    Path pair = secrets.resolve(name + ".pem");
    Files.writeString(pair, Files.readString(shown.certificate()) + Files.readString(shown.key()));
    return Files.writeString(
        secrets.resolve(name),
        """
        security.protocol=SASL_SSL
        sasl.mechanism=SCRAM-SHA-512
        sasl.jaas.config=org.apache.kafka.common.security.scram.ScramLoginModule required \\
          username="sluice" password="%s";
        ssl.truststore.type=PEM
        ssl.truststore.location=%s
        ssl.keystore.type=PEM
        ssl.keystore.location=%s
        """
            .formatted(password, trusted.ca(), pair));
  }

  private static Path withoutCertificate() throws IOException {
    String whole = Files.readString(properties("bare", AUTHORITY, PASSWORD));
    return Files.writeString(
        secrets.resolve("bare"), whole.replaceAll("ssl\\.keystore\\..*\\R", ""));
  }
}
