package io.sluice.sale.outage;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;
import static org.awaitility.Awaitility.await;

import io.sluice.testkit.server.Backends;
import io.sluice.testkit.site.Answer;
import io.sluice.testkit.site.Buyer;
import io.sluice.testkit.site.Crowd;
import io.sluice.testkit.site.Sale;
import io.sluice.testkit.site.SaleSite;
import io.sluice.testkit.site.SluiceProcess;
import io.vertx.core.Future;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Instances that start and stop during a sale. */
class FailoverIT {
  @RegisterExtension static final SaleSite site = SaleSite.withInstances(2).withFaults();

  private static final int UNITS = 4_000;
  private static final int BUCKETS = 16;
  private static final int VISITORS = 64;
  private static final Duration LIMIT = Duration.ofSeconds(30);
  private static final Buyer ALICE = Buyer.named("alice");

  @BeforeEach
  void bringAllUp() {
    for (SluiceProcess instance : site.instances()) {
      if (!instance.isAlive()) {
        instance.start();
      }
    }
    site.awaitReady();
  }

  @Test
  void shouldTakeOverWithin15SecondsWhenAnInstanceIsKilled() {
    // given
    Sale sale = site.sale().withStock(UNITS).withBuckets(BUCKETS).open();
    Future<List<Answer>> load = rush(sale, "before-");
    awaitOrders(sale, 300);

    // when
    site.instance(1).kill();
    long killedNs = System.nanoTime();
    Sale survivors = sale.at(site.instance(0));
    List<String> afterwards = grantedBy(survivors);

    // then
    await()
        .atMost(LIMIT)
        .until(
            () -> survivors.tokens("PENDING").collect(Collectors.toSet()).containsAll(afterwards));
    assertThat(Duration.ofNanos(System.nanoTime() - killedNs)).isLessThan(Duration.ofSeconds(15));
    assertThat(partitionsOf(sale)).isEqualTo(site.partitions());
    assertThat(Crowd.await(load)).extracting(Answer::status).contains(201);
  }

  @Test
  void shouldHandOverWhenAnInstanceIsTerminated() {
    // given
    Sale sale = site.sale().withStock(UNITS).withBuckets(BUCKETS).open();
    String token = sale.order(ALICE).token();
    await().atMost(LIMIT).until(() -> sale.status(ALICE, token).brief().equals("200 PENDING"));
    Future<Answer> waiting =
        sale.at(site.instance(1)).statusChanging(ALICE, token, Duration.ofSeconds(25));
    Sale leaving = sale.at(site.instance(1));
    Crowd.await(oncePerVisitor(leaving, "warm-", new AtomicInteger()));
    Future<List<Answer>> load = rush(sale.at(site.instance(0)), "elsewhere-");

    // when
    var answered = new AtomicInteger();
    Future<List<Answer>> underWay = oncePerVisitor(leaving, "under-way-", answered);
    await().atMost(LIMIT).pollInterval(Duration.ofMillis(1)).until(() -> answered.get() > 0);
    SluiceProcess.Exit exit = site.instance(1).terminate();
    long endedNs = System.nanoTime();
    List<String> afterwards = grantedBy(sale.at(site.instance(0)));

    // then
    assertThat(exit.code()).isZero();
    assertThat(exit.took()).isLessThan(Duration.ofSeconds(10));
    assertThat(answer(waiting).brief()).isEqualTo("200 PENDING");
    assertThat(Crowd.tally(Crowd.await(underWay)).keySet())
        .allMatch(brief -> brief.matches("201 RESERVED|503 (busy|unavailable)"));
    await()
        .atMost(LIMIT)
        .until(() -> sale.tokens("PENDING").collect(Collectors.toSet()).containsAll(afterwards));
    assertThat(Duration.ofNanos(System.nanoTime() - endedNs)).isLessThan(Duration.ofSeconds(6));
    assertThat(Crowd.await(load)).allMatch(Answer::came);
  }

  @Test
  void shouldShareThePartitionsWhenAnInstanceJoins() {
    // given
    site.instance(1).terminate();
    Sale sale = site.sale().withStock(UNITS).withBuckets(BUCKETS).open();
    Future<List<Answer>> load = rush(sale.at(site.instance(0)), "joining-");
    awaitOrders(sale, 100);

    // when
    site.instance(1).start().awaitReady();

    // then
    assertThat(Crowd.tally(Crowd.await(load)).keySet())
        .allMatch(brief -> brief.matches("201 RESERVED|503 (busy|unavailable)"));
    await().atMost(LIMIT).until(() -> grantedBy(sale.at(site.instance(1))).size() > 0);
  }

  @Test
  void shouldHaveOwnersSoonWhenBrokerAndInstancesDiedTogether() {
    // given
    assumeThat(Backends.shared().kafka().killable()).as("started by the tests").isTrue();
    Sale sale = site.sale().withStock(UNITS).withBuckets(BUCKETS).open();
    awaitBooked(sale, grantedBy(sale));

    // when
    Backends.shared().kafka().kill();
    site.instances().forEach(SluiceProcess::kill);
    Backends.shared().kafka().start();
    site.instances().forEach(SluiceProcess::start);
    site.awaitReady();

    // then
    awaitBooked(sale, grantedBy(sale));
  }

  private static void awaitBooked(Sale sale, List<String> granted) {
    assertThat(granted).isNotEmpty();
    await()
        .atMost(LIMIT)
        .until(() -> sale.tokens("PENDING").collect(Collectors.toSet()).containsAll(granted));
  }

  /** Sends one request on each of many connections, all at once. */
  private static Future<List<Answer>> oncePerVisitor(
      Sale sale, String prefix, AtomicInteger answered) {
    return site.crowd(VISITORS)
        .start(
            Buyer.crowd(VISITORS).stream()
                .map(buyer -> Buyer.named(prefix + buyer.userId()))
                .<Supplier<Future<Answer>>>map(
                    buyer ->
                        () ->
                            sale.ordering(buyer, "k1", 1)
                                .onSuccess(answer -> answered.incrementAndGet()))
                .toList());
  }

  private static Future<List<Answer>> rush(Sale sale, String prefix) {
    return site.crowd(VISITORS)
        .start(
            Buyer.crowd(3_000),
            buyer -> sale.ordering(Buyer.named(prefix + buyer.userId()), "k1", 1));
  }

  private static void awaitOrders(Sale sale, int count) {
    await()
        .atMost(LIMIT)
        .pollInterval(Duration.ofMillis(20))
        .until(() -> site.ledger().orders(sale.skuId()).size() >= count);
  }

  /** Enough orders that every partition has some. */
  private static List<String> grantedBy(Sale sale) {
    String run = "after-" + System.nanoTime() + "-";
    return Buyer.crowd(100).stream()
        .map(buyer -> sale.order(Buyer.named(run + buyer.userId()), "k1"))
        .filter(Answer::isYes)
        .map(Answer::token)
        .toList();
  }

  private static int partitionsOf(Sale sale) {
    return site.ledger()
        .query(
            "SELECT COUNT(DISTINCT partition_id) FROM orders WHERE sku_id = ?",
            row -> row.getInteger(0),
            sale.skuId())
        .get(0);
  }

  private static Answer answer(Future<Answer> answer) {
    try {
      return answer.await(LIMIT.toSeconds(), TimeUnit.SECONDS);
    } catch (TimeoutException e) {
      throw new AssertionError("the waiting request does not end", e);
    }
  }
}
