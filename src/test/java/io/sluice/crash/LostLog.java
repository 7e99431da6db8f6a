package io.sluice.crash;

import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.sluice.ledger.mysql.MySqlInstances;
import io.sluice.testkit.kafka.KafkaBackend;
import io.sluice.testkit.mysql.MysqlBackend;
import io.sluice.testkit.site.Answer;
import io.sluice.testkit.site.Buyer;
import io.sluice.testkit.site.Sale;
import io.sluice.testkit.site.SaleSite;
import io.vertx.core.Future;
import java.time.Duration;
import java.util.List;
import java.util.function.Supplier;

/** Kafka is lost with everything in it, under a sale of one instance. */
final class LostLog {
  static final String ADOPT = "--adopt-log";
  static final Duration LIMIT = Duration.ofSeconds(60);

  private final SaleSite site;

  LostLog(SaleSite site) {
    this.site = site;
  }

  /**
   * Kills the instance and replaces Kafka with an empty one.
   *
   * @return the tokens of grants that were confirmed to buyers, and that only Redis has now
   */
  List<String> lose(Sale sale) {
    KafkaBackend kafka = site.backends().kafka();
    MysqlBackend mysql = site.backends().mysql();
    assumeTrue(kafka.restorable() && mysql.killable());
    List<String> unbooked = orderWhileNothingIsBooked(sale, mysql);
    kafka.kill();
    kafka.loseData();
    kafka.start();
    return unbooked;
  }

  private List<String> orderWhileNothingIsBooked(Sale sale, MysqlBackend mysql) {
    mysql.pause();
    try {
      List<Supplier<Future<Answer>>> orders =
          Buyer.crowd(20).stream()
              .<Supplier<Future<Answer>>>map(buyer -> () -> sale.ordering(buyer, "", 1))
              .toList();
      return site.crowd(10).send(orders).stream().filter(Answer::isYes).map(Answer::token).toList();
    } finally {
      site.instance(0).kill();
      mysql.resume();
    }
  }

  /** However long a slow machine took since: the killed instances were seen just now. */
  void rememberKilledInstances() {
    killedInstancesWereSeen(Duration.ZERO);
  }

  /** The killed instances were seen so long ago that they do not count as running. */
  void forgetKilledInstances() {
    killedInstancesWereSeen(MySqlInstances.ALIVE_FOR.plusSeconds(1));
  }

  private void killedInstancesWereSeen(Duration ago) {
    String seenAt = "CAST(UNIX_TIMESTAMP(NOW(3)) * 1000 AS SIGNED) - " + ago.toMillis();
    site.ledger().query("UPDATE service_instance SET seen_at = " + seenAt, row -> row);
  }

  static void assertPaid(Sale sale, String token) {
    await().atMost(LIMIT).until(() -> sale.pay(token).brief().equals("200 CONFIRMED"));
  }
}
