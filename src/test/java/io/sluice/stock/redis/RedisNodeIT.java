package io.sluice.stock.redis;

import static io.sluice.contract.StockUnderTest.await;
import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.micrometer.core.instrument.Timer;
import io.sluice.config.RedisConfig;
import io.sluice.model.BucketId;
import io.sluice.stock.StockUnavailableException;
import io.vertx.core.Future;
import io.vertx.redis.client.Command;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Calls while Redis loses its scripts, dies, hangs, or is overloaded. */
class RedisNodeIT {
  private static final int TIMEOUT_MS = 1_000;
  private static final Duration SOON = Duration.ofSeconds(30);
  private static final BucketId BUCKET = new BucketId(System.nanoTime(), 0);

  private RedisUnderTest redis;
  private RedisNode unit;

  @BeforeEach
  void connect() {
    redis = new RedisUnderTest();
    unit = node("");
  }

  @AfterEach
  void leaveRedisAsItWas() {
    await(redis.loop.call(unit::close));
    redis.close();
  }

  @Test
  void shouldRunByTextWhenTheScriptsWereFlushed() {
    // given
    start();
    redis.send(Command.SCRIPT, "FLUSH");

    // when
    Future<Integer> codes =
        redis.loop.call(
            () ->
                Future.all(
                        unit.of(0).run(snapshot()),
                        unit.of(0).run(snapshot()),
                        unit.of(0).run(snapshot()))
                    .map(all -> all.size()));

    // then
    assertThat(await(codes)).isEqualTo(3);
    assertThat(failureCount("sluice_redis_calls_failed")).isZero();
  }

  @Test
  void shouldFailAtOnceAndComeBackWhenRedisIsKilledAndStartedAgain() {
    // given
    assumeTrue(redis.backend().killable());
    start();

    // when
    redis.backend().kill();
    try {
      await().atMost(SOON).until(() -> !unit.isUp());
      assertThat(failure()).isInstanceOf(StockUnavailableException.class);
      assertThat(failure()).hasMessage("Redis is not connected");
    } finally {
      redis.backend().start();
    }

    // then
    await().atMost(SOON).until(() -> failure() == null);
    assertThat(failureCount("sluice_redis_connections_lost")).isEqualTo(1);
  }

  @Test
  void shouldFailCallsInFlightWhenRedisIsKilled() {
    // given
    assumeTrue(redis.backend().killable());
    start();
    redis.backend().pause();
    Future<Throwable> inFlight = redis.loop.call(this::failureOfACall);

    // when
    redis.backend().kill();

    // then
    try {
      assertThat(await(inFlight)).isInstanceOf(StockUnavailableException.class);
    } finally {
      redis.backend().start();
    }
  }

  @Test
  void shouldFailWithinTheTimeoutAndRecoverWhenRedisHangs() {
    // given
    start();

    // when
    Throwable late =
        redis
            .backend()
            .whileItHangs(
                () -> {
                  Throwable first = failure();
                  await().atMost(SOON).until(() -> !unit.isUp());
                  assertThat(failure()).hasMessage("Redis is not connected");
                  return first;
                });

    // then
    assertThat(late)
        .isInstanceOf(StockUnavailableException.class)
        .hasMessageContaining("Timeout " + TIMEOUT_MS);
    await().atMost(SOON).until(() -> failure() == null);
  }

  @Test
  void shouldRefuseAtOnceWhenTooManyCallsWait() {
    // given
    start();

    // when
    Throwable oneTooMany =
        redis
            .backend()
            .whileItHangs(
                () ->
                    await(
                        redis.loop.call(
                            () -> {
                              List<Future<?>> waiting = new ArrayList<>();
                              for (int i = 0; i < RedisNode.OPEN_MAX; i++) {
                                waiting.add(unit.of(0).run(book()));
                              }
                              assertThat(waiting).noneMatch(Future::isComplete);
                              return failureOfACall();
                            })));

    // then
    assertThat(oneTooMany).hasMessage("Too many calls wait for Redis");
    await().atMost(SOON).until(() -> failure() == null);
  }

  @Test
  void shouldConnectLaterWhenRedisIsDownAtTheStart() {
    // given
    assumeTrue(redis.backend().killable());
    redis.backend().kill();

    // when
    Throwable failure;
    try {
      failure = redis.loop.failureOf(unit::start);
    } finally {
      redis.backend().start();
    }

    // then
    assertThat(failure).isNotNull();
    await().atMost(SOON).until(unit::isUp);
  }

  @Test
  void shouldGiveUpTheAttemptWhenRedisHangsAtTheStart() {
    // when
    Throwable failure = redis.backend().whileItHangs(() -> redis.loop.failureOf(unit::start));

    // then
    assertThat(failure).hasMessageContaining("Timeout");
    await().atMost(SOON).until(unit::isUp);
  }

  @Test
  void shouldStayAwayWhenClosed() {
    // given
    String name = "closing-" + System.nanoTime();
    RedisNode closing = node("?client=" + name);
    start(closing);
    assertThat(connections()).contains(name);

    // when
    await(redis.loop.call(closing::close));

    // then
    assertThat(closing.isUp()).isFalse();
    await().atMost(SOON).until(() -> !connections().contains(name));
    assertThat(redis.loop.failureOf(() -> closing.of(0).run(snapshot())))
        .hasMessage("Redis is not connected");
    assertThat(failureCount("sluice_redis_connections_lost")).isZero();
  }

  @Test
  void shouldReplaceTheConnectionOnceWhenItIsCut() {
    // given
    String name = "cut-" + System.nanoTime();
    unit = node("?client=" + name);
    start();

    // when
    redis.send(Command.CLIENT, "KILL", "TYPE", "normal");

    // then
    await().atMost(SOON).until(() -> failureCount("sluice_redis_connections_lost") == 1);
    await().atMost(SOON).until(unit::isUp);
    assertThat(connections().split("name=" + name, -1)).hasSize(2);
  }

  @Test
  void shouldTimeEachScriptWhenCalled() {
    // given
    start();

    // when
    assertThat(failure()).isNull();

    // then
    assertThat(snapshotCalls().count()).isEqualTo(1);
    assertThat(snapshotCalls().totalTime(SECONDS)).isPositive();
  }

  private RedisNode node(String query) {
    var config = RedisConfig.standalone(redis.backend().uri() + query, TIMEOUT_MS, 0, "");
    return new RedisNode(redis.vertx, new RedisConnector(redis.vertx, config), redis.meters);
  }

  private void start() {
    start(unit);
  }

  /** On a busy machine the first attempt may time out; it is retried. */
  private void start(RedisNode runner) {
    redis.loop.call(runner::start);
    await().atMost(SOON).until(runner::isUp);
  }

  private Timer snapshotCalls() {
    return redis.registry.get("sluice_redis_call_seconds").tag("script", "snapshot.lua").timer();
  }

  private static LuaCall book() {
    return new LuaCall(LuaScript.BOOK, StockKeys.of(0, BUCKET), 2).add(1).add("none");
  }

  private static LuaCall snapshot() {
    return new LuaCall(LuaScript.SNAPSHOT, StockKeys.of(0, BUCKET), 1).add(0);
  }

  /** The cause with which a call fails now, or null. */
  private Throwable failure() {
    return await(redis.loop.call(this::failureOfACall));
  }

  private Future<Throwable> failureOfACall() {
    return RedisUnderTest.causeOf(unit.of(0).run(snapshot()));
  }

  private double failureCount(String name) {
    var counter = redis.registry.find(name).counter();
    return counter == null ? 0 : counter.count();
  }

  private String connections() {
    return redis.send(Command.CLIENT, "LIST").toString();
  }
}
