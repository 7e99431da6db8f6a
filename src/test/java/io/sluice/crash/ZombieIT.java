package io.sluice.crash;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.sluice.testkit.kafka.GroupMembers;
import io.sluice.testkit.mysql.LedgerReader.OrderRow;
import io.sluice.testkit.server.Backends;
import io.sluice.testkit.site.Answer;
import io.sluice.testkit.site.Buyer;
import io.sluice.testkit.site.Call;
import io.sluice.testkit.site.Crowd;
import io.sluice.testkit.site.Sale;
import io.sluice.testkit.site.SaleSite;
import io.sluice.testkit.site.SluiceProcess;
import io.vertx.core.Future;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Instances that continue after others have taken over their partitions. */
class ZombieIT {
  @RegisterExtension static final SaleSite site = SaleSite.withInstances(1).withFaults();

  private static final Duration LIMIT = Duration.ofSeconds(40);

  /** No order times out during a test. */
  private static final Duration AGES = Duration.ofHours(1);

  private static final int BUCKETS = 16;
  private static final int UNITS = 4_000;
  private static final int VISITORS = 32;

  /** Each of the two instances is swapped at least once. */
  private static final int SWAPS = CrashTable.WHOLE ? 4 : 2;

  private static final AtomicInteger VISITS = new AtomicInteger();
  private static final Map<String, Buyer> BUYERS = new ConcurrentHashMap<>();

  @TempDir static Path folder;

  private static Suspect zombie;
  private static GroupMembers group;

  @BeforeAll
  static void startZombie() {
    CrashTable.printSeed();
    group = new GroupMembers(Backends.shared().kafka().bootstrapServers(), site.group());
    zombie = new Suspect(site, folder, "zombie", Map.of());
  }

  @BeforeEach
  void bringAllUp() {
    zombie.tell(List.of());
    zombie.revive();
    site.awaitReady();
    await().atMost(LIMIT).until(() -> group.owners() == site.instances().size());
  }

  @AfterEach
  void letGo() {
    if (zombie.process().isAlive()) {
      zombie.process().resume();
    }
    zombie.tell(List.of());
  }

  @AfterAll
  static void leave() {
    group.close();
  }

  @Test
  void shouldStepDownWhenItsSessionEndedWhileItWasPaused() {
    // given
    Sale sale = site.sale().withPaymentWindow(AGES).withStock(UNITS).withBuckets(BUCKETS).open();
    Sale elsewhere = sale.at(site.instance(0));
    order(sale, 64);
    List<Long> terms = site.ledger().terms();

    // when
    zombie.process().pause();
    List<String> meanwhile = order(elsewhere, 64);
    awaitBooked(sale, meanwhile);
    List<Long> taken = site.ledger().terms();
    zombie.process().resume();

    // then
    assertThat(IntStream.range(0, terms.size()).filter(i -> taken.get(i) > terms.get(i)).count())
        .isPositive();
    List<String> afterwards = order(sale, 64);
    awaitBooked(sale, afterwards);
    assertThat(site.ledger().orders(sale.skuId())).extracting(OrderRow::holds).containsOnly(1L);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "ledger.apply:before",
        "ledger.apply/commit",
        "stock.release:before",
        "events.publish:before"
      })
  void shouldDoubleNothingWhenItGoesOnAfterATakeOver(String step) {
    // given
    Sale sale = site.sale().withPaymentWindow(AGES).withStock(UNITS).withBuckets(BUCKETS).open();
    Sale elsewhere = sale.at(site.instance(0));
    List<String> before = order(sale, 64);
    awaitBooked(sale, before);
    zombie.tell(List.of(Steps.Verb.STOP + " " + step));
    List<String> underWay = new ArrayList<>(order(elsewhere, 64));
    before.forEach(token -> site.http().send(cancel(token)));
    zombie.awaitStoppedAt(step, LIMIT);

    // when
    group.evict();
    underWay.addAll(order(elsewhere, 64));
    awaitBooked(sale, underWay);
    zombie.process().resume();

    // then
    List<String> afterwards = order(sale, 64);
    awaitBooked(sale, afterwards);
    before.forEach(token -> awaitCanceled(elsewhere, token));
    assertThat(site.ledger().orders(sale.skuId())).extracting(OrderRow::holds).containsOnly(1L);
    await()
        .atMost(LIMIT)
        .until(() -> sale.ledger().available() == UNITS - underWay.size() - afterwards.size());
  }

  @Test
  void shouldSayNoYesWhenItWasPausedBetweenGrantAndLog() {
    // given
    Sale sale = site.sale().withPaymentWindow(AGES).withStock(UNITS).open();
    Sale elsewhere = sale.at(site.instance(0));
    Buyer buyer = Buyer.named("late-" + VISITS.incrementAndGet());
    zombie.tell(List.of("STOP log.append:before"));
    Future<Answer> late = sale.at(zombie.process()).ordering(buyer, "k", 1);
    zombie.awaitStoppedAt("log.append:before", LIMIT);

    // when
    await().atMost(LIMIT).until(() -> sale.tokens("PENDING").count() == 1);
    Answer known = elsewhere.order(buyer, "k");
    Answer canceled = elsewhere.cancel(buyer, known.token());
    zombie.process().resume();
    await().atMost(LIMIT).until(late::isComplete);

    // then
    assertThat(known.status()).isEqualTo(200);
    assertThat(canceled.brief()).isEqualTo("200 CANCELED");
    assertThat(late.result().status()).isIn(0, 503);
    await().atMost(LIMIT).until(() -> recordsOf(known.token()) >= 1);
    assertThat(site.ledger().orders(sale.skuId()))
        .singleElement()
        .satisfies(
            order -> {
              assertThat(order.token()).isEqualTo(known.token());
              assertThat(order.status()).isEqualTo("CANCELED");
              assertThat(order.holds()).isEqualTo(1);
            });
  }

  @Test
  void shouldLoseNothingWhenInstancesAreSwappedAllThroughASale() {
    // given
    Sale sale = site.sale().withPaymentWindow(AGES).withStock(UNITS).withBuckets(BUCKETS).open();
    List<Buyer> buyers = newBuyers(UNITS / 4);
    Future<List<Answer>> load =
        site.crowd(VISITORS).start(buyers, buyer -> sale.ordering(buyer, "k", 1));

    // when
    for (int i = 0; i < SWAPS; i++) {
      SluiceProcess next = site.instance(i % 2);
      next.kill();
      next.start().awaitReady();
    }

    // then
    Crowd.await(load);
    Sale settled = sale.at(site.instance(0));
    List<String> tokens = buyers.stream().map(buyer -> yes(settled, buyer)).toList();
    assertThat(tokens).doesNotHaveDuplicates();
    awaitBooked(sale, tokens);
    assertThat(site.ledger().orders(sale.skuId())).hasSize(buyers.size());
  }

  private static List<Buyer> newBuyers(int count) {
    String run = "visit-" + VISITS.incrementAndGet() + "-";
    return IntStream.range(0, count).mapToObj(i -> Buyer.named(run + i)).toList();
  }

  /** Sends orders of new buyers, each repeated until it is granted. */
  private static List<String> order(Sale sale, int count) {
    return newBuyers(count).stream().map(buyer -> yes(sale, buyer)).toList();
  }

  /** Repeats the request with the same key until it is granted. */
  private static String yes(Sale sale, Buyer buyer) {
    return await()
        .atMost(LIMIT)
        .pollDelay(Duration.ZERO)
        .until(() -> noted(buyer, sale.order(buyer, "k")), Answer::isYes)
        .token();
  }

  private static Answer noted(Buyer buyer, Answer answer) {
    if (answer.isYes()) {
      BUYERS.put(answer.token(), buyer);
    }
    return answer;
  }

  private static Buyer buyerOf(String token) {
    return BUYERS.get(token);
  }

  private static Call cancel(String token) {
    return Call.post(site.instance(0).url() + "/v1/orders/" + token + "/cancel").as(buyerOf(token));
  }

  private static void awaitCanceled(Sale sale, String token) {
    await()
        .atMost(LIMIT)
        .pollDelay(Duration.ZERO)
        .until(() -> sale.cancel(buyerOf(token), token).brief(), "200 CANCELED"::equals);
  }

  private static void awaitBooked(Sale sale, List<String> tokens) {
    await()
        .atMost(LIMIT)
        .until(() -> sale.tokens("PENDING", "CANCELED").toList().containsAll(tokens));
  }

  private static long recordsOf(String token) {
    return site.topics().all(site.ordersTopic()).stream()
        .filter(entry -> entry.value().contains(token) && entry.value().contains("RESERVE"))
        .count();
  }
}
