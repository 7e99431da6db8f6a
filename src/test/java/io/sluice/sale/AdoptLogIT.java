package io.sluice.sale;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.sluice.testkit.kafka.KafkaBackend;
import io.sluice.testkit.mysql.MysqlBackend;
import io.sluice.testkit.server.ServerOptions;
import io.sluice.testkit.site.Answer;
import io.sluice.testkit.site.Buyer;
import io.sluice.testkit.site.Sale;
import io.sluice.testkit.site.SaleSite;
import io.sluice.testkit.site.SluiceProcess;
import io.vertx.core.Future;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Kafka is lost with everything in it, under a sale. */
class AdoptLogIT {
  @RegisterExtension
  static final SaleSite site =
      SaleSite.withInstances(1).withServersOfItsOwn(ServerOptions.none()).withFaults();

  private static final Duration LIMIT = Duration.ofSeconds(60);
  private static final Buyer ALICE = Buyer.named("alice");
  private static final Buyer BOB = Buyer.named("bob");
  private static final String ADOPT = "--adopt-log";
  private static final String ADOPTED = "a new order log is adopted";
  private static final String TAKEN_OVER = "partition taken over";

  @Test
  void shouldLoseNoYesAndGoOnSellingWhenANewLogIsAdopted() {
    // given
    KafkaBackend kafka = site.backends().kafka();
    MysqlBackend mysql = site.backends().mysql();
    assumeTrue(kafka.restorable() && mysql.killable());
    SluiceProcess seller = site.instance(0);
    Sale sale = site.sale().withStock(100).withBuckets(4).open();
    String paid = sale.order(ALICE).token();
    assertPaid(sale, paid);
    List<String> unbooked = orderWhileNothingIsBooked(sale, mysql);
    seller.kill();
    kafka.kill();
    kafka.loseData();
    kafka.start();

    // when
    SluiceProcess plain = site.newInstance(Map.of()).start();
    int refused = plain.awaitExit().code();
    SluiceProcess early = site.newInstance(Map.of()).withArguments(ADOPT).start();
    int tooEarly = early.awaitExit().code();
    killedInstancesAreForgotten();
    SluiceProcess adopting = site.newInstance(Map.of()).withArguments(ADOPT).start();
    await().atMost(LIMIT).until(() -> adopting.log().contains(ADOPTED));
    adopting.kill();
    SluiceProcess again = site.newInstance(Map.of()).withArguments(ADOPT).start();
    int nothingLeft = again.awaitExit().code();
    SluiceProcess dying = site.newInstance(Map.of()).start();
    await().atMost(LIMIT).until(() -> dying.log().contains(TAKEN_OVER));
    dying.kill();
    SluiceProcess next = site.newInstance(Map.of()).start().awaitReady();

    // then
    assertThat(List.of(refused, tooEarly, nothingLeft)).containsOnly(2);
    assertThat(plain.log()).contains("start one with --adopt-log");
    assertThat(early.log()).contains("Expected no instance to run while an order log is adopted");
    assertThat(again.log()).contains("start without --adopt-log");
    assertThat(unbooked).isNotEmpty();
    await()
        .atMost(LIMIT)
        .untilAsserted(() -> assertThat(sale.tokens("PENDING")).containsAll(unbooked));
    assertThat(adopting.log() + dying.log() + next.log())
        .contains("grants that only Redis still knows are booked")
        .doesNotContain("ALARM:");
    assertPaid(sale, unbooked.get(0));
    assertThat(sale.refund(paid).brief()).isEqualTo("200 REFUNDED");
    await().atMost(LIMIT).until(() -> sale.order(BOB).brief().equals("201 RESERVED"));
  }

  /** The tokens of grants that are in the log and in Redis, and nowhere else. */
  private static List<String> orderWhileNothingIsBooked(Sale sale, MysqlBackend mysql) {
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

  private static void assertPaid(Sale sale, String token) {
    await().atMost(LIMIT).until(() -> sale.pay(token).brief().equals("200 CONFIRMED"));
  }

  /** What half a minute does. */
  private static void killedInstancesAreForgotten() {
    site.ledger().query("UPDATE service_instance SET seen_at = seen_at - 31000", row -> row);
  }
}
