package io.sluice.sale.outage;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;
import static org.awaitility.Awaitility.await;

import io.sluice.model.OrderToken;
import io.sluice.sale.MetricsPage;
import io.sluice.sale.Newcomers;
import io.sluice.testkit.Placements;
import io.sluice.testkit.kafka.KafkaBackend;
import io.sluice.testkit.kafka.KafkaPeer;
import io.sluice.testkit.register.Moves;
import io.sluice.testkit.server.ServerOptions;
import io.sluice.testkit.site.Answer;
import io.sluice.testkit.site.Crowd;
import io.sluice.testkit.site.Sale;
import io.sluice.testkit.site.SaleSite;
import io.sluice.testkit.site.SluiceProcess;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** A partition without a leader stops only itself. */
class DeadPartitionIT {
  @RegisterExtension
  static final SaleSite site =
      SaleSite.withInstances(1)
          .withFaults()
          .withServersOfItsOwn(ServerOptions.none())
          .setting("SLUICE_RESERVATION_DIRECT_PER_S", 50);

  private static final Duration LIMIT = Duration.ofSeconds(60);
  private static final int DEAD = 3;
  private static final int BUCKETS = 16;

  private final Rounds rounds = new Rounds(site);
  private KafkaPeer peer;

  @BeforeEach
  void joinPeer() {
    KafkaBackend kafka = site.backends().kafka();
    assumeThat(kafka.extensible()).as("a second broker can join %s", kafka.describe()).isTrue();
    peer = kafka.startPeer();
  }

  @AfterEach
  void leavePeer() {
    peer.close();
  }

  @Test
  @Moves("sluice_log_partitions_out")
  void shouldSellInAllOthersWhenAPartitionOfTheOrderLogHasNoLeader() {
    // given
    Sale sale = site.sale().withStock(5_000).withBuckets(BUCKETS).open();
    peer.lead(site.ordersTopic(), List.of(DEAD));
    List<Answer> answers = new ArrayList<>(rounds.untilWhole(sale));

    // when
    peer.kill();
    peer.awaitLeaders(false);
    List<Answer> meanwhile = new ArrayList<>();
    SluiceProcess second;
    try {
      await()
          .atMost(LIMIT)
          .until(() -> kafkaDetail().equals("takes records, except in partitions [3]"));
      meanwhile.addAll(rounds.one(sale));
      second = site.newInstance(Map.of()).start().awaitReady();
      meanwhile.addAll(rounds.one(sale.at(second)));
      assertThat(MetricsPage.value(site, "sluice_log_partitions_out")).isEqualTo(1);
    } finally {
      peer.start();
      peer.awaitLeaders(true);
    }

    // then
    List<Answer> yeses = meanwhile.stream().filter(Answer::isYes).toList();
    assertThat(meanwhile.stream().filter(answer -> !answer.isYes()).map(Answer::status))
        .as("the dead partition books no more than the budget allows")
        .hasSizeLessThan(Rounds.SIZE)
        .allMatch(status -> status == 503);
    assertThat(yeses.stream().filter(DeadPartitionIT::isOfOthers).map(Answer::brief))
        .as("yeses of the other partitions: %s", Crowd.tally(meanwhile))
        .hasSizeGreaterThan(Rounds.SIZE / 2)
        .containsOnly("201 RESERVED");
    assertThat(yeses.stream().filter(answer -> !isOfOthers(answer)).map(Answer::brief))
        .isNotEmpty()
        .containsOnly("201 PENDING");
    answers.addAll(meanwhile);
    answers.addAll(rounds.untilWhole(sale));
    await().atMost(LIMIT).until(() -> kafkaDetail().equals("takes records"));
    sale.awaitBooked(Newcomers.yeses(answers));
    assertThat(second.log())
        .as("a leader that is missing is not asked for again and again")
        .contains("Expected a leader of " + site.ordersTopic() + "-" + DEAD)
        .doesNotContain("listOffsets");
    second.terminate();
  }

  @Test
  void shouldStartAndSellWhenPartitionsOfEventsAndDeadLettersHaveNoLeader() {
    // given
    Sale sale = site.sale().withStock(5_000).withBuckets(BUCKETS).open();
    peer.lead(site.eventsTopic(), List.of(0, 1));
    peer.lead(site.ordersTopic() + "-dead", List.of(0, 1, 2, 3));
    rounds.untilWhole(sale);

    // when
    peer.kill();
    peer.awaitLeaders(false);
    List<Answer> meanwhile;
    try {
      site.instance(0).restart();
      meanwhile = rounds.untilWhole(sale);
      assertThat(kafkaDetail()).isEqualTo("takes records");
      sale.awaitBooked(Newcomers.yeses(meanwhile));
    } finally {
      peer.start();
      peer.awaitLeaders(true);
    }

    // then
    await().atMost(LIMIT).until(() -> site.ledger().outboxPending() == 0);
  }

  private static boolean isOfOthers(Answer answer) {
    return partition(answer) != DEAD;
  }

  private static int partition(Answer answer) {
    return Placements.partitionOf(
        OrderToken.parse(answer.token()).orElseThrow().bucketId(), site.partitions());
  }

  /** Without what follows about the safety of the topics, which have one replica here. */
  private static String kafkaDetail() {
    return Rounds.kafkaDetail(site.instance(0)).replaceFirst(";.*", "");
  }
}
