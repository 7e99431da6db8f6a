package io.sluice.sale.outage;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;
import static org.awaitility.Awaitility.await;

import io.sluice.monitor.Alarm;
import io.sluice.testkit.register.Moves;
import io.sluice.testkit.server.Backend;
import io.sluice.testkit.server.Backends;
import io.sluice.testkit.site.Answer;
import io.sluice.testkit.site.Buyer;
import io.sluice.testkit.site.Call;
import io.sluice.testkit.site.Crowd;
import io.sluice.testkit.site.Sale;
import io.sluice.testkit.site.SaleSite;
import io.sluice.testkit.site.SluiceProcess;
import io.vertx.core.Future;
import io.vertx.core.json.JsonObject;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.function.Supplier;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Redis, Kafka or MySQL is missing, silent or killed: no request hangs, and the service recovers by
 * itself.
 */
class OutageIT {
  @RegisterExtension static final SaleSite site = SaleSite.withInstances(1).withFaults();

  private static final Duration LIMIT = Duration.ofSeconds(60);

  /** The grant deadline of 2 s, plus a margin for a busy machine. */
  private static final Duration ORDER_LIMIT = Duration.ofMillis(3_500);

  private static final Buyer ALICE = Buyer.named("alice");

  /** A server of the shared set. */
  enum Part {
    REDIS,
    KAFKA,
    MYSQL;

    Backend backend() {
      Backend backend = Backends.shared().all().get(ordinal());
      assumeThat(backend.killable())
          .as("%s was started by the tests, so it can be stopped", backend.describe())
          .isTrue();
      return backend;
    }
  }

  @BeforeEach
  void bringUp() {
    if (!site.instance(0).isAlive()) {
      site.instance(0).start();
    }
    site.awaitReady();
  }

  @ParameterizedTest
  @EnumSource(Part.class)
  void shouldWaitForABackendThatIsMissingAtTheStart(Part part) {
    // given
    Backend backend = part.backend();
    SluiceProcess instance = site.instance(0);
    instance.terminate();
    backend.stop();

    try {
      // when
      instance.start();

      // then
      await().atMost(LIMIT).until(() -> instance.readiness().came());
      assertThat(livez(instance).status()).isEqualTo(200);
      await().atMost(LIMIT).untilAsserted(() -> assertNamed(instance.readiness(), part));
      assertThat(instance.isAlive()).isTrue();
    } finally {
      backend.start();
    }
    instance.awaitReady();
    Sale sale = site.sale().withStock(1).open();
    assertThat(sale.order(ALICE).status()).isEqualTo(201);
  }

  @ParameterizedTest
  @EnumSource(Part.class)
  void shouldAnswerInTimeWhileABackendIsSilent(Part part) {
    // given
    Backend backend = part.backend();
    Sale sale = site.sale().withStock(100).open();
    String token = sale.order(ALICE).token();
    await().atMost(LIMIT).until(() -> sale.status(ALICE, token).brief().equals("200 PENDING"));
    // After these requests every event loop knows the SKU.
    site.crowd(20).send(orders(sale, "early-", 40));

    List<Answer> orders;
    List<Answer> others;
    backend.pause();
    try {
      // when
      orders = site.crowd(20).send(orders(sale, "", 40));
      others =
          site.crowd(4).send(List.of(() -> sale.canceling(ALICE, token), () -> sale.paying(token)));
    } finally {
      backend.resume();
    }

    // then
    assertThat(orders).allMatch(Answer::came).allMatch(a -> a.took().compareTo(ORDER_LIMIT) < 0);
    assertThat(orders).extracting(Answer::brief).isSubsetOf(whileSilent(part));
    assertThat(others).allMatch(Answer::came);
    awaitEverybodyServed(sale, 40);
  }

  /** A ledger that was away was told by 108 warnings of tasks, and by 16 alarms about owners. */
  @ParameterizedTest
  @EnumSource(Part.class)
  @Moves("sluice_part_up")
  void shouldSayInOneLineThatAPartIsAwayAndInOneThatItIsBack(Part part) {
    // given
    Backend backend = part.backend();
    SluiceProcess instance = site.instance(0);
    site.sale().withStock(100).open().order(ALICE);
    int before = instance.log().length();

    // when
    backend.kill();
    try {
      await().atMost(LIMIT).until(() -> instance.log().substring(before).contains(alarm(part)));
    } finally {
      backend.start();
    }
    await().atMost(LIMIT).until(() -> instance.log().substring(before).contains("part is back"));

    // then
    List<String> lines = instance.log().substring(before).lines().toList();
    assertThat(lines).filteredOn(line -> line.contains("ALARM: ")).hasSize(1);
    assertThat(lines).noneMatch(line -> line.contains("background task failed"));
    instance.awaitReady();
  }

  private static String alarm(Part part) {
    return switch (part) {
      case REDIS -> Alarm.STOCK_AWAY.text();
      case KAFKA -> Alarm.LOG_AWAY.text();
      case MYSQL -> Alarm.LEDGER_AWAY.text();
    };
  }

  @ParameterizedTest
  @EnumSource(Part.class)
  void shouldRecoverWhenABackendComesBack(Part part) {
    // given
    Backend backend = part.backend();
    Sale sale = site.sale().withStock(100).open();
    String token = sale.order(ALICE).token();

    List<Answer> orders;
    backend.kill();
    try {
      // when
      orders = site.crowd(20).send(orders(sale, "", 40));
      await().atMost(LIMIT).untilAsserted(() -> assertShown(site.instance(0).readiness(), part));
    } finally {
      backend.start();
    }

    // then
    assertThat(orders).allMatch(Answer::came).allMatch(a -> a.took().compareTo(ORDER_LIMIT) < 0);
    awaitEverybodyServed(sale, 40);
    await().atMost(LIMIT).until(() -> sale.pay(token).brief().equals("200 CONFIRMED"));
    site.instance(0).awaitReady();
  }

  /**
   * An order that the log does not take is booked past it, if the deadline leaves time for that.
   */
  private static List<String> whileSilent(Part part) {
    return switch (part) {
      case REDIS -> List.of("503 unavailable");
      case KAFKA -> List.of("201 PENDING", "503 unavailable");
      case MYSQL -> List.of("201 RESERVED");
    };
  }

  /**
   * The part is shown as down. The instance stays ready without the log, since the ledger takes
   * grants, and without the ledger, since the log does.
   */
  private static void assertShown(Answer readiness, Part part) {
    JsonObject parts = readiness.json().getJsonObject("parts");
    assertThat(parts.getJsonObject(part.name().toLowerCase(Locale.ROOT)).getString("state"))
        .isEqualTo("down");
    assertThat(readiness.status()).isEqualTo(part == Part.REDIS ? 503 : 200);
  }

  private static void assertNamed(Answer readiness, Part part) {
    assertThat(readiness.status()).isEqualTo(503);
    assertThat(readiness.body().toLowerCase(Locale.ROOT))
        .contains(part.name().toLowerCase(Locale.ROOT));
  }

  private static void awaitEverybodyServed(Sale sale, int count) {
    await()
        .atMost(LIMIT)
        .pollInterval(Duration.ofMillis(200))
        .untilAsserted(
            () ->
                assertThat(Crowd.tally(site.crowd(20).send(orders(sale, "", count))))
                    .allSatisfy((brief, times) -> assertThat(brief).startsWith("20")));
  }

  private static List<Supplier<Future<Answer>>> orders(Sale sale, String prefix, int count) {
    return Buyer.crowd(count).stream()
        .map(buyer -> Buyer.named(prefix + buyer.userId()))
        .<Supplier<Future<Answer>>>map(buyer -> () -> sale.ordering(buyer, "k1", 1))
        .toList();
  }

  private static Answer livez(SluiceProcess instance) {
    return site.http().ask(Call.get(instance.adminUrl() + "/livez"));
  }
}
