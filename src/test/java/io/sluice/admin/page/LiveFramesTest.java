package io.sluice.admin.page;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.sluice.admin.FakeLedger;
import io.sluice.admin.FakeSales;
import io.sluice.admin.FakeStock;
import io.sluice.admin.page.LiveFrames.Sources;
import io.sluice.ledger.SaleLedger.Seen;
import io.sluice.metrics.Meters;
import io.sluice.model.Refusal;
import io.sluice.monitor.Alarm;
import io.sluice.orderlog.Event;
import io.sluice.stock.StockConnection.Memory;
import io.vertx.core.Future;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.slf4j.helpers.NOPLogger;

/** What a frame has, and from where. */
class LiveFramesTest {
  /** So late that no alarm of another test is news. */
  private static final Instant NOW = Instant.parse("2090-01-01T00:00:00Z");

  private static final JsonObject READY =
      new JsonObject()
          .put("ready", true)
          .put("parts", new JsonObject().put("redis", new JsonObject().put("state", "up")));

  private final SimpleMeterRegistry registry = new SimpleMeterRegistry();
  private final Meters meters = new Meters(registry);
  private final FakeLedger ledger = new FakeLedger();
  private final FakeSales sales = new FakeSales();
  private final FakeStock stock = new FakeStock();
  private final HeardEvents heard = new HeardEvents(2);
  private final AtomicLong nanos = new AtomicLong(1);
  private JsonObject readiness = READY;
  private Instant now = NOW;
  private final LiveFrames unit =
      new LiveFrames(
          registry,
          () -> readiness,
          () -> new JsonArray().add(new JsonObject().put("operator", "olga")),
          () -> now,
          nanos::get);

  private void serve() {
    unit.serve(
        new Sources(
            "me",
            1_000,
            200,
            ledger,
            sales,
            () -> Future.succeededFuture(List.of("me", "you")),
            p -> stock.store(),
            () -> Future.succeededFuture(new Memory(90, 100)),
            heard));
  }

  /** A frame, once what the one before has asked for is there. */
  private JsonObject frame() {
    unit.get();
    unit.get();
    nanos.addAndGet(Duration.ofSeconds(3).toNanos());
    unit.get();
    return unit.get();
  }

  private static JsonObject bound(JsonObject frame, String name) {
    return frame.getJsonArray("bounds").stream()
        .map(JsonObject.class::cast)
        .filter(bound -> bound.getString("name").equals(name))
        .findFirst()
        .orElseThrow();
  }

  @Test
  void shouldShowWhatIsKnownBeforeTheInstanceHasConnected() {
    // when
    JsonObject frame = frame();

    // then
    assertThat(frame.getJsonObject("status").getString("word")).isEqualTo("WAITING");
    assertThat(frame.fieldNames()).doesNotContain("skus", "partitions", "instance");
    assertThat(bound(frame, "Redis memory").getValue("value")).isNull();
  }

  @Test
  void shouldShowWhatWasCounted() {
    // given
    serve();
    meters.grants().increment(5);
    meters.refusals(Refusal.SOLD_OUT).increment(7);
    meters.refusals(Refusal.BUSY);
    meters.admissionRefused("buyer").increment(2);
    meters.placed(Duration.ofMillis(7));

    // when
    JsonObject frame = frame();

    // then
    assertThat(frame.getLong("grants")).isEqualTo(5);
    assertThat(frame.getJsonObject("refusals"))
        .isEqualTo(new JsonObject().put("sold-out", 7).put("too-many-requests", 2));
    assertThat(frame.getJsonObject("placing").getLong("count")).isEqualTo(1);
    assertThat(frame.getJsonObject("placing").getJsonArray("bounds_ms").getDouble(0)).isEqualTo(5);
    assertThat(frame.getJsonObject("placing").getJsonArray("counts").getLong(1)).isEqualTo(1);
    assertThat(frame.getJsonArray("changes")).hasSize(1);
  }

  private void has(int skus) {
    for (int skuId = 1; skuId <= skus; skuId++) {
      ledger.has(FakeLedger.sku(skuId, 1));
    }
  }

  private static String report(int free, int held, int sold) {
    return "{\"at\":1,\"units\":{\"free\":%d,\"held\":%d,\"sold\":%d}}".formatted(free, held, sold);
  }

  @Test
  void shouldShowTheUnitsOfAllInstancesWhenThereAreMoreSkusThanItFollows() {
    // given
    has(StockWatch.FOLLOWED_MAX + 1);
    ledger.reports.put(0, report(70, 10, 20));
    ledger.reports.put(1, report(5, 0, 1));
    serve();

    // when
    JsonObject frame = frame();

    // then
    assertThat(frame.getJsonObject("units"))
        .isEqualTo(new JsonObject().put("free", 75).put("held", 10).put("sold", 21));
  }

  /** A build before this one does not count them, and a sum of some would mislead. */
  @ParameterizedTest
  @ValueSource(strings = {"{\"at\":1}", ""})
  void shouldShowNoUnitsOfAllInstancesWhenAPartitionDoesNotTell(String other) {
    // given
    has(StockWatch.FOLLOWED_MAX + 1);
    ledger.reports.put(0, report(70, 10, 20));
    if (!other.isEmpty()) {
      ledger.reports.put(1, other);
    }
    serve();

    // when
    JsonObject frame = frame();

    // then
    assertThat(frame.fieldNames()).contains("skus").doesNotContain("units");
  }

  @Test
  void shouldShowNoUnitsOfAllInstancesWhenItFollowsAllSkus() {
    // given
    has(StockWatch.FOLLOWED_MAX);
    ledger.reports.put(0, report(70, 10, 20));
    ledger.reports.put(1, report(5, 0, 1));
    serve();

    // when
    JsonObject frame = frame();

    // then
    assertThat(frame.getBoolean("more_skus")).isFalse();
    assertThat(frame.fieldNames()).doesNotContain("units");
  }

  @Test
  void shouldShowSkusInstancesAndTheOwnersOfPartitions() {
    // given
    ledger.has(FakeLedger.sku(7, 1));
    heard.heard(1, new Event("HEARTBEAT", "partition-1", "{\"term\":9}").heardFrom("you"));
    heard.heard(0, new Event("ORDER_CONFIRMED", "token", "{}"));
    serve();

    // when
    JsonObject frame = frame();

    // then: redis shows 100 - 60 + 10
    JsonObject sku = frame.getJsonArray("skus").getJsonObject(0);
    assertThat(sku.getLong("available")).isEqualTo(50);
    assertThat(sku.getJsonArray("buckets")).containsExactly(new JsonArray("[0,5,50,100,\"OK\"]"));
    assertThat(frame.getJsonArray("instances")).isEqualTo(new JsonArray("[\"me\",\"you\"]"));
    assertThat(frame.getJsonArray("partitions").getJsonObject(1).getString("owner"))
        .isEqualTo("you");
    assertThat(frame.getJsonArray("partitions").getJsonObject(0).getString("owner")).isNull();
    assertThat(frame.getJsonObject("events").getLong("ORDER_CONFIRMED")).isEqualTo(1);
    assertThat(frame.getString("instance")).isEqualTo("me");
  }

  @Test
  void shouldShowTheSalesThatHaveNotEnded() {
    // given
    sales.page = List.of(new Seen(FakeSales.SALE, NOW.toEpochMilli()));
    serve();

    // when
    JsonObject frame = frame();

    // then
    JsonObject sale = frame.getJsonArray("sales").getJsonObject(0);
    assertThat(sale.getString("sale_id")).isEqualTo("phones-12");
    assertThat(sale.getString("state")).isEqualTo("OPEN");
    assertThat(frame.getBoolean("more_sales")).isFalse();
  }

  @Test
  void shouldBeDegradedWhenSomethingIsAtItsLimit() {
    // given
    ledger.has(FakeLedger.sku(7, 1));
    meters.logBacklog(() -> 500);
    serve();

    // when
    JsonObject frame = frame();

    // then: half of the backlog's limit, nine tenths of the memory
    assertThat(frame.getJsonObject("status").getString("word")).isEqualTo("DEGRADED");
    assertThat(reasons(frame))
        .containsExactly("backlog is high, null, ", "Redis memory is high, null, ");
    assertThat(bound(frame, "backlog").getBoolean("over")).isTrue();
    assertThat(bound(frame, "connections").getBoolean("over")).isFalse();
  }

  private static JsonObject parts(String... away) {
    JsonObject parts = new JsonObject();
    for (String part : List.of("kafka", "mysql", "redis")) {
      boolean isAway = List.of(away).contains(part);
      parts.put(part, new JsonObject().put("state", isAway ? "down" : "up").put("detail", "is it"));
    }
    return new JsonObject().put("ready", true).put("parts", parts);
  }

  /** Of each reason its text, the alarm whose chapter tells more, and what still works. */
  private static List<String> reasons(JsonObject frame) {
    return frame.getJsonObject("status").getJsonArray("reasons").stream()
        .map(JsonObject.class::cast)
        .map(
            why ->
                "%s, %s, %s"
                    .formatted(
                        why.getString("text"), why.getString("alarm"), why.getString("works")))
        .toList();
  }

  @Test
  void shouldSayWhatStillWorksAndWhichChapterTellsMore() {
    // given
    String works = Alarm.STOCK_AWAY.works();
    readiness = parts("redis");

    // when: before it has connected, nothing works
    List<String> connecting = reasons(frame());
    serve();
    List<String> one = reasons(frame());
    // What each of two alarms says of itself is not so while the other part is away.
    readiness = parts("redis", "mysql");
    List<String> two = reasons(frame());

    // then
    assertThat(connecting).containsExactly("redis: is it, stock-away, ");
    assertThat(one).startsWith("redis: is it, stock-away, " + works);
    assertThat(two).startsWith("mysql: is it, ledger-away, ", "redis: is it, stock-away, ");
  }

  @Test
  void shouldTellOfAnAlarmOnceAndThatItsPartIsBack() {
    // given
    Alarm.LOG_AWAY.raise(NOPLogger.NOP_LOGGER.atError());
    now = Instant.now();
    serve();

    // when
    readiness = parts("kafka");
    List<String> away = reasons(frame());
    readiness = parts();
    List<String> back = reasons(frame());

    // then
    assertThat(away)
        .contains("kafka: is it, log-away, " + Alarm.LOG_AWAY.works())
        .noneMatch(why -> why.startsWith("alarm log-away"));
    assertThat(back).contains("alarm log-away, log-away, everything; it is back");
  }
}
