package io.sluice.stock.redis;

import static io.sluice.contract.StockUnderTest.await;
import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.sluice.config.RedisConfig;
import io.sluice.model.BucketId;
import io.sluice.model.Grant;
import io.sluice.model.SkuSettings;
import io.sluice.monitor.Alarm;
import io.sluice.stock.BucketCode;
import io.sluice.stock.GrantOutcome.Granted;
import io.sluice.stock.OpenBuckets;
import io.sluice.stock.StockStore;
import io.sluice.stock.StockStore.Release;
import io.sluice.stock.StockUnavailableException;
import io.sluice.testkit.process.Folders;
import io.sluice.testkit.redis.RedisBackend;
import io.sluice.testkit.register.Raises;
import io.vertx.redis.client.Command;
import java.io.IOException;
import java.net.Socket;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Which Redis is accepted, and what happens when its role changes. */
class RedisSettingsIT {
  private static final Duration SOON = Duration.ofSeconds(30);
  private static final BucketId BUCKET = new BucketId(System.nanoTime(), 0);

  private RedisUnderTest redis;
  private RedisStock unit;

  @BeforeEach
  void connect() {
    redis = new RedisUnderTest();
    unit = redis.stock(redis.config());
  }

  @AfterEach
  void leaveRedisAsItWas() {
    redis.send(Command.REPLICAOF, "NO", "ONE");
    redis.send(Command.CONFIG, "SET", "maxmemory-policy", "noeviction");
    redis.send(Command.CONFIG, "SET", "maxmemory", "0");
    redis.send(Command.CONFIG, "SET", "min-replicas-to-write", "0");
    await(redis.loop.call(unit::close));
    redis.close();
  }

  @Test
  void shouldBeTakenWhenNothingIsEvictedAndSaySoWhenThatChangesLater() {
    // given
    await(redis.loop.call(unit::start));
    Throwable fit = redis.loop.failureOf(() -> RedisStock.probe(redis.connector()));
    boolean wasUp = unit.isUp();

    // when
    redis.send(Command.CONFIG, "SET", "maxmemory-policy", "volatile-lru");
    Throwable unfit = redis.loop.failureOf(() -> RedisStock.probe(redis.connector()));

    // then
    assertThat(fit).isNull();
    assertThat(wasUp).isTrue();
    assertThat(unfit).hasMessageContaining("volatile-lru");
  }

  @Test
  @Raises(Alarm.REDIS_UNFIT)
  void shouldNotBeTakenWhenKeysMayBeEvicted() {
    // given
    redis.send(Command.CONFIG, "SET", "maxmemory-policy", "allkeys-lru");
    long alarms = Alarm.REDIS_UNFIT.raised();

    // when
    Throwable failure = redis.loop.failureOf(unit::start);

    // then
    assertThat(Alarm.REDIS_UNFIT.raised()).isGreaterThan(alarms);
    assertThat(failure)
        .hasMessage(
            "Expected Redis setting maxmemory-policy to be noeviction, but it is allkeys-lru");
    assertThat(unit.isUp()).isFalse();
    redis.send(Command.CONFIG, "SET", "maxmemory-policy", "noeviction");
    await().atMost(SOON).until(unit::isUp);
  }

  /** Whatever uses it next would be stopped half-way. RedisPermissionsTest has every command. */
  @ParameterizedTest
  @ValueSource(strings = {"zadd", "unlink"})
  void shouldBeGivenUpWhenACommandIsForbiddenLater(String command) {
    // given
    unit = redis.stock(RedisUnderTest.config(redis.uriOf("narrowed"), 0));
    await(redis.loop.call(unit::start));
    long alarms = Alarm.REDIS_UNFIT.raised();

    // when
    redis.send(Command.ACL, "SETUSER", "narrowed", "-" + command);
    redis.loop.failureOf(() -> unit.at(0).freeze(BUCKET, 1));

    // then
    await().atMost(SOON).until(() -> !unit.isUp() && Alarm.REDIS_UNFIT.raised() > alarms);
    assertThat(unit.outage()).isEqualTo("permission missing");
    redis.send(Command.ACL, "SETUSER", "narrowed", "+" + command);
    await().atMost(SOON).until(unit::isUp);
  }

  /** It refuses every write until somebody makes room on its disk. */
  @Test
  void shouldBeGivenUpWhenItCannotSave() throws IOException {
    // given
    assumeTrue(redis.backend().replicable(), "another " + redis.backend().describe());
    try (RedisBackend other = redis.backend().startAnother()) {
      RedisConfig config = RedisUnderTest.config(other.uri(), 0);
      unit = redis.stock(config);
      await(redis.loop.call(unit::start));
      other.configure("save", "\"3600 1\"");
      Path dir = Path.of(other.list("CONFIG GET dir").get(1));
      long alarms = Alarm.REDIS_UNFIT.raised();

      // when
      Folders.delete(dir);
      other.administer("BGSAVE");

      // then
      await().atMost(SOON).until(() -> !unit.isUp() && Alarm.REDIS_UNFIT.raised() > alarms);
      assertThat(unit.outage()).isEqualTo("not configured as required");
      // An instance starts all the same: what needs no Redis goes on.
      await(redis.loop.call(() -> RedisStock.probe(new RedisConnector(redis.vertx, config))));
      other.configure("stop-writes-on-bgsave-error", "no");
      await().atMost(SOON).until(unit::isUp);
    }
  }

  @Test
  void shouldSaySoWhenItsMemoryIsFull() {
    // given
    await(redis.loop.call(unit::start));
    long alarms = Alarm.REDIS_UNFIT.raised();

    // when
    redis.send(Command.CONFIG, "SET", "maxmemory", "1");

    // then
    await().atMost(SOON).until(() -> unit.outage().equals("its memory is full"));
    assertThat(unit.isUp()).isTrue();
    assertThat(Alarm.REDIS_UNFIT.raised()).isEqualTo(alarms + 1);
    redis.send(Command.CONFIG, "SET", "maxmemory", "0");
    await().atMost(SOON).until(() -> unit.outage().isEmpty());
  }

  @Test
  void shouldBeTakenWhenItDoesNotShowItsSettings() {
    // given
    unit = redis.stock(RedisUnderTest.config(redis.uriOf("managed", "-config"), 1));

    // when
    Throwable failure = redis.loop.failureOf(unit::start);

    // then
    assertThat(failure).isNull();
    assertThat(unit.isUp()).isTrue();
  }

  @Test
  void shouldNotBeTakenWhenItHasReplicasThatMayLag() throws IOException {
    // given
    URI uri = URI.create(redis.backend().uri());
    redis.send(Command.CONFIG, "SET", "min-replicas-max-lag", "10");
    try (Socket replica = new Socket(uri.getHost(), uri.getPort())) {
      replica.getOutputStream().write("PSYNC ? -1\r\n".getBytes(US_ASCII));
      await()
          .atMost(SOON)
          .until(() -> redis.send(Command.INFO, "replication").toString().contains("slaves:1"));

      // when
      Throwable failure = redis.loop.failureOf(unit::start);
      redis.send(Command.CONFIG, "SET", "min-replicas-to-write", "1");

      // then
      assertThat(failure)
          .hasMessage(
              "Expected Redis with 1 replicas to have min-replicas-to-write of at least 1 and"
                  + " min-replicas-max-lag above 0, but they are 0 and 10");
      await().atMost(SOON).until(unit::isUp);
    }
  }

  @Test
  void shouldLookForAnotherRedisWhenThisOneBecomesAReplica() {
    // given
    await(redis.loop.call(unit::start));
    redis.send(Command.REPLICAOF, "127.0.0.1", "1");

    // when
    Throwable write = redis.loop.failureOf(() -> unit.at(0).freeze(BUCKET, 1));

    // then
    assertThat(write).isInstanceOf(StockUnavailableException.class);
    assertThat(unit.isUp()).isFalse();
    assertThat(redis.loop.failureOf(() -> redis.stock(redis.config()).start()))
        .hasMessage("Expected a Redis that takes writes, but it is a replica of another");
    redis.send(Command.REPLICAOF, "NO", "ONE");
    await().atMost(SOON).until(unit::isUp);
    assertThat(redis.loop.failureOf(() -> unit.at(0).freeze(BUCKET, 1))).isNull();
  }

  @Test
  void shouldRefuseGrantsWithoutATraceAndTakeReleasesWhenMemoryIsFull() {
    // given
    await(redis.loop.call(unit::start));
    StockStore stock = redis.loop.wrap(unit.at(0));
    BucketId bucket = new BucketId(BUCKET.skuId() + 1, 0);
    await(OpenBuckets.open(stock, bucket, 10, new SkuSettings(300, 0, 0, 0)));
    Grant grant =
        ((Granted)
                await(stock.reserve(bucket, List.of(OpenBuckets.request(bucket, 'a', 1))))
                    .outcomes()
                    .get(0))
            .grant();
    redis.send(Command.CONFIG, "SET", "maxmemory", "1");

    // when
    Throwable reserve =
        redis.loop.failureOf(
            () -> unit.at(0).reserve(bucket, List.of(OpenBuckets.request(bucket, 'b', 1))));
    BucketCode release =
        await(
            stock.release(
                bucket, 1, List.of(new Release(grant.token(), grant.epoch(), grant.seq(), 0))));

    // then
    assertThat(reserve).isInstanceOf(StockUnavailableException.class).hasMessageContaining("OOM");
    assertThat(release).isEqualTo(BucketCode.OK);
    assertThat(await(stock.snapshot(bucket, List.of(), 10)))
        .extracting("claimed", "released", "unbookedCount")
        .containsExactly(1L, 1L, 0L);
  }
}
