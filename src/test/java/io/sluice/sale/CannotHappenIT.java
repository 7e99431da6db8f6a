package io.sluice.sale;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;
import static org.awaitility.Awaitility.await;

import io.sluice.monitor.Alarm;
import io.sluice.testkit.kafka.KafkaBackend;
import io.sluice.testkit.register.Moves;
import io.sluice.testkit.register.Raises;
import io.sluice.testkit.site.Answer;
import io.sluice.testkit.site.Buyer;
import io.sluice.testkit.site.Sale;
import io.sluice.testkit.site.SaleSite;
import io.sluice.testkit.site.SluiceProcess;
import io.vertx.core.json.JsonObject;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.IntStream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewPartitions;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.header.internals.RecordHeader;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.common.serialization.StringSerializer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * Inconsistencies that cannot happen in a sound system: each is noticed, stops no more than
 * necessary, and an operator can recover from it.
 */
class CannotHappenIT {
  @RegisterExtension
  static final SaleSite site =
      SaleSite.withInstances(1)
          .withFaults()
          .withTamperedBooks()
          .setting("SLUICE_RECONCILE_INTERVAL_MS", 86_400_000);

  private static final Duration LIMIT = Duration.ofSeconds(60);
  private static final Buyer ALICE = Buyer.named("alice");
  private static final Buyer BOB = Buyer.named("bob");
  private static final Buyer CAROL = Buyer.named("carol");

  private final Newcomers newcomers = new Newcomers();

  @Test
  @Raises(Alarm.SKU_FROZEN)
  @Moves({"sluice_ledger_skus_frozen_total", "sluice_alarms_total"})
  void shouldFreezeTheSkuWhenItsCountersAreNotWhatItsRowsSay() {
    // given
    Sale sale = site.sale().withStock(10).open();
    Sale other = site.sale().withStock(10).open();
    sale.order(ALICE);
    awaitOrders(sale, "PENDING", 1);
    double frozenBefore = MetricsPage.value(site, "sluice_ledger_skus_frozen_total");
    String alarms = "sluice_alarms_total{alarm=\"" + Alarm.SKU_FROZEN.word() + "\"}";
    double alarmsBefore = MetricsPage.value(site, alarms);
    tamper("UPDATE order_hold SET qty = 2 WHERE sku_id = " + sale.skuId());

    // when
    reconcile();

    // then
    await().atMost(LIMIT).until(() -> stateOf(sale).equals("FROZEN"));
    assertThat(MetricsPage.value(site, "sluice_ledger_skus_frozen_total"))
        .isEqualTo(frozenBefore + 1);
    assertThat(MetricsPage.value(site, alarms)).isEqualTo(alarmsBefore + 1);
    // Orders are still granted until Redis is frozen; a buyer with an order would never be answered
    // "busy".
    await().atMost(LIMIT).until(() -> newcomers.brief(sale).equals("503 busy"));
    assertThat(sale.order(BOB).brief()).isEqualTo("503 busy");
    assertThat(sale.order(BOB).header("retry-after")).isNotNull();
    assertThat(other.order(BOB).brief()).isEqualTo("201 RESERVED");

    // Recovery: the rows are corrected, then the sale continues.
    tamper("UPDATE order_hold SET qty = 1 WHERE sku_id = " + sale.skuId());
    assertThat(sale.unfreeze().status()).isEqualTo(200);
    assertThat(sale.rebuild().status()).isEqualTo(200);
    reconcile();
    assertThat(sale.order(BOB).brief()).isEqualTo("201 RESERVED");
  }

  @Test
  @Raises(Alarm.GATE_FULL)
  @Moves("sluice_ledger_gate_full_total")
  void shouldRejectAndRebuildWhenTheLedgerHasNoRoomForAGrant() {
    // given
    Sale sale = site.sale().withStock(10).open();
    sale.order(ALICE);
    awaitOrders(sale, "PENDING", 1);
    double fullBefore = MetricsPage.value(site, "sluice_ledger_gate_full_total");
    tamper("UPDATE inventory_bucket SET allotted = 1 WHERE sku_id = " + sale.skuId());

    // when
    Answer granted = sale.order(BOB);

    // then
    assertThat(granted.brief()).isEqualTo("201 RESERVED");
    awaitOrders(sale, "REJECTED", 1);
    assertThat(sale.status(BOB, granted.token()).json().getString("reason"))
        .isEqualTo("LEDGER_FULL");
    assertThat(MetricsPage.value(site, "sluice_ledger_gate_full_total")).isEqualTo(fullBefore + 1);
    await().atMost(LIMIT).until(() -> sale.order(CAROL).brief().equals("409 sold-out"));
    reconcile();
    await().atMost(LIMIT).until(() -> stateOf(sale).equals("FROZEN"));

    // Recovery: the counter is corrected, then the bucket is reloaded and continues.
    tamper("UPDATE inventory_bucket SET allotted = 10 WHERE sku_id = " + sale.skuId());
    assertThat(sale.unfreeze().status()).isEqualTo(200);
    assertThat(sale.rebuild().status()).isEqualTo(200);
    assertThat(sale.order(CAROL).brief()).isEqualTo("201 RESERVED");
    awaitOrders(sale, "PENDING", 2);
  }

  @Test
  @Raises(Alarm.LOG_CUT)
  void shouldStandStillUntilAnOperatorResetsItWhenTheLogHasLostWhatIsBooked() {
    // given
    KafkaBackend kafka = site.backends().kafka();
    assumeThat(kafka.restorable()).as("%s can be put back", kafka.describe()).isTrue();
    Sale sale = site.sale().withStock(1_000).withBuckets(8).open();
    kafka.stop();
    Path old = kafka.saveData();
    kafka.start();
    List<String> before = loggedOrders(sale, "lost-");
    sale.awaitBooked(before);
    Map<Integer, Long> booked = site.ledger().nextOffsets();

    // One more restart, so that the restored leader has an older epoch, which consumers treat as
    // outdated.
    kafka.stop();
    kafka.start();
    site.awaitReady();

    // when
    kafka.stop();
    kafka.restoreData(old);
    kafka.start();

    // then
    await()
        .atMost(LIMIT)
        .until(() -> site.instance(0).log().contains("ALARM: partition is blocked"));
    List<Integer> behind =
        site.topics().endOffsets(site.ordersTopic()).entrySet().stream()
            .filter(end -> end.getValue() < booked.get(end.getKey()))
            .map(Map.Entry::getKey)
            .toList();
    assertThat(behind).isNotEmpty();
    for (int partition : behind) {
      await().atMost(LIMIT).until(() -> reset(partition).status() == 200);
    }
    List<String> after = loggedOrders(sale, "after-");
    await()
        .atMost(LIMIT)
        .untilAsserted(
            () -> assertThat(sale.tokens("PENDING")).containsAll(before).containsAll(after));
    assertThat(reset(behind.get(0)).brief()).isEqualTo("409 nothing-to-reset");
  }

  @Test
  void shouldEndWithCode2WhenTheOrderLogBecomesAnother() {
    // given
    String topic = "changing-" + site.newSkuId();
    SluiceProcess instance = site.newInstance(ownLog(topic));
    instance.start().awaitReady();

    // when
    asked(admin -> admin.deleteTopics(Set.of(topic)).all());
    await()
        .atMost(LIMIT)
        .ignoreExceptions()
        .until(
            () -> {
              asked(admin -> admin.createTopics(List.of(new NewTopic(topic, 4, (short) 1))).all());
              return true;
            });
    SluiceProcess.Exit exit = instance.awaitExit();

    // then
    assertThat(exit.code()).isEqualTo(2);
    assertThat(instance.log())
        .containsPattern("topic id \\S+, kafka.partitions 4\\), but found topic id ")
        .doesNotContain("\tat ");
  }

  /** They cannot be taken back: each instance ended within a second, and at each restart again. */
  @Test
  void shouldGoOnWithItsPartitionsWhenTheOrdersTopicGetsMore() {
    // given
    String topic = "growing-" + site.newSkuId();
    Map<String, String> settings = ownLog(topic);
    SluiceProcess running = site.newInstance(settings);
    running.start().awaitReady();

    // when
    asked(admin -> admin.createPartitions(Map.of(topic, NewPartitions.increaseTo(6))).all());
    await().atMost(LIMIT).until(() -> running.log().contains(Alarm.MORE_PARTITIONS.text()));
    SluiceProcess next = site.newInstance(settings).start().awaitReady();

    // then
    await().atMost(LIMIT).until(() -> next.log().contains(Alarm.MORE_PARTITIONS.text()));
    next.kill();
    running.kill();
  }

  /** A ledger and topics that no other instance uses. */
  private static Map<String, String> ownLog(String topic) {
    return Map.of(
        "SLUICE_MYSQL_URI",
        site.backends().mysql().newDatabase(),
        "SLUICE_REDIS_URI",
        site.backends().redis().newDatabase(),
        "SLUICE_KAFKA_ORDERS_TOPIC",
        topic,
        "SLUICE_KAFKA_EVENTS_TOPIC",
        topic + "-events",
        "SLUICE_KAFKA_GROUP",
        topic);
  }

  private static void asked(Function<Admin, KafkaFuture<Void>> question) {
    site.backends().kafka().ask(LIMIT, question);
  }

  /** Offsets without a record stopped the partition for good, without an alarm. */
  @Test
  void shouldBookOnWhenAnotherProgramWritesInTransactions() {
    // given
    Sale sale = site.sale().withStock(1_000).withBuckets(8).open();
    int count = site.ledger().nextOffsets().size();

    // when
    try (var stranger =
        new KafkaProducer<>(
            Map.of(
                "bootstrap.servers",
                site.backends().kafka().bootstrapServers(),
                "transactional.id",
                "stranger"),
            new ByteArraySerializer(),
            new ByteArraySerializer())) {
      stranger.initTransactions();
      for (int partition = 0; partition < count; partition++) {
        stranger.beginTransaction();
        stranger.send(
            new ProducerRecord<>(site.ordersTopic(), partition, null, new byte[] {1, 2, 3}));
        stranger.commitTransaction();
      }
    }
    List<String> tokens = loggedOrders(sale, "beside-");

    // then
    sale.awaitBooked(tokens);
    await()
        .atMost(LIMIT)
        .untilAsserted(
            () ->
                assertThat(site.ledger().nextOffsets())
                    .isEqualTo(site.topics().endOffsets(site.ordersTopic())));
    assertThat(site.instance(0).log()).contains(Alarm.FOREIGN_RECORD.text());
  }

  /** Both stayed ready, and half of the orders were booked by nobody. */
  @Test
  void shouldEndWithCode2WhenAnotherLedgerIsToUseTheSameGroup() {
    // given
    Sale sale = site.sale().withStock(100).withBuckets(8).open();

    // when
    SluiceProcess stranger =
        site.newInstance(Map.of("SLUICE_MYSQL_URI", site.backends().mysql().newDatabase())).start();
    SluiceProcess.Exit exit = stranger.awaitExit();

    // then
    assertThat(exit.code()).isEqualTo(2);
    assertThat(stranger.log())
        .containsPattern(
            "kafka.group \\S+ to be of ledger \\w+ alone, but instances of ledger \\w+");
    sale.awaitBooked(loggedOrders(sale, "own-"));
  }

  /** A forged one let its writer cancel the order of another buyer. */
  @Test
  @Moves("sluice_events_ignored_total")
  void shouldBelieveNoEventThatNoInstanceHasSigned() {
    // given
    Sale sale = site.sale().withStock(10).open();
    Answer placed = sale.order(ALICE);
    awaitOrders(sale, "PENDING", 1);
    String forged =
        new JsonObject()
            .put("type", "ORDER_BOOKED")
            .put("order_token", placed.token())
            .put("sku_id", sale.skuId())
            .put("bucket", 0)
            .put("user_id", BOB.userId())
            .put("qty", 1)
            .put("seq", 1)
            .put("epoch", 1)
            .put("status", "PENDING")
            .put("version", 9)
            .encode();
    double before = MetricsPage.value(site, "sluice_events_ignored_total{reason=\"unsigned\"}");

    // when
    try (var mallory =
        new KafkaProducer<>(
            Map.of("bootstrap.servers", site.backends().kafka().bootstrapServers()),
            new StringSerializer(),
            new StringSerializer())) {
      mallory.send(
          new ProducerRecord<>(
              site.eventsTopic(),
              0,
              null,
              placed.token(),
              forged,
              List.of(new RecordHeader("type", "ORDER_BOOKED".getBytes(UTF_8)))));
    }
    await()
        .atMost(LIMIT)
        .until(
            () ->
                MetricsPage.value(site, "sluice_events_ignored_total{reason=\"unsigned\"}")
                    > before);
    Answer stolen = sale.cancel(BOB, placed.token());

    // then
    assertThat(stolen.brief()).isEqualTo("404 unknown-order");
    assertThat(sale.status(ALICE, placed.token()).json().getString("status")).isEqualTo("PENDING");
  }

  private static void tamper(String sql) {
    site.ledger().query(sql, row -> row);
  }

  private static void reconcile() {
    assertThat(site.desk("POST", "/admin/reconcile").status()).isEqualTo(200);
  }

  private static Answer reset(int partition) {
    return site.desk("POST", "/admin/partitions/" + partition + "/reset");
  }

  private static String stateOf(Sale sale) {
    return sale.look().json().getString("state");
  }

  private static void awaitOrders(Sale sale, String status, int count) {
    await().atMost(LIMIT).until(() -> sale.tokens(status).count() == count);
  }

  /**
   * Enough orders that each partition has some. While the log is down they would be booked past it.
   */
  private List<String> loggedOrders(Sale sale, String prefix) {
    await()
        .atMost(LIMIT)
        .until(
            () ->
                newcomers.brief(sale).equals("201 RESERVED")
                    && MetricsPage.value(site, "sluice_log_partitions_out") == 0);
    List<Answer> answers =
        IntStream.range(0, 40).mapToObj(i -> insisting(sale, Buyer.named(prefix + i))).toList();
    assertThat(answers).extracting(Answer::brief).containsOnly("201 RESERVED");
    return answers.stream().map(Answer::token).toList();
  }

  /** A bucket that is being rebuilt is busy for a moment. */
  private static Answer insisting(Sale sale, Buyer buyer) {
    return await()
        .atMost(LIMIT)
        .until(() -> sale.order(buyer), answer -> !answer.brief().equals("503 busy"));
  }
}
