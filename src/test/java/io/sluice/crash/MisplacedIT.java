package io.sluice.crash;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.sluice.testkit.kafka.GroupMembers;
import io.sluice.testkit.kafka.Topics;
import io.sluice.testkit.server.Backends;
import io.sluice.testkit.site.Answer;
import io.sluice.testkit.site.Buyer;
import io.sluice.testkit.site.Sale;
import io.sluice.testkit.site.SaleSite;
import io.sluice.testkit.site.SkuIds;
import io.sluice.testkit.site.SluiceProcess;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Records that stand in another partition than their bucket: their commands are sent on. */
class MisplacedIT {
  @RegisterExtension static final SaleSite site = SaleSite.withInstances(1).withFaults();

  private static final Duration LIMIT = Duration.ofSeconds(40);

  /** No order times out during a test. */
  private static final Duration AGES = Duration.ofHours(1);

  private static final int BUCKETS = 8;
  private static final int ORDERS = 32;

  @TempDir static Path folder;

  private static Suspect suspect;
  private static GroupMembers group;

  @BeforeAll
  static void startSuspect() {
    group = new GroupMembers(Backends.shared().kafka().bootstrapServers(), site.group());
    suspect = new Suspect(site, folder, "suspect", Map.of());
  }

  @BeforeEach
  void bringAllUp() {
    suspect.tell(List.of());
    suspect.revive();
    site.awaitReady();
    await().atMost(LIMIT).until(() -> group.owners() == site.instances().size());
  }

  @AfterAll
  static void leave() {
    group.close();
  }

  @Test
  void shouldBookAndPayWhereTheBucketIsWhenEverythingStandsInAnotherPartition() {
    // given
    Sale sale = sale();
    List<String> tokens = booked(sale);
    List<Topics.Entry> log = site.topics().all(site.ordersTopic());

    // when: the grants once more, and a payment of each order
    for (Topics.Entry entry : log) {
      site.topics().write(site.ordersTopic(), elsewhere(entry.partition()), entry.value());
    }
    tokens.forEach(MisplacedIT::payElsewhere);

    // then
    awaitPaidOnce(sale, tokens);
  }

  /** An append that was made and whose offset is not committed is made again by the next owner. */
  @ParameterizedTest
  @ValueSource(strings = {"log.append:before", "log.append:sent", "log.append:after"})
  void shouldLoseNothingWhenItIsKilledAroundTheAppend(String step) {
    // given
    Sale sale = sale();
    List<String> tokens = booked(sale);
    suspect.tell(List.of(Steps.Verb.KILL + " " + step));

    // when
    tokens.forEach(MisplacedIT::payElsewhere);
    await().atMost(LIMIT).until(suspect::isDead);
    suspect.expectKilledAt(step);
    group.evict();

    // then
    awaitPaidOnce(sale, tokens);
  }

  private static void awaitPaidOnce(Sale sale, List<String> tokens) {
    await()
        .atMost(LIMIT)
        .untilAsserted(
            () -> assertThat(sale.tokens("CONFIRMED")).containsExactlyInAnyOrderElementsOf(tokens));
    await()
        .atMost(LIMIT)
        .until(
            () -> site.ledger().nextOffsets().equals(site.topics().endOffsets(site.ordersTopic())));
    assertThat(site.ledger().orders(sale.skuId()))
        .allSatisfy(
            order -> {
              assertThat(order.holds()).isEqualTo(1);
              assertThat(order.confirms()).isEqualTo(1);
            });
    assertThat(site.ledger().count("SELECT COUNT(*) FROM outbox WHERE kind = 'DEAD'")).isZero();
  }

  private static Sale sale() {
    SluiceProcess survivor = site.instance(0);
    return site.sale(SkuIds.spread(site, BUCKETS), survivor)
        .withPaymentWindow(AGES)
        .withStock(1_000)
        .withBuckets(BUCKETS)
        .open();
  }

  private static List<String> booked(Sale sale) {
    List<String> tokens =
        IntStream.range(0, ORDERS)
            .mapToObj(i -> sale.order(Buyer.named("buyer-" + i)))
            .map(Answer::token)
            .toList();
    await()
        .atMost(LIMIT)
        .untilAsserted(
            () -> assertThat(sale.tokens("PENDING")).containsExactlyInAnyOrderElementsOf(tokens));
    return tokens;
  }

  private static void payElsewhere(String token) {
    String[] parts = token.split("\\.");
    long home = site.ledger().partition(Long.parseLong(parts[0]), Integer.parseInt(parts[1]));
    String record =
        "{\"v\":1,\"commands\":[{\"type\":\"CONFIRM\",\"order_token\":\"%s\"}]}".formatted(token);
    site.topics().write(site.ordersTopic(), elsewhere((int) home), record);
  }

  private static int elsewhere(int partition) {
    return (partition + 1) % site.partitions();
  }
}
