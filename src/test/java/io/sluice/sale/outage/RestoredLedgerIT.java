package io.sluice.sale.outage;

import static java.util.stream.Collectors.toMap;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.sluice.model.BucketId;
import io.sluice.monitor.Alarm;
import io.sluice.sale.Insistence;
import io.sluice.sale.Newcomers;
import io.sluice.testkit.mysql.LedgerBackup;
import io.sluice.testkit.mysql.LedgerReader;
import io.sluice.testkit.register.Raises;
import io.sluice.testkit.site.Answer;
import io.sluice.testkit.site.Buyer;
import io.sluice.testkit.site.Crowd;
import io.sluice.testkit.site.Sale;
import io.sluice.testkit.site.SaleSite;
import io.vertx.core.json.JsonObject;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * The ledger is put back to an earlier state, while the order log and Redis are not. After each
 * test the site compares every yes with the ledger.
 */
class RestoredLedgerIT {
  @RegisterExtension
  static final SaleSite site =
      SaleSite.withInstances(2)
          .withFaults()
          // What is booked past the log, or from Redis by the sweep, may not be in the order log.
          .setting("SLUICE_RESERVATION_DIRECT_PER_S", 0)
          .setting("SLUICE_RESERVATION_SWEEP_AFTER_MS", 600_000)
          .setting("SLUICE_RECONCILE_INTERVAL_MS", 86_400_000);

  private static final Duration LIMIT = Duration.ofSeconds(60);
  private static final Duration SELLS_AGAIN_WITHIN = Duration.ofSeconds(20);

  /**
   * More units than buyers: a buyer whose bucket is empty would be told busy until all buckets are
   * empty.
   */
  private static final int UNITS = 4_800;

  private static final int BUYERS = 4_000;
  private static final int VISITORS = 12;

  private final Newcomers newcomers = new Newcomers();
  private LedgerBackup backup;

  @BeforeEach
  void awaitReady() {
    site.awaitReady();
    backup = new LedgerBackup(site.vertx(), site.setting("SLUICE_MYSQL_URI"));
  }

  @Test
  @Raises(Alarm.LEDGER_RESTORED)
  void shouldBookEveryYesAgainWhenTheLedgerGoesBackInTheMiddleOfASale() {
    // given
    Sale sale = site.sale().withStock(UNITS).withBuckets(6).open();
    Insistence buyers = Insistence.of(site, sale, BUYERS, VISITORS);
    await().atMost(LIMIT).until(() -> buyers.yeses() > 150);
    backup.take();
    await().atMost(LIMIT).until(() -> buyers.yeses() > 600);
    List<String> paid = buyers.tokens().values().stream().limit(30).toList();
    paid.forEach(token -> await().atMost(LIMIT).until(() -> sale.pay(token).isYes()));
    int before = buyers.yeses();

    // when
    backup.restore();

    // then
    await()
        .atMost(SELLS_AGAIN_WITHIN)
        .untilAsserted(() -> assertThat(latecomer(sale)).isEqualTo("201 RESERVED"));
    Map<String, Long> last = Crowd.tally(Crowd.await(buyers.done()));
    assertThat(buyers.yeses()).isGreaterThan(before);
    assertThat(last.keySet()).allMatch(brief -> brief.matches("20[01] .*"));
    await()
        .atMost(LIMIT)
        .untilAsserted(
            () -> {
              assertThat(lost(sale, buyers)).isEmpty();
              assertThat(sale.tokens("CONFIRMED")).containsAll(paid);
            });
    assertThat(sale.tokens("REJECTED")).isEmpty();
    assertThat(alarms()).contains("bookedBefore");
    site.checkPromises();
    assertThat(site.reconciled()).extracting(report -> report.getInteger("drift")).containsOnly(0);
  }

  /** Moves are not in the order log; the grants of what has moved are. */
  @Test
  void shouldBookEveryYesAgainWhenTheLedgerForgetsThatItsUnitsHaveMoved() {
    // given
    Sale warmUp = site.sale().withStock(1).withBuckets(8).open();
    assertThat(bought(warmUp, ofOneBucket(warmUp, 8, 1))).hasSize(1);
    Sale sale = site.sale().withStock(40).withBuckets(2).open();
    backup.take();
    List<String> yeses = bought(sale, ofOneBucket(sale, 2, 30));
    await().atMost(LIMIT).until(() -> sale.tokens("PENDING").count() == 30);

    // when
    backup.restore();

    // then
    sale.awaitBooked(yeses);
    assertThat(sale.tokens("REJECTED")).isEmpty();
    assertThat(bought(sale, Buyer.crowd(10))).hasSize(10);
    await().atMost(SELLS_AGAIN_WITHIN).until(() -> newcomers.brief(sale).equals("409 sold-out"));
    site.checkPromises();
  }

  /** Buyers of the last bucket. */
  private static List<Buyer> ofOneBucket(Sale sale, int buckets, int count) {
    return IntStream.range(0, 10_000)
        .mapToObj(i -> Buyer.named("mover-" + i))
        .filter(buyer -> BucketId.of(sale.skuId(), buyer.userId(), buckets).bucket() == buckets - 1)
        .limit(count)
        .toList();
  }

  private static List<String> bought(Sale sale, List<Buyer> buyers) {
    return Newcomers.yeses(
        site.crowd(VISITORS)
            .send(buyers, buyer -> Insistence.on(() -> sale.ordering(buyer, "k1", 1))));
  }

  @Test
  void shouldNoticeAndSellOnWhenTheLedgerGoesBackBehindItsFirstTakeOverAndTheSaleIsQuiet() {
    // given
    Sale sale = site.sale().withStock(40).open();
    List<Answer> early = site.crowd(VISITORS).send(newcomers.orders(sale, 20));
    await().atMost(LIMIT).until(() -> sale.tokens("PENDING").count() == 20);
    long epoch = redis(sale).getLong("epoch");
    tamper("CREATE TABLE fences_of_now AS SELECT * FROM partition_fence");

    // when
    tamper("DELETE FROM partition_fence");

    // then
    await()
        .atMost(SELLS_AGAIN_WITHIN)
        .until(
            () -> site.ledger().nextOffsets().equals(site.topics().endOffsets(site.ordersTopic())));
    await().atMost(SELLS_AGAIN_WITHIN).until(() -> isOpenInALaterEpoch(sale, epoch));
    await().atMost(SELLS_AGAIN_WITHIN).until(() -> newcomers.brief(sale).equals("201 RESERVED"));
    assertThat(terms("partition_fence")).allMatch(term -> term > terms("fences_of_now").get(0));
    assertThat(sale.tokens("PENDING")).containsAll(Newcomers.yeses(early));
  }

  @Test
  void shouldGiveEachYesItsUnitWhenTimeOutsAreForgottenAndAnInstanceStartsAfterwards() {
    // given
    Sale sale = site.sale().withStock(1).withPaymentWindow(Duration.ofSeconds(2)).open();
    backup.take();
    String gone = sale.order(Buyer.named("alice")).token();
    await().atMost(LIMIT).until(() -> sale.tokens("CANCELED").anyMatch(gone::equals));
    String bobs = boughtBy(sale, Buyer.named("bob"));
    await().atMost(LIMIT).until(() -> sale.pay(bobs).brief().equals("200 CONFIRMED"));
    site.instances().forEach(instance -> instance.terminate());

    // when
    backup.restore();
    site.instances().forEach(instance -> instance.start());
    site.awaitReady();

    // then
    await()
        .atMost(LIMIT)
        .untilAsserted(
            () -> {
              assertThat(sale.tokens("CONFIRMED")).containsExactly(bobs);
              assertThat(sale.tokens("CANCELED")).containsExactly(gone);
            });
    await().atMost(SELLS_AGAIN_WITHIN).until(() -> newcomers.brief(sale).equals("409 sold-out"));
    assertThat(alarms()).contains("bookedBefore");
  }

  /**
   * The buyers' orders that are neither unpaid nor paid; what is not in the ledger is "missing".
   */
  private static Map<String, String> lost(Sale sale, Insistence buyers) {
    Map<String, String> booked =
        site.ledger().orders(sale.skuId()).stream()
            .collect(toMap(LedgerReader.OrderRow::token, LedgerReader.OrderRow::status));
    return buyers.tokens().values().stream()
        .filter(token -> !List.of("PENDING", "CONFIRMED").contains(status(booked, token)))
        .collect(toMap(token -> token, token -> status(booked, token)));
  }

  private static String status(Map<String, String> booked, String token) {
    return booked.getOrDefault(token, "missing");
  }

  private static boolean isOpenInALaterEpoch(Sale sale, long epoch) {
    JsonObject redis = redis(sale);
    return redis.getString("code").equals("OK") && redis.getLong("epoch") > epoch;
  }

  private static JsonObject redis(Sale sale) {
    return sale.look().json().getJsonArray("per_bucket").getJsonObject(0).getJsonObject("redis");
  }

  /** The answer to a buyer who has not asked before. */
  private static String latecomer(Sale sale) {
    return sale.order(Buyer.named("latecomer-" + System.nanoTime())).brief();
  }

  private static String boughtBy(Sale sale, Buyer buyer) {
    await().atMost(LIMIT).until(() -> sale.order(buyer).isYes());
    return sale.order(buyer).token();
  }

  private static List<Long> terms(String table) {
    return site.ledger()
        .query("SELECT term FROM " + table + " ORDER BY term DESC", row -> row.getLong(0));
  }

  private static void tamper(String sql) {
    site.ledger().query(sql, row -> row);
  }

  private static String alarms() {
    return site.instances().stream()
        .flatMap(instance -> instance.log().lines())
        .filter(line -> line.contains("ALARM: ledger was restored"))
        .reduce("", (one, next) -> one + next + "\n");
  }
}
