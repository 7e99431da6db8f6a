package io.sluice.stock;

import static io.sluice.contract.StockUnderTest.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.sluice.config.RedisConfig;
import io.sluice.model.BucketId;
import io.vertx.core.Future;
import io.vertx.redis.client.Command;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Calls that share an EVALSHA of a real Redis. */
class LuaLaneIT {
  private static final int TIMEOUT_MS = 1_000;
  private static final Duration SOON = Duration.ofSeconds(15);
  private static final BucketId BUCKET = new BucketId(System.nanoTime(), 0);

  private RedisUnderTest redis;
  private LuaRunner unit;

  @BeforeEach
  void connect() {
    redis = new RedisUnderTest();
    RedisConfig config = new RedisConfig(redis.backend().uri(), false, TIMEOUT_MS);
    unit = new LuaRunner(redis.vertx, config, redis.meters);
    redis.loop.call(unit::start);
    await().atMost(SOON).until(unit::isUp);
  }

  @AfterEach
  void disconnect() {
    await(redis.loop.call(unit::close));
    redis.close();
  }

  @Test
  void shouldTellOfATimeOutOnTheCallersContextWhenRedisHangs() {
    // given
    assumeTrue(redis.backend().killable());
    redis.backend().pause();

    // when
    List<Thread> told;
    try {
      told =
          await(
              redis.loop.call(
                  () -> {
                    Thread caller = Thread.currentThread();
                    return causeOf(unit.run(snapshot(BUCKET)))
                        .map(late -> List.of(caller, Thread.currentThread()));
                  }));
    } finally {
      redis.backend().resume();
    }

    // then
    assertThat(told.get(1)).isSameAs(told.get(0));
  }

  @Test
  void shouldShareACallAndAnswerEachBucketItsOwnWhenOneIsBroken() {
    // given
    BucketId broken = new BucketId(BUCKET.skuId() + 1, 0);
    redis.send(Command.SET, StockKeys.of(broken).stock(), "not a hash");

    // when
    List<Throwable> failures =
        await(
            redis.loop.call(
                () ->
                    Future.join(
                            causeOf(unit.run(snapshot(BUCKET))),
                            causeOf(unit.run(snapshot(BUCKET))),
                            causeOf(unit.run(snapshot(broken))),
                            causeOf(unit.run(snapshot(BUCKET))))
                        .map(all -> all.list())));

    // then
    assertThat(failures.get(2))
        .isInstanceOf(StockUnavailableException.class)
        .hasMessageContaining("WRONGTYPE");
    assertThat(failures).filteredOn(failure -> failure == null).hasSize(3);
    var timer =
        redis.registry.get("sluice_redis_call_seconds").tag("script", "snapshot.lua").timer();
    assertThat(timer.count()).isEqualTo(2);
    redis.send(Command.DEL, StockKeys.of(broken).stock());
  }

  private static LuaCall snapshot(BucketId bucket) {
    return new LuaCall(LuaScript.SNAPSHOT, bucket, 1).add(0);
  }

  private static Future<Throwable> causeOf(Future<?> future) {
    return future.transform(done -> Future.succeededFuture(done.cause()));
  }
}
