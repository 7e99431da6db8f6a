package io.sluice.stock.redis;

import static io.sluice.contract.StockUnderTest.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.sluice.config.RedisConfig;
import io.sluice.model.BucketId;
import io.sluice.monitor.Alarm;
import io.sluice.monitor.ConnectFault;
import io.sluice.monitor.ConnectFault.ConnectFailure;
import io.sluice.stock.StockUnavailableException;
import io.sluice.testkit.redis.RedisBackend;
import io.vertx.redis.client.Command;
import io.vertx.redis.client.Redis;
import io.vertx.redis.client.Request;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Two ledgers on one Redis loaded their buckets over each other's, and nobody was told. */
class LedgerMarkIT {
  private static final Duration SOON = Duration.ofSeconds(30);
  private static final String OURS = "0a1b2c3d4e5f";
  private static final String OTHER = "f5e4d3c2b1a0";

  private RedisUnderTest redis;
  private RedisConfig config;
  private Redis client;
  private RedisStock unit;

  @BeforeEach
  void open() {
    redis = new RedisUnderTest();
    String uri = redis.backend().newDatabase();
    config = RedisUnderTest.config(uri, 0);
    client = Redis.createClient(redis.vertx, uri);
    unit = new RedisStock(redis.vertx, connector(), redis.meters);
  }

  @AfterEach
  void close() {
    await(redis.loop.call(unit::close));
    await(client.close());
    redis.close();
  }

  @Test
  void shouldNameItsLedgerWhenNoneIsNamed() {
    // when
    await(redis.loop.call(unit::start));

    // then
    assertThat(named()).isEqualTo(OURS);
    assertThat(unit.isUp()).isTrue();
    await(RedisStock.probe(connector()));
  }

  @Test
  void shouldWriteNothingWhenAnotherLedgerIsNamedAtTheStart() {
    // given
    name(OTHER);

    // when
    Throwable failure = redis.loop.failureOf(() -> RedisStock.probe(connector()));

    // then
    assertThat(failure)
        .hasMessageContaining("stock of ledger " + OURS + " alone")
        .hasMessageContaining("its key " + RedisBackend.LEDGER + " names ledger " + OTHER);
    assertThat(((ConnectFailure) failure).connectFault()).isEqualTo(ConnectFault.OTHER_LEDGER);
    assertThat(told("KEYS", "*")).isEqualTo("[" + RedisBackend.LEDGER + "]");
    assertThat(named()).isEqualTo(OTHER);
  }

  /** The probe of a start is before the ledger is known to be alone in its order log. */
  @Test
  void shouldNotNameItsLedgerBeforeRedisIsInUse() {
    // when
    await(RedisStock.probe(connector()));

    // then
    assertThat(named()).isEqualTo("null");
  }

  /** As an older file would that is restored. */
  @Test
  void shouldBeGivenUpWhenAnotherLedgerIsNamedLater() {
    // given
    await(redis.loop.call(unit::start));
    long alarms = Alarm.SECOND_LEDGER.raised();

    // when
    name(OTHER);

    // then
    await().atMost(SOON).until(() -> !unit.isUp() && Alarm.SECOND_LEDGER.raised() > alarms);
    assertThat(unit.outage()).isEqualTo("has the stock of another ledger");
    assertThat(redis.loop.failureOf(() -> unit.at(0).freeze(new BucketId(1, 0), 1)))
        .isInstanceOf(StockUnavailableException.class);
    name(OURS);
    await().atMost(SOON).until(unit::isUp);
    assertThat(Alarm.SECOND_LEDGER.raised()).isEqualTo(alarms + 1);
  }

  /** The words of the error were told as the name of a ledger, whose Redis might be emptied. */
  @Test
  void shouldBeGivenUpWhenAnotherToolHasTakenTheKey() {
    // given
    await(redis.loop.call(unit::start));
    long alarms = Alarm.SECOND_LEDGER.raised();

    // when
    told("SET", RedisBackend.LEDGER, "mine");

    // then
    await().atMost(SOON).until(() -> unit.outage().equals("not configured as required"));
    assertThat(Alarm.SECOND_LEDGER.raised()).isEqualTo(alarms);
    Throwable failure = redis.loop.failureOf(() -> RedisStock.probe(connector()));
    assertThat(((ConnectFailure) failure).connectFault()).isEqualTo(ConnectFault.UNFIT);
    assertThat(failure)
        .hasMessageStartingWith("Expected the key %s to be a hash", RedisBackend.LEDGER)
        .hasMessageContaining("Redis says: WRONGTYPE");
    told("DEL", RedisBackend.LEDGER);
    await().atMost(SOON).until(unit::isUp);
    assertThat(named()).isEqualTo(OURS);
  }

  @Test
  void shouldBeNamedAgainWhenRedisIsEmptied() {
    // given
    await(redis.loop.call(unit::start));

    // when
    told("FLUSHDB");

    // then
    await().atMost(SOON).until(() -> OURS.equals(named()));
    assertThat(unit.isUp()).isTrue();
  }

  /** It refuses grants; a name that cannot be written is no other ledger. */
  @Test
  void shouldStayConnectedWhenItsMemoryIsTooFullForAName() {
    // given
    await(redis.loop.call(unit::start));
    redis.backend().configure("maxmemory", "1");

    // when
    told("FLUSHDB");

    // then
    await().atMost(SOON).until(() -> unit.outage().equals("its memory is full"));
    assertThat(unit.isUp()).isTrue();
    redis.backend().configure("maxmemory", "0");
    await().atMost(SOON).until(() -> OURS.equals(named()));
  }

  private RedisConnector connector() {
    return new RedisConnector(redis.vertx, config).of(OURS);
  }

  private void name(String ledger) {
    told("HSET", RedisBackend.LEDGER, "id", ledger);
  }

  private String named() {
    return told("HGET", RedisBackend.LEDGER, "id");
  }

  private String told(String command, String... arguments) {
    Request request = Request.cmd(Command.create(command));
    List.of(arguments).forEach(request::arg);
    return String.valueOf(await(client.send(request)));
  }
}
