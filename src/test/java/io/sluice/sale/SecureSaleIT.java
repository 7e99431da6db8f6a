package io.sluice.sale;

import static io.sluice.testkit.tls.SecureServers.HOST;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import io.sluice.testkit.site.Answer;
import io.sluice.testkit.site.Buyer;
import io.sluice.testkit.site.Sale;
import io.sluice.testkit.site.SaleSite;
import io.sluice.testkit.site.SluiceProcess;
import io.sluice.testkit.tls.SecureServers;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Redis and the database demand TLS and a login. Their books are not those that the site reads. */
class SecureSaleIT {
  @RegisterExtension
  static final SaleSite site = SaleSite.withInstances(0).withTamperedBooks().withFaults();

  private static final Duration LIMIT = Duration.ofSeconds(20);
  private static final Buyer ALICE = Buyer.named("alice");
  private static final Buyer BOB = Buyer.named("bob");
  private static final String PASSWORD = "canary-4c1d";

  private static SecureServers servers;
  private static String mysqlUri;

  @BeforeAll
  static void startServers() {
    servers = new SecureServers();
    servers.addRedisUser("sluice", PASSWORD);
    mysqlUri = servers.mysqlUri(HOST, PASSWORD);
  }

  @AfterAll
  static void stopServers() {
    servers.close();
  }

  @Test
  void shouldSellWithNothingMoreThanTheDocumentedRights() {
    // given
    SluiceProcess instance = site.newInstance(connections(PASSWORD, servers.ca()));
    instance.start().awaitReady();
    Sale sale = site.sale().withStock(1).withLimit(1).open();

    // when
    String token = sale.order(ALICE).token();
    Answer soldOut = sale.order(BOB);
    Answer paid = sale.pay(token);
    Answer refunded = sale.refund(token);
    await().atMost(LIMIT).until(() -> sale.order(BOB).status() == 201);
    Answer restocked = sale.restock("more", 2);
    Answer taken = sale.restock("less", -1);
    Answer rebuilt = sale.rebuild();
    Answer again = sale.order(Buyer.named("carol"));
    String forbidden = servers.redis().administer("ACL LOG");
    instance.terminate();

    // then
    assertThat(soldOut.brief()).isEqualTo("409 sold-out");
    assertThat(paid.brief()).isEqualTo("200 CONFIRMED");
    assertThat(refunded.brief()).isEqualTo("200 REFUNDED");
    assertThat(List.of(restocked, taken, rebuilt)).allMatch(Answer::isYes);
    assertThat(again.status()).isEqualTo(201);
    assertThat(forbidden).as("what the rule lacks, as an array").isEqualTo("*0");
    assertThat(instance.log().lines())
        .filteredOn(line -> line.matches(".*\\b(WARN|ERROR)\\b.*"))
        .allMatch(line -> line.matches(".*(unsafe default in use|less safe than a sale).*"));
    assertThat(instance.log()).contains("***").doesNotContain("canary");
  }

  /** Redis is asked once the ledger has told its id. */
  static List<Arguments> wrongConnections() {
    return List.of(
        arguments(
            "mysql",
            "login refused",
            "Access denied for user",
            connections("canary-wrong", servers.ca())),
        arguments(
            "redis",
            "tls: certificate not trusted",
            "",
            connections(PASSWORD, servers.foreignCa())));
  }

  @ParameterizedTest
  @MethodSource("wrongConnections")
  void shouldTellWhyInAFewWordsAndNoSecretWhenItCannotConnect(
      String part, String reason, String cause, Map<String, String> connections) {
    // given
    SluiceProcess instance = site.newInstance(connections);

    // when
    instance.start();
    await().atMost(LIMIT).until(() -> instance.readiness().body().contains(reason));
    Answer shown = instance.readiness();
    instance.terminate();

    // then
    assertThat(shown.status()).isEqualTo(503);
    assertThat(detail(shown, part)).isEqualTo(reason);
    assertThat(shown.body()).doesNotContain("canary").doesNotContain(HOST);
    assertThat(instance.log())
        .contains("reason=\"" + reason + "\"")
        .contains(cause)
        .doesNotContain("canary")
        .doesNotContain("\tat ")
        .doesNotContain(" | at ");
  }

  private static String detail(Answer readiness, String part) {
    return readiness.json().getJsonObject("parts").getJsonObject(part).getString("detail");
  }

  private static Map<String, String> connections(String password, Path redisCa) {
    Map<String, String> settings = new TreeMap<>();
    settings.put("SLUICE_REDIS_URI", servers.redisUri(HOST, "sluice:" + PASSWORD));
    settings.put("SLUICE_REDIS_CA_FILE", redisCa.toString());
    // A cold JVM on a busy machine needs longer for its first handshake.
    settings.put("SLUICE_REDIS_TIMEOUT_MS", "10000");
    settings.put("SLUICE_MYSQL_URI", mysqlUri.replace(PASSWORD, password));
    settings.put("SLUICE_MYSQL_TLS", "verify");
    settings.put("SLUICE_MYSQL_CA_FILE", servers.ca().toString());
    return settings;
  }
}
