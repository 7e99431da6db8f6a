package io.sluice.sale;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;
import static org.awaitility.Awaitility.await;

import io.sluice.testkit.redis.RedisBackend;
import io.sluice.testkit.redis.RedisCluster;
import io.sluice.testkit.site.Answer;
import io.sluice.testkit.site.Crowd;
import io.sluice.testkit.site.Sale;
import io.sluice.testkit.site.SaleSite;
import io.sluice.testkit.site.SluiceProcess;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import java.util.function.LongPredicate;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * Sales on a Redis Cluster of three primaries with a replica each, which takes writes only while it
 * follows. The cluster decides its fail-overs itself.
 */
class ClusterIT {
  @RegisterExtension
  static final SaleSite site =
      SaleSite.withInstances(0).withFaults().setting("SLUICE_KAFKA_PARTITIONS", 12);

  private static final Duration LIMIT = Duration.ofSeconds(90);
  private static final int BUYERS = 1_000;
  private static final int VISITORS = 8;
  private static final int PRIMARIES = 3;

  private static RedisCluster cluster;

  @BeforeAll
  static void startCluster() {
    RedisBackend kin = site.backends().redis();
    assumeThat(kin.clusterable()).as("clusters of %s", kin.describe()).isTrue();
    cluster = RedisCluster.of(kin, PRIMARIES, 1);
    site.stock().readFrom(partition -> cluster.primaryOf(partition).uri());
    for (int i = 0; i < 2; i++) {
      site.newInstance(cluster.settings()).start();
    }
    site.awaitReady();
  }

  @AfterAll
  static void endAll() {
    site.instances().forEach(SluiceProcess::close);
    if (cluster != null) {
      cluster.close();
    }
  }

  @BeforeEach
  void awaitWhole() {
    cluster.awaitWhole();
  }

  @Test
  void shouldSellASkuOfManyBucketsOverAllPrimaries() {
    // given
    Sale sale = site.sale().withStock(64 * 50).withBuckets(64).open();

    // when
    Insistence buyers = Insistence.of(site, sale, BUYERS, VISITORS);

    // then
    assertThatAllHaveTheirOrder(sale, buyers);
    assertThat(cluster.nodes().stream().filter(node -> isPrimaryWith(node, sale)))
        .hasSize(PRIMARIES);
    assertThat(buyers.heard()).noneMatch(ClusterIT::isUnavailable);
  }

  @Test
  void shouldSellOnWhereAPrimaryIsKilledAndNoOtherPartitionMayNotice() {
    // given
    Sale sale = saleAt(ClusterIT::hasReplica);
    RedisBackend primary = primaryOf(sale);
    Sale elsewhere = saleAt(node -> node != primary);
    RedisBackend replica = cluster.replicaOf(primary);
    Insistence buyers = inTheMiddleOf(sale);
    Insistence others = inTheMiddleOf(elsewhere);

    // when
    primary.kill();
    cluster.awaitPromotion(replica);
    primary.start();

    // then
    assertThatAllHaveTheirOrder(sale, buyers);
    assertThatNobodyNoticed(elsewhere, others);
    assertThat(buyers.heard()).anyMatch(ClusterIT::isUnavailable);
    assertThat(primaryOf(sale)).isSameAs(replica);
  }

  @Test
  void shouldBelieveTheSuccessorOfAPrimaryThatTheOthersHaveReplaced() {
    // given
    Sale sale = saleAt(ClusterIT::hasReplica);
    RedisBackend primary = primaryOf(sale);
    Sale elsewhere = saleAt(node -> node != primary);
    Insistence buyers = inTheMiddleOf(sale);
    Insistence others = inTheMiddleOf(elsewhere);

    // when
    RedisBackend successor = cluster.isolate(primary);

    // then
    await().atMost(LIMIT).until(() -> primary.goodReplicas() == 0);
    assertThat(primary.administer("ROLE")).as("still believes to be one").isEqualTo("*3");
    cluster.reunite(primary);
    assertThatAllHaveTheirOrder(sale, buyers);
    assertThatNobodyNoticed(elsewhere, others);
    assertThat(primaryOf(sale)).isSameAs(successor);
  }

  @Test
  void shouldSellOnWhileSlotsAreMoved() {
    // given
    Sale sale = site.sale().withStock(3 * BUYERS).withBuckets(4).open();
    Set<Long> moved =
        IntStream.range(0, 4).mapToObj(n -> partitionOf(sale, n)).collect(Collectors.toSet());
    Sale elsewhere = saleIn(partition -> !moved.contains(partition));
    Insistence buyers = inTheMiddleOf(sale);
    Insistence others = inTheMiddleOf(elsewhere);

    // when
    for (long partition : moved) {
      cluster.move(partition, cluster.primaryOtherThan(cluster.primaryOf(partition)));
    }

    // then
    assertThatAllHaveTheirOrder(sale, buyers);
    assertThatNobodyNoticed(elsewhere, others);
  }

  @Test
  void shouldSellOnWhereAPrimaryIsAddedAndTakesTheSlot() {
    // given
    Sale sale = saleAt(node -> true);
    long moved = partitionOf(sale, 0);
    Sale elsewhere = saleIn(partition -> partition != moved);
    Insistence buyers = inTheMiddleOf(sale);
    Insistence others = inTheMiddleOf(elsewhere);

    // when
    RedisBackend added = cluster.add();
    cluster.move(moved, added);

    // then
    assertThatAllHaveTheirOrder(sale, buyers);
    assertThatNobodyNoticed(elsewhere, others);
    assertThat(cluster.keysOf(sale.skuId(), added)).isPositive();
  }

  /** A sale of one bucket whose partition is at such a primary. */
  private static Sale saleAt(Predicate<RedisBackend> wanted) {
    return saleIn(partition -> wanted.test(cluster.primaryOf(partition)));
  }

  /** A sale of one bucket in such a partition. */
  private static Sale saleIn(LongPredicate wanted) {
    Sale sale;
    do {
      sale = site.sale(site.newSkuId()).withStock(2 * BUYERS).open();
    } while (!wanted.test(partitionOf(sale, 0)));
    return sale;
  }

  private static long partitionOf(Sale sale, int bucket) {
    return site.ledger().partition(sale.skuId(), bucket);
  }

  private static RedisBackend primaryOf(Sale sale) {
    return cluster.primaryOf(partitionOf(sale, 0));
  }

  private static boolean hasReplica(RedisBackend primary) {
    return primary.goodReplicas() > 0;
  }

  private static boolean isPrimaryWith(RedisBackend node, Sale sale) {
    return node.administer("ROLE").equals("*3")
        && node.goodReplicas() > 0
        && cluster.keysOf(sale.skuId(), node) > 0;
  }

  private static boolean isUnavailable(Answer answer) {
    return answer.brief().equals("503 unavailable");
  }

  private static Insistence inTheMiddleOf(Sale sale) {
    Insistence buyers = Insistence.of(site, sale, BUYERS, VISITORS);
    await().atMost(LIMIT).until(() -> buyers.yeses() > BUYERS / 10);
    return buyers;
  }

  private static void assertThatAllHaveTheirOrder(Sale sale, Insistence buyers) {
    Map<String, Long> last = Crowd.tally(Crowd.await(buyers.done()));
    assertThat(last.keySet()).allMatch(brief -> brief.matches("20[01] .*"));
    assertThat(buyers.yeses()).isEqualTo(BUYERS);
    sale.awaitBooked(buyers.tokens().values());
  }

  /** The fault is in other partitions. */
  private static void assertThatNobodyNoticed(Sale elsewhere, Insistence others) {
    assertThatAllHaveTheirOrder(elsewhere, others);
    assertThat(others.heard()).noneMatch(ClusterIT::isUnavailable);
  }
}
