package io.sluice.sale.outage;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;
import static org.awaitility.Awaitility.await;

import io.sluice.sale.Insistence;
import io.sluice.sale.MetricsPage;
import io.sluice.sale.Newcomers;
import io.sluice.testkit.kafka.KafkaBackend;
import io.sluice.testkit.kafka.Topics;
import io.sluice.testkit.mysql.LedgerReader;
import io.sluice.testkit.register.Moves;
import io.sluice.testkit.site.Answer;
import io.sluice.testkit.site.Buyer;
import io.sluice.testkit.site.Crowd;
import io.sluice.testkit.site.Sale;
import io.sluice.testkit.site.SaleSite;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** The order log is down, or its owners are far behind. */
class LogAwayIT {
  private static final int PER_S = 20;
  private static final int LAG_LIMIT = 300;
  private static final int VISITORS = 20;
  private static final Duration LIMIT = Duration.ofSeconds(60);
  private static final Duration OUTAGE = Duration.ofSeconds(10);

  /** Maximum number of log lines that an instance may write in ten seconds without a broker. */
  private static final int LINES_MAX = 30;

  /** While these rows are locked, no owner can advance. */
  private static final String FENCES = "SELECT * FROM partition_fence FOR UPDATE";

  /** The number of owners' calls that wait for a connection. */
  private static final String OWNERS_WAITING =
      "vertx_pool_queue_pending{pool_name=\"sluice-ledger-owners\",pool_type=\"sql\"}";

  private static final Buyer ALICE = Buyer.named("alice");

  @RegisterExtension
  static final SaleSite site =
      SaleSite.withInstances(1)
          .withFaults()
          .setting("SLUICE_RESERVATION_DIRECT_PER_S", PER_S)
          .setting("SLUICE_KAFKA_LAG_LIMIT", LAG_LIMIT)
          .setting("SLUICE_KAFKA_LAG_ACTION", "direct");

  private final Newcomers newcomers = new Newcomers();

  @BeforeEach
  void awaitLog() {
    site.awaitReady();
    Sale sale = site.sale().withStock(1_000).open();
    await().atMost(LIMIT).until(() -> newcomers.brief(sale).equals("201 RESERVED"));
  }

  @Test
  void shouldServeEveryoneOnceWhenTheBrokerIsSilentForAWhile() {
    // given
    KafkaBackend broker = broker();
    Sale sale = site.sale().withStock(400).open();
    Insistence buyers = Insistence.of(site, sale, 600, VISITORS);
    await().atMost(LIMIT).until(() -> buyers.yeses() > 100);

    // when
    broker.pause();
    try {
      await().atMost(LIMIT).until(() -> briefs(buyers).contains("201 PENDING"));
      await().atMost(LIMIT).until(() -> briefs(buyers).contains("503 busy"));
    } finally {
      broker.resume();
    }

    // then
    assertThat(Crowd.tally(Crowd.await(buyers.done())).keySet())
        .allMatch(brief -> brief.matches("20[01] .*|409 sold-out"));
    assertThat(buyers.tokens()).hasSize(400);
    sale.awaitBooked(buyers.tokens().values());
    site.awaitReady();
  }

  @Test
  @Moves("sluice_booked_duplicates_total")
  void shouldChangeNothingWhenTheWholeLogIsWrittenTwice() {
    // given
    Sale sale = site.sale().withStock(100).withBuckets(4).open();
    List<Answer> answers = site.crowd(VISITORS).send(newcomers.orders(sale, 60));
    await().atMost(LIMIT).until(() -> sale.tokens("PENDING").count() == 60);
    double dead = MetricsPage.value(site, "sluice_ledger_dead_commands_total");

    // when
    List<Topics.Entry> log = site.topics().all(site.ordersTopic());
    log.forEach(entry -> site.topics().write(site.ordersTopic(), entry.partition(), entry.value()));

    // then
    await()
        .atMost(LIMIT)
        .until(
            () -> site.ledger().nextOffsets().equals(site.topics().endOffsets(site.ordersTopic())));
    assertThat(sale.tokens("PENDING"))
        .containsExactlyInAnyOrderElementsOf(Newcomers.yeses(answers));
    assertThat(MetricsPage.value(site, "sluice_ledger_dead_commands_total")).isEqualTo(dead);
  }

  @Test
  void shouldBookDirectlyWithinTheBudgetWhenTheOwnersAreTooFarBehind() {
    // given
    Sale sale = site.sale().withStock(5_000).withBuckets(4).open();
    List<Answer> answers = new ArrayList<>();

    // when
    LedgerReader.Held owners = site.ledger().hold(FENCES);
    try {
      answers.addAll(site.crowd(VISITORS).send(newcomers.orders(sale, 100)));
      await().atMost(LIMIT).until(() -> MetricsPage.value(site, OWNERS_WAITING) > 0);
      await()
          .atMost(LIMIT)
          .until(
              () -> {
                answers.addAll(site.crowd(VISITORS).send(newcomers.orders(sale, 100)));
                return Crowd.tally(answers)
                    .keySet()
                    .containsAll(List.of("201 RESERVED", "201 PENDING", "503 busy"));
              });
    } finally {
      owners.close();
    }

    // then
    assertThat(Crowd.tally(answers)).containsOnlyKeys("201 RESERVED", "201 PENDING", "503 busy");
    sale.awaitBooked(Newcomers.yeses(answers));
    await().atMost(LIMIT).until(() -> newcomers.brief(sale).equals("201 RESERVED"));
  }

  @Test
  void shouldCountAPaymentDeepInTheLogWhenTheOwnersLagBeyondItsTime() {
    // given
    Duration window = Duration.ofSeconds(4);
    Sale sale = site.sale().withStock(500).withPaymentWindow(window).open();
    String booked = sale.order(ALICE).token();
    await().atMost(LIMIT).until(() -> sale.status(ALICE, booked).brief().equals("200 PENDING"));
    long startNs = System.nanoTime();

    // when
    List<Answer> answers;
    LedgerReader.Held owners = site.ledger().hold(FENCES);
    try {
      answers = site.crowd(VISITORS).send(newcomers.orders(sale, 100));
      assertThat(sale.pay(booked).status()).isEqualTo(202);
      Duration lag = window.plusSeconds(3);
      await().atMost(LIMIT).until(() -> System.nanoTime() - startNs > lag.toNanos());
    } finally {
      owners.close();
    }

    // then
    assertThat(Crowd.tally(answers)).containsOnlyKeys("201 RESERVED");
    await().atMost(LIMIT).until(() -> sale.tokens("CONFIRMED").toList().equals(List.of(booked)));
    await()
        .atMost(LIMIT)
        .untilAsserted(
            () ->
                assertThat(sale.tokens("PENDING", "CANCELED"))
                    .containsAll(Newcomers.yeses(answers)));
  }

  @Test
  void shouldWriteLittleAndStayReadyWhenTheBrokerIsAway() {
    // given
    KafkaBackend broker = broker();
    Sale sale = site.sale().withStock(5_000).open();
    site.crowd(VISITORS).send(newcomers.orders(sale, 50));

    // when
    broker.kill();
    long startNs = System.nanoTime();
    int before = lines().size();
    List<String> written;
    Answer readiness;
    try {
      await()
          .atMost(LIMIT)
          .until(
              () -> {
                site.crowd(VISITORS).send(newcomers.orders(sale, 50));
                return System.nanoTime() - startNs > OUTAGE.toNanos();
              });
      readiness = site.instance(0).readiness();
      written = lines().stream().skip(before).collect(Collectors.toList());
    } finally {
      broker.start();
    }

    // then
    assertThat(readiness.status()).isEqualTo(200);
    assertThat(readiness.json().getJsonObject("parts").getJsonObject("kafka").getString("state"))
        .isEqualTo("down");
    assertThat(written).hasSizeLessThanOrEqualTo(LINES_MAX);
    await()
        .atMost(LIMIT)
        .until(() -> site.instance(0).part("kafka").getString("state").equals("up"));
  }

  private static KafkaBackend broker() {
    KafkaBackend broker = site.backends().kafka();
    assumeThat(broker.killable())
        .as("%s was started by the tests, so it can be stopped", broker.describe())
        .isTrue();
    return broker;
  }

  private static List<String> lines() {
    return site.instance(0).log().lines().toList();
  }

  private static List<String> briefs(Insistence buyers) {
    return buyers.heard().stream().map(Answer::brief).toList();
  }
}
