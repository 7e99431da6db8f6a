package io.sluice.stock.redis;

import static org.assertj.core.api.Assertions.assertThat;

import io.vertx.core.Future;
import io.vertx.redis.client.Command;
import io.vertx.redis.client.RedisConnection;
import io.vertx.redis.client.Request;
import io.vertx.redis.client.Response;
import io.vertx.redis.client.impl.types.ErrorType;
import io.vertx.redis.client.impl.types.MultiType;
import io.vertx.redis.client.impl.types.SimpleStringType;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** INFO texts that the tests' own Redis never sends; see {@link RedisSettingsIT}. */
class RedisSettingsTest {
  private static final String ASKS = "min_slaves_good_slaves:0\r\n";
  private static final String NEVER_PROMOTED =
      "master_replid2:0000000000000000000000000000000000000000\r\n";
  private static final String PROMOTED =
      "master_replid2:17dc4d102defb6e866b209ddc24794b848515c15\r\n";

  private final RedisSettings unit = new RedisSettings(Duration.ZERO, false);

  @Test
  void shouldNotBeTakenWhenItIsANodeOfACluster() {
    // when
    Future<Void> check = unit.check(saying("redis_mode:cluster\r\nrole:master"), true);

    // then
    assertThat(check.cause())
        .hasMessage("Expected a Redis of its own, but it is a node of a cluster");
  }

  @Test
  void shouldBeTakenWhenItIsNot() {
    // when
    Future<Void> check =
        unit.check(saying("redis_mode:standalone\r\nrole:master\r\n" + NEVER_PROMOTED), true);

    // then
    assertThat(check.succeeded()).isTrue();
  }

  @Test
  void shouldNotBeTakenWhenItIsAReplica() {
    // when
    Future<Duration> lag = unit.replicaLag(saying("role:slave"));

    // then
    assertThat(lag.cause())
        .hasMessage("Expected a Redis that takes writes, but it is a replica of another");
  }

  @ParameterizedTest
  @CsvSource({"1,1,2", "2,2,1", "2,3,10", "0,1,5"})
  void shouldTellTheLagWhenAsManyReplicasAreAskedForAsThereAre(int replicas, int min, int lagS) {
    // given
    var redis = saying(ASKS + "connected_slaves:" + replicas, settings(min, lagS));

    // when
    Future<Duration> lag = unit.replicaLag(redis);

    // then
    assertThat(lag.result()).isEqualTo(Duration.ofSeconds(lagS));
  }

  @ParameterizedTest
  @CsvSource({"1,0,10", "2,1,2", "3,2,2", "1,1,0"})
  void shouldNotBeTakenWhenItWouldNotRefuseWritesWithoutOneOfItsReplicas(
      int replicas, int min, int lagS) {
    // given
    var redis = saying("connected_slaves:" + replicas, settings(min, lagS));

    // when
    Future<Duration> lag = unit.replicaLag(redis);

    // then
    assertThat(lag.cause())
        .isInstanceOf(UnfitRedisException.class)
        .hasMessage(
            "Expected Redis with %d replicas to have min-replicas-to-write of at least %d and"
                + " min-replicas-max-lag above 0, but they are %d and %d",
            replicas, replicas, min, lagS);
  }

  @Test
  void shouldTellTheLagWhenItWasAReplicaItself() {
    // given
    var redis = saying("connected_slaves:0\r\n" + PROMOTED, settings(0, 3));

    // when
    Future<Duration> lag = unit.replicaLag(redis);

    // then
    assertThat(lag.result()).isEqualTo(Duration.ofSeconds(3));
  }

  @Test
  void shouldTellTheConfiguredLagWhenItDoesNotShowItsSettings() {
    // given
    var redis = hiding(ASKS + "connected_slaves:1");

    // when
    Future<Duration> lag = new RedisSettings(Duration.ofSeconds(7), false).replicaLag(redis);

    // then
    assertThat(lag.result()).isEqualTo(Duration.ofSeconds(7));
  }

  @Test
  void shouldTellTheLongerLagWhenBothAreKnown() {
    // given
    var redis = saying(ASKS + "connected_slaves:1", settings(1, 2));

    // when
    Future<Duration> lag = new RedisSettings(Duration.ofSeconds(7), false).replicaLag(redis);

    // then
    assertThat(lag.result()).isEqualTo(Duration.ofSeconds(7));
  }

  @ParameterizedTest
  @ValueSource(strings = {ASKS + "connected_slaves:1", ASKS, PROMOTED})
  void shouldNotBeTakenWhenNobodyTellsTheLag(String info) {
    // when
    Future<Duration> lag = unit.replicaLag(hiding(info));

    // then
    assertThat(lag.cause())
        .hasMessage(
            "Expected Redis, which has or had replicas, to show min-replicas-max-lag,"
                + " but it does not; set redis.replica_lag_s");
  }

  @Test
  void shouldNotBeTakenWhenItHidesItsSettingsAndAsksForNoReplica() {
    // when
    Future<Duration> lag =
        new RedisSettings(Duration.ofSeconds(7), false).replicaLag(hiding("connected_slaves:1"));

    // then
    assertThat(lag.cause())
        .hasMessage(
            "Expected Redis with replicas to have min-replicas-to-write of at least 1, but it is"
                + " 0");
  }

  @ParameterizedTest
  @CsvSource({
    "5.0.14,false",
    "6.2.6,false",
    "6.2.7,true",
    "6.2.11,true",
    "7.0.0,true",
    "8.2.1,true"
  })
  void shouldBeTakenWithReplicasWhenItsScriptsHeedThem(String version, boolean taken) {
    // given
    String info = "redis_version:" + version + "\r\nconnected_slaves:1\r\n" + ASKS;

    // when
    Future<Void> check = unit.check(saying(info, settings(1, 2)), true);

    // then
    assertThat(check.succeeded()).isEqualTo(taken);
  }

  @Test
  void shouldNotBeCalledUnfitWhenTheConnectionIsLostWhileItIsAsked() {
    // given
    var closed = ErrorType.create("CONNECTION_CLOSED");
    var lost =
        connection("role:master\r\nconnected_slaves:1\r\n" + ASKS, Future.failedFuture(closed));

    // when
    Future<Duration> lag = unit.replicaLag(lost);

    // then
    assertThat(lag.cause()).isSameAs(closed);
  }

  @Test
  void shouldBeTakenWithoutReplicasWhateverItsVersion() {
    // when
    Future<Void> check = unit.check(saying("redis_version:5.0.14\r\nconnected_slaves:0"), true);

    // then
    assertThat(check.succeeded()).isTrue();
  }

  private static Map<String, Integer> settings(int min, int lagS) {
    return Map.of("min-replicas-to-write", min, "min-replicas-max-lag", lagS);
  }

  /** Answers INFO with this text, and refuses to show settings. */
  private static RedisConnection saying(String info) {
    return saying(info, Map.of());
  }

  private static RedisConnection saying(String info, Map<String, Integer> settings) {
    MultiType shown = MultiType.create(2L * settings.size(), true);
    settings.forEach(
        (name, value) -> {
          shown.add(SimpleStringType.create(name));
          shown.add(SimpleStringType.create(String.valueOf(value)));
        });
    return connection(info, Future.succeededFuture(shown));
  }

  private static RedisConnection hiding(String info) {
    return connection(info, Future.failedFuture(ErrorType.create("NOPERM no CONFIG for you")));
  }

  private static RedisConnection connection(String info, Future<Response> settings) {
    Class<?>[] port = {RedisConnection.class};
    Object connection =
        Proxy.newProxyInstance(
            RedisConnection.class.getClassLoader(),
            port,
            (self, method, arguments) ->
                ((Request) arguments[0]).command().equals(Command.INFO)
                    ? Future.succeededFuture(SimpleStringType.create(info))
                    : settings);
    return (RedisConnection) connection;
  }
}
