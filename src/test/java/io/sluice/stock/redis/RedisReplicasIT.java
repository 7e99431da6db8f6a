package io.sluice.stock.redis;

import static io.sluice.contract.StockUnderTest.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.sluice.config.RedisConfig;
import io.sluice.model.BucketId;
import io.sluice.model.Refusal;
import io.sluice.model.SkuSettings;
import io.sluice.stock.BucketCode;
import io.sluice.stock.GrantOutcome;
import io.sluice.stock.OpenBuckets;
import io.sluice.stock.ReserveReply;
import io.sluice.stock.StockStore;
import io.sluice.stock.StockUnavailableException;
import io.sluice.testkit.redis.RedisBackend;
import io.sluice.testkit.redis.RedisPair;
import io.vertx.redis.client.Command;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A Redis with a replica, and the effects of fail-overs on its stock. */
class RedisReplicasIT {
  private static final Duration SOON = Duration.ofSeconds(30);
  private static final Duration LAG = Duration.ofSeconds(1);

  private RedisUnderTest redis;
  private RedisStock unit;
  private StockStore stock;
  private RedisPair pair;
  private BucketId bucket;

  @BeforeEach
  void connect() {
    redis = new RedisUnderTest();
    assumeTrue(redis.backend().replicable());
    bucket = new BucketId(System.nanoTime(), 0);
    use(redis.config());
  }

  @AfterEach
  void leaveRedisAsItWas() {
    redis.send(Command.CONFIG, "SET", "maxmemory", "0");
    if (pair != null) {
      pair.close();
    }
    if (stock != null) {
      await(redis.loop.call(unit::close));
    }
    redis.close();
  }

  private void use(RedisConfig config) {
    unit = redis.stock(config);
    stock = redis.loop.wrap(unit.at(0));
  }

  private void open(long units) {
    await(OpenBuckets.open(stock, bucket, units, new SkuSettings(300, 0, 0, 0)));
  }

  @Test
  void shouldBeLostWhenThePrimaryWasDemotedAndPromotedBack() {
    // given
    pairUp();
    String history = await(stock.history());
    pair.cutOff();
    reserve('b');

    // when
    pair.demoteAndPromoteBack();

    // then
    await().atMost(SOON).until(unit::isUp);
    assertThat(reply('b').code()).isEqualTo(BucketCode.LOST);
    assertThat(await(stock.history()))
        .isNotEqualTo(history)
        .startsWith(history.substring(0, history.indexOf(':')));
    open(2);
    assertThat(reserve('b')).isInstanceOf(GrantOutcome.Granted.class);
  }

  @Test
  void shouldBeLostWhenTheFirstReplicaAttaches() {
    // given a Redis that never had a replica
    redis.backend().kill();
    redis.backend().start();
    await(redis.loop.call(unit::start));
    open(1);
    reserve('a');

    // when
    pair = RedisPair.of(redis.backend(), LAG);

    // then
    await().atMost(SOON).until(unit::isUp);
    assertThat(reply('a').code()).isEqualTo(BucketCode.LOST);
  }

  @Test
  void shouldTellNobodyAnythingWhenThePrimaryIsCutOffFromItsReplica() {
    // given
    pairUp();
    reserve('b');
    assertThat(reserve('c')).isEqualTo(new GrantOutcome.Refused(Refusal.SOLD_OUT));

    // when
    pair.cutOff();
    await().atMost(pair.isolationLimit().plus(SOON)).until(pair::isPrimaryIsolated);

    // then
    for (char buyer : new char[] {'a', 'b', 'c', 'd'}) {
      assertThat(
              redis.loop.failureOf(
                  () -> unit.at(0).reserve(bucket, List.of(OpenBuckets.request(bucket, buyer, 1)))))
          .isInstanceOf(StockUnavailableException.class)
          .hasMessageContaining("NOREPLICAS");
    }
    assertThat(redis.loop.failureOf(() -> unit.at(0).freeze(bucket, 9)))
        .hasMessageContaining("NOREPLICAS");
  }

  @Test
  void shouldGoOnAnsweringHoldersWhenMemoryIsFull() {
    // given
    pairUp();

    // when
    redis.send(Command.CONFIG, "SET", "maxmemory", "1");

    // then
    assertThat(reserve('a')).isInstanceOf(GrantOutcome.Already.class);
    assertThat(
            redis.loop.failureOf(
                () -> unit.at(0).reserve(bucket, List.of(OpenBuckets.request(bucket, 'b', 1)))))
        .isInstanceOfSatisfying(
            StockUnavailableException.class, full -> assertThat(full.isFull()).isTrue());
  }

  @Test
  void shouldReplaceTheConnectionWhenThePrimaryBecameAReplicaAndOnlyReadsAreMade() {
    // given
    pairUp();
    assertThat(unit.isUp()).isTrue();

    // when
    pair.demote();

    // then
    await().atMost(SOON).until(() -> !unit.isUp());
    pair.promoteBack();
    await().atMost(SOON).until(unit::isUp);
  }

  @Test
  void shouldNotBeTakenWhenASecondReplicaIsNotAskedFor() {
    // given
    pairUp();

    // when
    RedisBackend second = redis.backend().startReplica(redis.backend().uri());

    // then
    try (second) {
      await().atMost(SOON).until(() -> !unit.isUp());
      assertThat(redis.loop.failureOf(() -> redis.stock(redis.config()).start()))
          .hasMessageStartingWith(
              "Expected Redis with 2 replicas to have min-replicas-to-write of at least 2");
      redis.backend().configure("min-replicas-to-write", "2");
      await().atMost(SOON).until(unit::isUp);
      assertThat(await(stock.replicaLag())).isEqualTo(LAG);
    }
  }

  @Test
  void shouldTakeTheConfiguredLagWhenConfigIsForbidden() {
    // given
    pair = RedisPair.of(redis.backend(), LAG);
    String uri = redis.uriOf("managed", "-config");
    use(RedisUnderTest.config(uri, 0));
    Throwable untold = redis.loop.failureOf(unit::start);
    await(redis.loop.call(unit::close));

    // when
    use(RedisUnderTest.config(uri, 3));
    await(redis.loop.call(unit::start));

    // then
    assertThat(untold).hasMessageContaining("set redis.replica_lag_s");
    assertThat(await(stock.replicaLag())).isEqualTo(Duration.ofSeconds(3));
  }

  @Test
  void shouldWaitForTheLagWhenTheReplicaWasPromoted() {
    // given
    pair = RedisPair.of(redis.backend(), LAG);

    // when
    pair.promoteReplica();

    // then
    use(RedisUnderTest.config(pair.replica().uri(), 0));
    await(redis.loop.call(unit::start));
    assertThat(await(stock.replicaLag())).isEqualTo(LAG);
  }

  /** Gives Redis a replica that has all data: two units, one of them granted to a. */
  private void pairUp() {
    pair = RedisPair.of(redis.backend(), LAG);
    await(redis.loop.call(unit::start));
    open(2);
    reserve('a');
    pair.awaitInStep();
  }

  private GrantOutcome reserve(char buyer) {
    return reply(buyer).outcomes().get(0);
  }

  private ReserveReply reply(char buyer) {
    return await(stock.reserve(bucket, List.of(OpenBuckets.request(bucket, buyer, 1))));
  }
}
