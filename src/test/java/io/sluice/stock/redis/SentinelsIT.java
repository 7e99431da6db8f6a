package io.sluice.stock.redis;

import static io.sluice.contract.StockUnderTest.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import ch.qos.logback.classic.Level;
import io.sluice.config.RedisConfig;
import io.sluice.monitor.ConnectFault;
import io.sluice.monitor.ConnectFault.ConnectFailure;
import io.sluice.stock.StockStore;
import io.sluice.testkit.process.LogWatch;
import io.sluice.testkit.redis.RedisBackend;
import io.sluice.testkit.redis.RedisSentinel;
import io.vertx.core.Future;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Real sentinels, some of which hang, lie, know nothing, or want a login. */
class SentinelsIT {
  private static final Duration SOON = Duration.ofSeconds(20);
  private static final String MASTER = "sale";
  private static final int TIMEOUT_MS = 1_000;

  private final List<RedisSentinel> sentinels = new ArrayList<>();
  private RedisUnderTest redis;
  private RedisBackend other;

  @BeforeEach
  void startTwo() {
    redis = new RedisUnderTest();
    assumeTrue(redis.backend().watchable());
    other = redis.backend().startAnother();
  }

  @AfterEach
  void end() {
    sentinels.forEach(RedisSentinel::close);
    other.close();
    redis.close();
  }

  @Test
  void shouldFindTheRedisThatTheyNameAndGoOnWithoutOneOfThree() {
    // given
    start(redis.backend(), redis.backend(), redis.backend());
    RedisConnector unit = unit(MASTER);
    RedisAddress first = await(unit.find());

    // when
    sentinels.get(0).kill();
    RedisAddress second = await(unit.find());

    // then
    assertThat(List.of(first, second)).containsOnly(address(redis.backend()));
  }

  @Test
  void shouldOutvoteOneThatNamesAnotherAndNotWaitForOneThatHangs() {
    // given
    start(other, redis.backend(), redis.backend(), redis.backend(), redis.backend());
    RedisConnector unit = unit(MASTER);
    await(unit.find());

    // when
    sentinels.get(1).pause();
    RedisAddress found = await(unit.find());

    // then
    assertThat(found).isEqualTo(address(redis.backend()));
  }

  @Test
  void shouldSayWhatTheyAnswerWhenNoMajorityNamesOne() {
    // given
    start(other, redis.backend(), redis.backend());
    sentinels.get(2).kill();

    // when
    ConnectFailure failure = failure(unit(MASTER).find());

    // then
    assertThat(failure)
        .hasMessage(
            "Expected most of 3 sentinels to name one address of the master sale, but they named"
                + " {%s=1, %s=1}, 0 do not know it, and 1 do not answer",
            smaller(address(other), address(redis.backend())),
            larger(address(other), address(redis.backend())));
    assertThat(failure.connectFault()).isEqualTo(ConnectFault.UNREACHABLE);
  }

  @Test
  void shouldCallItUnfitWhenMostWatchNoSuchRedis() {
    // given
    start(redis.backend(), redis.backend(), redis.backend());

    // when
    ConnectFailure failure = failure(unit("nobody").find());

    // then
    assertThat(failure).hasMessageContaining("they named none, 3 do not know it");
    assertThat(failure.connectFault()).isEqualTo(ConnectFault.UNFIT);
  }

  @Test
  void shouldLogInWhereASentinelAsksForItAndNotSayThePassword() {
    // given
    sentinels.add(redis.backend().startSentinel(MASTER, 1, "hidden-word"));
    String wrong = sentinels.get(0).uri().replace("hidden-word", "hidden-lie");

    try (LogWatch log = LogWatch.of(KeptQuestion.class.getName(), Level.INFO)) {
      // when
      RedisAddress found = await(unit(MASTER).find());
      ConnectFailure refused = failure(unit(MASTER, List.of(wrong)).find());

      // then
      assertThat(found).isEqualTo(address(redis.backend()));
      assertThat(refused).hasMessageContaining("1 do not answer");
      assertThat(log.lines())
          .anyMatch(line -> line.contains("does not answer"))
          .noneMatch(line -> line.contains("hidden"));
    }
  }

  @Test
  void shouldAnswerAgainAfterAllWereAwayAndSayBothOnce() {
    // given
    start(redis.backend());
    RedisConnector unit = unit(MASTER);
    await(unit.find());

    try (LogWatch log = LogWatch.of(KeptQuestion.class.getName(), Level.INFO)) {
      // when
      sentinels.get(0).kill();
      failure(unit.find());
      failure(unit.find());
      sentinels.get(0).start();
      await().atMost(SOON).until(() -> await(unit.find().map(true).otherwise(false)));

      // then
      assertThat(log.lines()).filteredOn(line -> line.contains("does not answer")).hasSize(1);
      assertThat(log.lines()).filteredOn(line -> line.contains("answers again")).hasSize(1);
    }
  }

  @Test
  void shouldGoToTheOtherRedisWhenMostNameItAlthoughThisOneAnswers() {
    // given
    start(redis.backend(), redis.backend(), redis.backend());
    var unit = new RedisStock(redis.vertx, unit(MASTER), redis.meters);
    await(redis.loop.call(unit::start));
    StockStore stock = unit.at(0);
    String before = await(redis.loop.call(stock::history));

    // when
    sentinels.get(0).watch(MASTER, other);
    String minority = await(redis.loop.call(stock::history));
    sentinels.get(1).watch(MASTER, other);

    // then
    assertThat(minority).isEqualTo(before);
    await()
        .atMost(SOON)
        .until(
            () -> !await(redis.loop.call(() -> stock.history().otherwise(before))).equals(before));
    await(redis.loop.call(unit::close));
  }

  @Test
  void shouldGoOnWithTheRedisThatItHasWhenAllSentinelsAreAway() {
    // given
    start(redis.backend(), redis.backend(), redis.backend());
    var unit = new RedisStock(redis.vertx, unit(MASTER), redis.meters);
    await(redis.loop.call(unit::start));

    // when
    sentinels.forEach(RedisSentinel::kill);
    double lost = lostConnections();
    await()
        .pollDelay(Duration.ofMillis(2L * RedisClients.LOOK_EVERY_MS))
        .atMost(SOON)
        .until(unit::isUp);

    // then
    assertThat(await(redis.loop.call(() -> unit.at(0).history()))).isNotEmpty();
    assertThat(lostConnections()).isEqualTo(lost);
    await(redis.loop.call(unit::close));
  }

  private double lostConnections() {
    return redis.registry.counter("sluice_redis_connections_lost").count();
  }

  /** A sentinel for each of these, which it watches. */
  private void start(RedisBackend... watched) {
    for (RedisBackend each : watched) {
      sentinels.add(each.startSentinel(MASTER, watched.length));
    }
  }

  private RedisConnector unit(String master) {
    return unit(master, sentinels.stream().map(RedisSentinel::uri).toList());
  }

  private RedisConnector unit(String master, List<String> uris) {
    RedisConfig config =
        new RedisConfig("sentinel", "redis://127.0.0.1:6379", uris, master, TIMEOUT_MS, 0, "");
    return new RedisConnector(redis.vertx, config);
  }

  private static ConnectFailure failure(Future<?> call) {
    Throwable cause = await(RedisUnderTest.causeOf(call));
    assertThat(cause).isInstanceOf(ConnectFailure.class);
    return (ConnectFailure) cause;
  }

  private static RedisAddress address(RedisBackend backend) {
    URI uri = URI.create(backend.uri());
    return new RedisAddress(uri.getHost(), uri.getPort());
  }

  private static String smaller(RedisAddress one, RedisAddress two) {
    return one.toString().compareTo(two.toString()) < 0 ? one.toString() : two.toString();
  }

  private static String larger(RedisAddress one, RedisAddress two) {
    return smaller(one, two).equals(one.toString()) ? two.toString() : one.toString();
  }
}
