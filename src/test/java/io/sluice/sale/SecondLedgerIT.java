package io.sluice.sale;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.sluice.monitor.Alarm;
import io.sluice.testkit.mysql.LedgerReader;
import io.sluice.testkit.redis.RedisBackend;
import io.sluice.testkit.server.ServerOptions;
import io.sluice.testkit.site.Answer;
import io.sluice.testkit.site.Buyer;
import io.sluice.testkit.site.Sale;
import io.sluice.testkit.site.SaleSite;
import io.sluice.testkit.site.SluiceProcess;
import java.time.Duration;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Two ledgers on one Redis loaded their buckets over each other's, and both stayed ready. */
class SecondLedgerIT {
  @RegisterExtension
  static final SaleSite site =
      SaleSite.withInstances(1).withFaults().withServersOfItsOwn(ServerOptions.none());

  private static final Duration LIMIT = Duration.ofSeconds(60);

  @Test
  void shouldEndWithCode2WhenAnotherLedgerHasItsStockInThisRedis() {
    // given
    Sale sale = site.sale().withStock(100).open();
    List<String> before = redis().keys("*");
    String other = site.backends().mysql().newDatabase();

    // when
    int code;
    String log;
    try (SluiceProcess stranger = site.stranger("of-another-ledger", allButRedis(other))) {
      code = stranger.start().awaitExit().code();
      log = stranger.log();
    }

    // then
    assertThat(code).isEqualTo(2);
    assertThat(log)
        .contains(
            "stock of ledger %s alone, but its key %s names ledger %s"
                .formatted(idOf(other), RedisBackend.LEDGER, named()))
        .doesNotContain("\tat ");
    assertThat(named()).isNotEqualTo(idOf(other));
    assertThat(redis().keys("*")).isEqualTo(before);
    try (LedgerReader founded = new LedgerReader(site.vertx(), other)) {
      assertThat(
              founded.query(
                  "SELECT name FROM foundation WHERE name = 'kafka_topic_id'",
                  row -> row.getString(0)))
          .isEmpty();
    }
    assertThat(sale.order(Buyer.named("alice")).brief()).isEqualTo("201 RESERVED");
  }

  /** As an older file of Redis would that is restored. */
  @Test
  void shouldGrantNothingWhileRedisNamesAnotherLedger() {
    // given
    Sale sale = site.sale().withStock(100).open();
    String ours = named();

    // when
    redis().administer("HSET " + RedisBackend.LEDGER + " id another");

    // then
    SluiceProcess instance = site.instance(0);
    await()
        .atMost(LIMIT)
        .untilAsserted(
            () -> {
              Answer ready = instance.readiness();
              assertThat(ready.status()).isEqualTo(503);
              assertThat(ready.json().getJsonObject("parts").getJsonObject("redis"))
                  .hasToString(
                      "{\"state\":\"down\",\"detail\":\"does not answer: has the stock of another"
                          + " ledger\"}");
            });
    // Each event loop looks once a second.
    Iterator<Buyer> others = Buyer.crowd(100).iterator();
    await().atMost(LIMIT).until(() -> sale.order(others.next()).status() == 503);
    assertThat(instance.log()).contains(Alarm.SECOND_LEDGER.text());
    redis().administer("HSET " + RedisBackend.LEDGER + " id " + ours);
    instance.awaitReady();
    await().atMost(LIMIT).until(() -> sale.order(Buyer.named("bob")).isYes());
  }

  @Test
  void shouldNameItsLedgerAgainWhenRedisIsEmptied() {
    // given
    Sale sale = site.sale().withStock(100).open();
    String ours = named();

    // when
    redis().administer("FLUSHALL");

    // then
    await().atMost(LIMIT).ignoreExceptions().until(() -> named().equals(ours));
    await().atMost(LIMIT).until(() -> sale.order(Buyer.named("carol")).isYes());
  }

  @Test
  void shouldEndWithCode2WhenTheLedgerHasAnotherIdByNow() {
    // given
    String ours = named();
    setId("another");
    forgetInstances();

    // when
    SluiceProcess.Exit exit = site.instance(0).awaitExit();

    // then
    assertThat(exit.code()).isEqualTo(2);
    assertThat(site.instance(0).log())
        .contains("to be that of ledger " + ours)
        .contains("that of ledger another;");
    setId(ours);
    site.instance(0).start().awaitReady();
  }

  /** As a ledger does that is put back to before they started. */
  private static void forgetInstances() {
    site.ledger().query("DELETE FROM service_instance", row -> row);
  }

  private static void setId(String id) {
    site.ledger().query("UPDATE foundation SET value = ? WHERE name = 'ledger_id'", row -> row, id);
  }

  /** Topics and a group of its own, but the Redis of the site. */
  private static Map<String, String> allButRedis(String database) {
    return Map.of(
        "SLUICE_MYSQL_URI",
        database,
        "SLUICE_KAFKA_ORDERS_TOPIC",
        "others-orders",
        "SLUICE_KAFKA_EVENTS_TOPIC",
        "others-events",
        "SLUICE_KAFKA_GROUP",
        "others");
  }

  private static RedisBackend redis() {
    return site.backends().redis();
  }

  private static String named() {
    return redis().list("HMGET " + RedisBackend.LEDGER + " id").get(0);
  }

  private static String idOf(String database) {
    try (LedgerReader ledger = new LedgerReader(site.vertx(), database)) {
      return ledger
          .query("SELECT value FROM foundation WHERE name = 'ledger_id'", row -> row.getString(0))
          .get(0);
    }
  }
}
