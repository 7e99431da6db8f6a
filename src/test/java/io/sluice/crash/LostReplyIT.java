package io.sluice.crash;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;
import static org.awaitility.Awaitility.await;

import io.sluice.stock.redis.LuaHash;
import io.sluice.testkit.fault.FaultProxy;
import io.sluice.testkit.server.Backends;
import io.sluice.testkit.site.Answer;
import io.sluice.testkit.site.Buyer;
import io.sluice.testkit.site.Call;
import io.sluice.testkit.site.Sale;
import io.sluice.testkit.site.SaleSite;
import io.sluice.testkit.site.SluiceProcess;
import io.vertx.core.Future;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * An operation whose reply was lost takes effect once; a caller that repeats the request gets its
 * outcome.
 */
class LostReplyIT {
  @RegisterExtension
  static final SaleSite site =
      SaleSite.withInstances(0)
          .withFaults()
          .setting("SLUICE_MYSQL_TIMEOUT_MS", 2_000)
          .setting("SLUICE_REDIS_TIMEOUT_MS", 500);

  private static final Duration LIMIT = Duration.ofSeconds(30);
  private static final int UNITS = 20;
  private static final AtomicInteger VISITS = new AtomicInteger();

  private static FaultProxy redis;
  private static FaultProxy kafka;
  private static FaultProxy mysql;
  private static SluiceProcess instance;

  private final Buyer buyer = Buyer.named("buyer-" + VISITS.incrementAndGet() + "-of-lost-replies");
  private long lostBefore;

  @BeforeAll
  static void openBehindProxies() {
    Backends backends = Backends.shared();
    assumeThat(backends.kafka().killable()).as("Kafka was started by the tests").isTrue();
    redis = FaultProxy.inFrontOf(backends.redis().uri());
    mysql = FaultProxy.inFrontOf(site.setting("SLUICE_MYSQL_URI"));
    kafka = FaultProxy.inFrontOf(backends.kafka());
    instance =
        site.newInstance(
                Map.of(
                    "SLUICE_REDIS_URI", redis.uri(),
                    "SLUICE_MYSQL_URI", mysql.uri(),
                    "SLUICE_KAFKA_BOOTSTRAP_SERVERS", kafka.address()))
            .start()
            .awaitReady();
  }

  private void lose(FaultProxy proxy, String... cue) {
    lostBefore = proxy.repliesSwallowed();
    proxy.swallowReplyTo(cue);
  }

  @AfterEach
  void heal() {
    List.of(redis, kafka, mysql).forEach(FaultProxy::heal);
  }

  @AfterAll
  static void closeProxies() {
    // There are none where the tests are skipped.
    Stream.of(redis, kafka, mysql).filter(Objects::nonNull).forEach(FaultProxy::close);
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void shouldSellOneUnitWhenTheReplyOfTheGrantIsLost(boolean cut) {
    // given
    Sale sale = site.sale().withStock(UNITS).open();
    lose(redis, LuaHash.of("reserve"));

    // when
    Answer first = losing(redis, cut, () -> sale.ordering(buyer, "k", 1));
    long granted = site.stock().available(sale.skuId(), 0);
    Answer again = untilAnswered(() -> sale.order(buyer, "k"));

    // then
    assertThat(first.status()).isEqualTo(503);
    assertThat(granted).isEqualTo(UNITS - 1);
    expectOneOrder(sale, again);
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void shouldBookOneOrderWhenTheAckOfTheLogIsLost(boolean cut) {
    // given
    Sale sale = site.sale().withStock(UNITS).open();
    lose(kafka, buyer.userId());

    // when
    Answer first = losing(kafka, cut, () -> sale.ordering(buyer, "k", 1));
    Answer again = untilAnswered(() -> sale.order(buyer, "k"));

    // then
    assertThat(first.status()).isIn(503, 201);
    assertThat(site.topics().all(site.ordersTopic()))
        .anyMatch(entry -> entry.value().contains(buyer.userId()));
    expectOneOrder(sale, again);
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void shouldStayTheOwnerWhenTheReplyOfACommitIsLost(boolean cut) {
    // given
    Sale sale = site.sale().withStock(UNITS).open();
    List<Long> terms = site.ledger().terms();
    lose(mysql, buyer.userId(), "COMMIT");

    // when
    Answer told = losing(mysql, cut, () -> sale.ordering(buyer, "k", 1));
    Answer again = untilAnswered(() -> sale.order(buyer, "k"));

    // then
    assertThat(told.isYes()).isTrue();
    assertThat(again.token()).isEqualTo(told.token());
    expectOneOrder(sale, again);
    await().atMost(LIMIT).until(() -> site.stock().unbooked(sale.skuId(), 0) == 0);
    assertThat(site.ledger().terms()).isEqualTo(terms);
    assertThat(instance.log()).doesNotContain("fence lost");
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void shouldCancelOnceWhenTheReplyOfATimeoutsCommitIsLost(boolean cut) {
    // given
    Sale sale = site.sale().withStock(UNITS).withPaymentWindow(Duration.ofSeconds(1)).open();
    List<Long> terms = site.ledger().terms();
    String token = sale.order(buyer, "k").token();
    await().atMost(LIMIT).until(() -> sale.status(token).brief().equals("200 PENDING"));
    lose(mysql, "TIMEOUT", "COMMIT");

    // when
    awaitLoss(mysql, cut, token);

    // then
    await().atMost(LIMIT).until(() -> sale.status(token).brief().equals("200 CANCELED"));
    await().atMost(LIMIT).until(() -> site.stock().available(sale.skuId(), 0) == UNITS);
    assertThat(site.ledger().terms()).isEqualTo(terms);
  }

  @Test
  void shouldPayOnceWhenTheAckOfTheLogIsLost() {
    // given
    Sale sale = site.sale().withStock(UNITS).open();
    String token = sale.order(buyer, "k").token();
    lose(kafka, token);

    // when
    losing(kafka, true, () -> sale.paying(token));
    Answer again = untilAnswered(() -> sale.pay(token));

    // then
    assertThat(again.brief()).isEqualTo("200 CONFIRMED");
    assertThat(site.ledger().orders(sale.skuId()))
        .singleElement()
        .satisfies(order -> assertThat(order.confirms()).isEqualTo(1));
  }

  @ParameterizedTest
  @CsvSource({
    "book, ''",
    "release, /cancel",
    "restock, 5",
    "take, -5",
    "freeze, /rebuild",
    "load, /rebuild",
    "load_page, /rebuild",
    "open, /rebuild"
  })
  void shouldConvergeWhenTheReplyOfAScriptIsLost(String script, String doing) {
    // given
    Sale sale = site.sale().withStock(UNITS).open();
    Supplier<Answer> act = act(sale, script, doing);
    lose(redis, LuaHash.of(script));

    // when
    Answer first = act.get();
    awaitLoss(redis, true, first);
    Answer last = Stage.isOpen(first) ? untilAnswered(act) : first;

    // then
    assertThat(last.isYes()).as("%s", last).isTrue();
    long change = script.equals("restock") ? 5 : script.equals("take") ? -5 : 0;
    long held = doing.equals("/cancel") ? 0 : 1;
    await()
        .atMost(LIMIT)
        .untilAsserted(
            () -> {
              assertThat(site.stock().available(sale.skuId(), 0)).isEqualTo(UNITS + change - held);
              assertThat(sale.ledger().available()).isEqualTo(UNITS + change - held);
            });
  }

  /** The request that makes an owner call the script, in a sale with one order. */
  private Supplier<Answer> act(Sale sale, String script, String doing) {
    if (script.equals("book")) {
      return () -> sale.order(buyer, "k");
    }
    String token = sale.order(buyer, "k").token();
    await().atMost(LIMIT).until(() -> site.stock().unbooked(sale.skuId(), 0) == 0);
    return switch (doing) {
      case "/cancel" -> () -> sale.cancel(buyer, token);
      case "/rebuild" ->
          () ->
              site.http()
                  .ask(Call.post(instance.adminUrl() + "/admin/skus/" + sale.skuId() + doing));
      default -> () -> sale.restock("r1", Long.parseLong(doing));
    };
  }

  /** Sends the request once; returns its answer once a reply was lost on the way. */
  private Answer losing(FaultProxy proxy, boolean cut, Supplier<Future<Answer>> request) {
    Future<Answer> answer = request.get();
    awaitLoss(proxy, cut, answer);
    await().atMost(LIMIT).until(answer::isComplete);
    return answer.result();
  }

  /** Waits until a reply is lost; then cuts the connection, or leaves it silent. */
  private void awaitLoss(FaultProxy proxy, boolean cut, Object soFar) {
    await()
        .atMost(LIMIT)
        .untilAsserted(
            () ->
                assertThat(proxy.repliesSwallowed())
                    .as("replies dropped, with the answer %s", soFar)
                    .isGreaterThan(lostBefore));
    if (cut) {
      proxy.cut();
    }
  }

  private static Answer untilAnswered(Supplier<Answer> request) {
    return await().atMost(LIMIT).until(request::get, answer -> !Stage.isOpen(answer));
  }

  private static void expectOneOrder(Sale sale, Answer answer) {
    await()
        .atMost(LIMIT)
        .untilAsserted(
            () ->
                assertThat(site.ledger().orders(sale.skuId()))
                    .singleElement()
                    .satisfies(
                        order -> {
                          assertThat(order.token()).isEqualTo(answer.token());
                          assertThat(order.holds()).isEqualTo(1);
                        }));
  }
}
