package io.sluice.stock.redis;

import static io.sluice.contract.StockUnderTest.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.sluice.config.RedisConfig;
import io.sluice.model.BucketId;
import io.sluice.model.SkuSettings;
import io.sluice.monitor.ConnectFault;
import io.sluice.monitor.ConnectFault.ConnectFailure;
import io.sluice.stock.BucketCode;
import io.sluice.stock.OpenBuckets;
import io.sluice.stock.StockStore;
import io.sluice.stock.StockUnavailableException;
import io.sluice.testkit.redis.AclRule;
import io.sluice.testkit.redis.RedisBackend;
import io.sluice.testkit.server.Backends;
import io.vertx.core.Future;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The router of a cluster of three primaries: each call goes where its partition is now. */
class ClusterStockIT {
  private static final Duration SOON = Duration.ofSeconds(30);
  private static final int PARTITIONS = 12;

  private static ClusterUnderTest redis;
  private ClusterStock unit;

  @BeforeAll
  static void startCluster() {
    redis = new ClusterUnderTest();
  }

  @AfterAll
  static void endCluster() {
    if (redis != null) {
      redis.close();
    }
  }

  @BeforeEach
  void connect() {
    redis.cluster.awaitWhole();
    unit = new ClusterStock(redis.vertx, redis.connector(), redis.meters);
    await(redis.loop.call(unit::start));
  }

  @AfterEach
  void disconnect() {
    if (unit != null) {
      await(redis.loop.call(unit::close));
    }
  }

  @Test
  void shouldReachAllPartitionsThroughOneSeed() {
    // when
    List<BucketCode> codes = codesOfAll();

    // then
    assertThat(codes).hasSize(PARTITIONS).containsOnly(BucketCode.ABSENT);
    assertThat(IntStream.range(0, PARTITIONS).mapToObj(redis.cluster::primaryOf).distinct())
        .hasSize(3);
    assertThat(unit.outage()).isEmpty();
    assertThat(await(redis.loop.call(unit::clocks))).hasSize(3);
    assertThat(await(redis.loop.call(unit::memory)).usedBytes()).isPositive();
  }

  /** It raises buckets of its own SKUs alone, but looks at those that ask it for units. */
  @Test
  void shouldReachAnyPartitionFromTheConnectionOfAnOwner() {
    // given
    var ofOwner = new ClusterStock(redis.vertx, redis.connector(), redis.meters);
    await(redis.loop.call(() -> ofOwner.startFor(0)));
    int elsewhere =
        IntStream.range(1, PARTITIONS)
            .filter(partition -> !primaryIs(redis.cluster.primaryOf(0), partition))
            .findFirst()
            .orElseThrow();
    StockStore stock = redis.loop.wrap(ofOwner.at(elsewhere));

    // then
    assertThat(await(redis.loop.call(ofOwner::clocks))).hasSize(1);
    await()
        .atMost(SOON)
        .ignoreExceptions()
        .until(
            () ->
                await(stock.snapshot(new BucketId(1, 0), List.of(), 0)).code()
                    == BucketCode.ABSENT);
    assertThat(await(redis.loop.call(ofOwner::clocks))).hasSize(2);
    await(redis.loop.call(ofOwner::close));
  }

  @Test
  void shouldFindALoadedBucketLostWhereItsSlotHasMovedWithItsKeys() {
    // given
    int partition = 3;
    BucketId bucket = open(partition);
    RedisBackend source = redis.cluster.primaryOf(partition);
    RedisBackend target = otherThan(source);
    String history = await(on(partition).history());

    // when
    redis.cluster.move(partition, target);

    // then
    await().atMost(SOON).ignoreExceptions().until(() -> code(partition, bucket) == BucketCode.LOST);
    assertThat(await(on(partition).history())).isNotEqualTo(history);
    redis.cluster.move(partition, source);
    await().atMost(SOON).ignoreExceptions().until(() -> code(partition, bucket) == BucketCode.OK);
  }

  @Test
  void shouldFailOnlyTheCallsOfPartitionsWhosePrimaryIsGone() {
    // given
    RedisBackend gone = redis.cluster.primaryOf(0);

    // when
    gone.kill();

    // then
    await().atMost(SOON).until(() -> !unit.outage().isEmpty());
    for (int partition = 0; partition < PARTITIONS; partition++) {
      boolean isGone = primaryIs(gone, partition);
      assertThat(fails(partition)).as("partition %d", partition).isEqualTo(isGone);
    }
    assertThat(unit.isUp()).isTrue();
    assertThat(unit.outage()).contains(gone.uri().substring("redis://".length()));
    assertThat(await(redis.loop.call(unit::clocks))).hasSize(2);
    gone.start();
    await().atMost(SOON).until(() -> !fails(0));
  }

  @Test
  void shouldFailOnlyTheCallsOfPartitionsWhoseSlotNoPrimaryHas() {
    // given
    int partition = 5;
    RedisBackend owner = redis.cluster.primaryOf(partition);

    // when
    redis.cluster.drop(partition);

    // then
    await().atMost(SOON).until(() -> fails(partition));
    await().atMost(SOON).until(() -> unit.outage().equals("1 of 16384 slots have no primary"));
    for (int other = 0; other < PARTITIONS; other++) {
      assertThat(fails(other)).isEqualTo(other == partition);
    }
    await(RedisStock.probe(redis.connector()));
    redis.cluster.give(partition, owner);
    await().atMost(SOON).until(() -> !fails(partition));
  }

  @Test
  void shouldStartWhereTheFirstSeedAndAPrimaryAreGone() {
    // given
    RedisBackend gone = redis.cluster.nodes().get(1);
    RedisConnector connector =
        redis.connector(List.of(gone.uri(), redis.cluster.nodes().get(2).uri()));
    gone.kill();

    // when
    Future<Void> probe = redis.loop.call(() -> RedisStock.probe(connector));

    // then
    await(probe);
    gone.start();
  }

  @ParameterizedTest
  @CsvSource({
    "cluster-require-full-coverage, yes, no",
    "maxmemory-policy, allkeys-lru, noeviction"
  })
  void shouldNameTheNodeThatIsNotFit(String setting, String value, String wanted) {
    // given
    RedisBackend odd = redis.cluster.nodes().get(1);
    odd.configure(setting, value);

    // when
    Throwable failure = failureOf(redis.connector());

    // then
    odd.configure(setting, wanted);
    assertThat(failure)
        .hasMessage(
            "node %s: Expected Redis setting %s to be %s, but it is %s",
            odd.uri().substring("redis://".length()), setting, wanted, value);
    assertThat(((ConnectFailure) failure).connectFault()).isEqualTo(ConnectFault.UNFIT);
  }

  /** Each has buckets of its own, and may be emptied or replaced alone. */
  @Test
  void shouldFailOnlyTheCallsOfThePrimaryThatNamesAnotherLedger() {
    // given
    String ours = "0a1b2c3d4e5f";
    RedisBackend odd = redis.cluster.primaryOf(0);
    await(redis.loop.call(unit::close));
    unit = new ClusterStock(redis.vertx, redis.connector().of(ours), redis.meters);
    await(redis.loop.call(unit::start));
    List<List<String>> marks =
        redis.cluster.nodes().stream().map(node -> node.keys("stock:{p*}:ledger")).toList();
    String mark = odd.keys("stock:{p*}:ledger").get(0);

    // when
    odd.administer("HSET " + mark + " id f5e4d3c2b1a0");

    // then
    assertThat(marks).allSatisfy(each -> assertThat(each).hasSize(1));
    await().atMost(SOON).until(() -> fails(0));
    for (int partition = 0; partition < PARTITIONS; partition++) {
      assertThat(fails(partition)).isEqualTo(primaryIs(odd, partition));
    }
    assertThat(failureOf(redis.connector().of(ours)))
        .hasMessageStartingWith("node %s: ", odd.uri().substring("redis://".length()))
        .hasMessageContaining("its key " + mark + " names ledger f5e4d3c2b1a0");
    redis
        .cluster
        .nodes()
        .forEach(
            node -> node.keys("stock:{p*}:ledger").forEach(key -> node.administer("DEL " + key)));
    await().atMost(SOON).until(() -> !fails(0));
  }

  @Test
  void shouldNotTakeARedisOfItsOwnForACluster() {
    // given
    RedisBackend own = Backends.shared().redis();

    // when
    Throwable failure = failureOf(redis.connector(List.of(own.uri())));

    // then
    assertThat(failure).hasMessage(RedisSettings.NOT_A_NODE);
    assertThat(((ConnectFailure) failure).connectFault()).isEqualTo(ConnectFault.UNFIT);
  }

  @Test
  void shouldNotTakeANodeForARedisOfItsOwn() {
    // given
    String uri = redis.cluster.nodes().get(0).uri();
    RedisConnector connector =
        new RedisConnector(redis.vertx, RedisConfig.standalone(uri, 2_000, 0, ""));

    // when
    Throwable failure = failureOf(connector);

    // then
    assertThat(failure).hasMessage("Expected a Redis of its own, but it is a node of a cluster");
  }

  @Test
  void shouldLogInAtEachNodeAsAtTheSeed() throws IOException {
    // given
    String rule = AclRule.of("secret") + " +cluster|info +cluster|slots";
    redis.cluster.nodes().forEach(node -> node.administer("ACL SETUSER sluice " + rule));
    String seed = redis.cluster.nodes().get(0).uri().replace("//", "//sluice:secret@");
    RedisConnector connector = redis.connector(List.of(seed));

    // when
    await(redis.loop.call(() -> RedisStock.probe(connector)));
    redis.cluster.nodes().get(2).administer("ACL SETUSER sluice resetpass >other");
    Throwable failure = failureOf(redis.connector(List.of(seed)));

    // then
    redis.cluster.nodes().forEach(node -> node.administer("ACL DELUSER sluice"));
    assertThat(failure)
        .hasMessageStartingWith("node %s: ", redis.cluster.nodes().get(2).uri().substring(8));
    assertThat(((ConnectFailure) failure).connectFault()).isEqualTo(ConnectFault.LOGIN_REFUSED);
  }

  private Throwable failureOf(RedisConnector connector) {
    return redis.loop.failureOf(() -> RedisStock.probe(connector));
  }

  private StockStore on(int partition) {
    return redis.loop.wrap(unit.at(partition));
  }

  private BucketId open(int partition) {
    BucketId bucket = new BucketId(System.nanoTime(), 0);
    await(OpenBuckets.open(on(partition), bucket, 10, new SkuSettings(300, 0, 0, 0)));
    return bucket;
  }

  private BucketCode code(int partition, BucketId bucket) {
    return await(on(partition).snapshot(bucket, List.of(), 0)).code();
  }

  private List<BucketCode> codesOfAll() {
    return IntStream.range(0, PARTITIONS)
        .mapToObj(partition -> code(partition, new BucketId(1, 0)))
        .toList();
  }

  private boolean fails(int partition) {
    Throwable cause =
        await(RedisUnderTest.causeOf(on(partition).snapshot(new BucketId(1, 0), List.of(), 0)));
    assertThat(cause).matches(any -> any == null || any instanceof StockUnavailableException);
    return cause != null;
  }

  private static boolean primaryIs(RedisBackend node, int partition) {
    return redis.cluster.primaryOf(partition) == node;
  }

  private static RedisBackend otherThan(RedisBackend node) {
    return redis.cluster.nodes().stream().filter(each -> each != node).findFirst().orElseThrow();
  }
}
