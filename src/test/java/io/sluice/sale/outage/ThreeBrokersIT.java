package io.sluice.sale.outage;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;
import static org.awaitility.Awaitility.await;

import io.sluice.sale.Newcomers;
import io.sluice.testkit.kafka.KafkaBackend;
import io.sluice.testkit.kafka.KafkaPeer;
import io.sluice.testkit.server.ServerOptions;
import io.sluice.testkit.site.Answer;
import io.sluice.testkit.site.Buyer;
import io.sluice.testkit.site.Sale;
import io.sluice.testkit.site.SaleSite;
import io.sluice.testkit.site.SluiceProcess;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** The topics that Sluice creates on three brokers: one of them can be lost, of two no yes. */
class ThreeBrokersIT {
  @RegisterExtension
  static final SaleSite site =
      SaleSite.withInstances(0)
          .withFaults()
          .withServersOfItsOwn(
              ServerOptions.none().withKafka("offsets.topic.replication.factor", "3"));

  private static final Duration LIMIT = Duration.ofSeconds(60);
  private static final int BUCKETS = 16;

  /** Longer than the brokers take to notice that one of them is gone. */
  private static final Duration WINDOW = Duration.ofSeconds(20);

  private static final List<KafkaPeer> PEERS = new ArrayList<>();

  private final Rounds rounds = new Rounds(site);

  @BeforeAll
  static void joinPeers() {
    KafkaBackend kafka = site.backends().kafka();
    assumeThat(kafka.extensible()).as("brokers can join %s", kafka.describe()).isTrue();
    PEERS.add(kafka.startPeer(2));
    PEERS.add(kafka.startPeer(3));
  }

  /** Not after each test: the promises are checked on what all brokers have. */
  @AfterAll
  static void leavePeers() {
    site.instances().forEach(SluiceProcess::close);
    PEERS.forEach(KafkaPeer::close);
  }

  @Test
  void shouldSellWithoutOneBrokerAndRecordNoOrderOnTheLastOneAlone() {
    // given
    KafkaPeer second = PEERS.get(0);
    KafkaPeer third = PEERS.get(1);
    SluiceProcess instance = site.newInstance(Map.of()).start().awaitReady();
    Sale sale = site.sale().withStock(5_000).withBuckets(BUCKETS).open();
    Sale brief = site.sale().withStock(10).withPaymentWindow(WINDOW).open();
    List<Answer> answers = new ArrayList<>(rounds.untilWhole(sale));
    String detail = Rounds.kafkaDetail(instance);

    // when
    second.kill();
    List<Answer> withTwo = rounds.untilWhole(sale);
    String unpaid = brief.order(Buyer.named("alice")).token();
    third.kill();
    long startNs = System.nanoTime();
    await().atMost(LIMIT).until(() -> recorded(rounds.one(sale)).isEmpty());
    List<Answer> withOne = rounds.one(sale);
    await()
        .atMost(WINDOW.multipliedBy(3))
        .until(() -> System.nanoTime() - startNs > WINDOW.multipliedBy(2).toNanos());
    int refused = brief.pay(unpaid).status();
    third.start();
    await().atMost(LIMIT).until(() -> brief.pay(unpaid).status() == 200);
    List<Answer> withTwoAgain = rounds.untilWhole(sale);
    second.start();
    answers.addAll(rounds.untilWhole(sale));

    // then
    assertThat(detail).as("less safe than a sale needs").isEqualTo("takes records");
    assertThat(refused).as("a payment that no log can take").isEqualTo(503);
    assertThat(recorded(withOne)).isEmpty();
    assertThat(withOne)
        .as("booked past the log")
        .allMatch(each -> each.isYes() || each.status() == 503);
    List.of(withTwo, withOne, withTwoAgain).forEach(answers::addAll);
    sale.awaitBooked(Newcomers.yeses(answers));
  }

  /** Those that were granted in the log; the others are booked in the ledger, past it. */
  private static List<Answer> recorded(List<Answer> answers) {
    return answers.stream().filter(answer -> answer.brief().equals("201 RESERVED")).toList();
  }
}
