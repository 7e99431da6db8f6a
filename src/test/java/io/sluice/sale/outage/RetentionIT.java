package io.sluice.sale.outage;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.sluice.monitor.Alarm;
import io.sluice.testkit.mysql.LedgerReader;
import io.sluice.testkit.register.Raises;
import io.sluice.testkit.site.Answer;
import io.sluice.testkit.site.Buyer;
import io.sluice.testkit.site.Sale;
import io.sluice.testkit.site.SaleSite;
import io.vertx.core.json.JsonObject;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.RecordsToDelete;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Retention deletes records of the order log before they are booked. */
class RetentionIT {
  @RegisterExtension static final SaleSite site = SaleSite.withInstances(1).withFaults();

  private static final Duration LIMIT = Duration.ofSeconds(60);
  private static final int BUYERS = 40;

  /** While these rows are locked, no owner can advance. */
  private static final String FENCES = "SELECT * FROM partition_fence FOR UPDATE";

  @Test
  @Raises(Alarm.LOG_RECORDS_LOST)
  void shouldKeepEveryYesThatRedisKnowsWhenTheLogLostItUnread() throws Exception {
    // given
    Sale sale = site.sale().withStock(1_000).withBuckets(8).open();
    List<String> granted;
    try (LedgerReader.Held owners = site.ledger().hold(FENCES)) {
      granted = order(sale, "lost-");
      site.instance(0).kill();
    }
    Map<Integer, Long> next = site.ledger().nextOffsets();
    Map<Integer, Long> ends = site.topics().endOffsets(site.ordersTopic());

    // when
    deleteRecords(ends);
    site.instance(0).start();

    // then
    List<Integer> lost =
        ends.keySet().stream().filter(n -> ends.get(n) > next.get(n)).sorted().toList();
    assertThat(lost).isNotEmpty();
    await()
        .atMost(LIMIT)
        .until(
            () -> site.instance(0).log().contains("records of its order log were deleted unread"));
    for (int partition : lost) {
      JsonObject said = reset(partition).json().getJsonObject("lost");
      assertThat(said.getLong("from")).isEqualTo(next.get(partition));
      assertThat(said.getLong("to")).isEqualTo(ends.get(partition) - 1);
      assertThat(said.getLong("records")).isEqualTo(ends.get(partition) - next.get(partition));
    }
    sale.awaitBooked(granted);
    site.awaitReady();
    awaitRebuilt();
    List<String> after = order(sale, "after-");
    sale.awaitBooked(after);
    assertThat(reset(lost.get(0)).brief()).isEqualTo("409 nothing-to-reset");
  }

  /** Until then buckets are closed, one after the other. */
  private static void awaitRebuilt() {
    String open = "SELECT COUNT(*) FROM owner_request WHERE status = 'OPEN' AND kind = 'REBUILD'";
    await().atMost(LIMIT).until(() -> site.ledger().count(open) == 0);
  }

  private static List<String> order(Sale sale, String prefix) {
    List<Answer> answers =
        IntStream.range(0, BUYERS).mapToObj(i -> sale.order(Buyer.named(prefix + i))).toList();
    assertThat(answers).extracting(Answer::brief).containsOnly("201 RESERVED");
    return answers.stream().map(Answer::token).toList();
  }

  /** Resets the partition once the log can be read, which may take a moment after a start. */
  private static Answer reset(int partition) {
    return await()
        .atMost(LIMIT)
        .until(
            () -> site.desk("POST", "/admin/partitions/" + partition + "/reset"),
            answer -> answer.status() == 200 || answer.status() == 409);
  }

  private static void deleteRecords(Map<Integer, Long> ends) throws Exception {
    try (Admin admin =
        Admin.create(Map.of("bootstrap.servers", site.backends().kafka().bootstrapServers()))) {
      admin
          .deleteRecords(
              ends.entrySet().stream()
                  .collect(
                      Collectors.toMap(
                          end -> new TopicPartition(site.ordersTopic(), end.getKey()),
                          end -> RecordsToDelete.beforeOffset(end.getValue()))))
          .all()
          .get(LIMIT.toSeconds(), TimeUnit.SECONDS);
    }
  }

  @Test
  void shouldSellNothingOfAnOldLogWhenALedgerIsFoundedOnIt() {
    // given
    Sale sale = site.sale().withStock(1_000).withBuckets(8).open();
    List<String> old = order(sale, "old-");
    sale.awaitBooked(old);
    Map<Integer, Long> ends = site.topics().endOffsets(site.ordersTopic());
    String database = site.backends().mysql().newDatabase();

    // when
    var instance =
        site.newInstance(
            Map.of(
                "SLUICE_MYSQL_URI",
                database,
                "SLUICE_REDIS_URI",
                site.backends().redis().newDatabase(),
                "SLUICE_KAFKA_GROUP",
                "new-" + site.group()));
    instance.start().awaitReady();

    // then
    try (LedgerReader ledger = new LedgerReader(site.vertx(), database)) {
      assertThat(ledger.nextOffsets()).isEqualTo(ends);
      assertThat(ledger.orders()).isEmpty();
    }
    instance.terminate();
  }
}
