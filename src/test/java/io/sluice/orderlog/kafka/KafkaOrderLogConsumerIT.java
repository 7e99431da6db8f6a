package io.sluice.orderlog.kafka;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.sluice.model.Command;
import io.sluice.orderlog.Commands;
import io.sluice.orderlog.HeardPartitions;
import io.sluice.orderlog.LogBatch;
import io.sluice.orderlog.OrderLogConsumer.LogOffsetException;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewPartitions;
import org.apache.kafka.clients.admin.RecordsToDelete;
import org.apache.kafka.clients.admin.RemoveMembersFromConsumerGroupOptions;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class KafkaOrderLogConsumerIT {
  private static final Set<Integer> ALL = Set.of(0, 1, 2, 3);

  private final KafkaFixture kafka = new KafkaFixture();
  private final HeardPartitions heard = new HeardPartitions();
  private final KafkaOrderLogConsumer unit = kafka.consumer();

  @AfterEach
  void close() {
    kafka.close();
  }

  @Test
  void shouldHandOverWhatItLeavesWhenClosed() {
    // given
    HeardPartitions otherHeard = new HeardPartitions();
    KafkaOrderLogConsumer other = kafka.consumer();
    startAndOwnAll();
    kafka.await(() -> other.start(otherHeard));
    await()
        .untilAsserted(
            () -> {
              assertThat(heard.assigned()).hasSize(2);
              assertThat(otherHeard.assigned())
                  .hasSize(2)
                  .doesNotContainAnyElementsOf(heard.assigned());
            });

    // when
    kafka.await(unit::close);

    // then
    await()
        .atMost(Duration.ofSeconds(30))
        .untilAsserted(() -> assertThat(otherHeard.assigned()).isEqualTo(ALL));
    assertThat(heard.assigned()).isEmpty();
    assertThat(otherHeard.revocations()).as("a cooperative rebalance keeps the rest").isEmpty();
  }

  @Test
  void shouldNameTheNextOwnerOnlyWhenTheWorkOfTheLastHasEnded() {
    // given
    Promise<Void> work = Promise.promise();
    heard.handsOverAfter(work.future());
    HeardPartitions otherHeard = new HeardPartitions();
    KafkaOrderLogConsumer other = kafka.consumer();
    startAndOwnAll();

    // when
    kafka.await(() -> other.start(otherHeard));
    await().untilAsserted(() -> assertThat(heard.revocations()).hasSize(1));

    // then
    await()
        .during(Duration.ofSeconds(1))
        .atMost(Duration.ofSeconds(10))
        .until(() -> otherHeard.assigned().isEmpty());
    kafka.context().run(work::complete);
    await().untilAsserted(() -> assertThat(otherHeard.assigned()).hasSize(2));
  }

  @Test
  void shouldNameTheNextOwnerSoonWhenTheWorkOfTheLastNeverEnds() {
    // given
    heard.handsOverAfter(Promise.<Void>promise().future());
    HeardPartitions otherHeard = new HeardPartitions();
    KafkaOrderLogConsumer other = kafka.consumer();
    startAndOwnAll();

    // when
    kafka.await(() -> other.start(otherHeard));

    // then
    await().untilAsserted(() -> assertThat(otherHeard.assigned()).hasSize(2));
    assertThat(heard.assigned()).hasSize(2).doesNotContainAnyElementsOf(otherHeard.assigned());
  }

  /** It rests between two polls then. */
  @Test
  void shouldStillReadWhatOthersAppendWhenNothingHasComeForAWhile() {
    // given
    KafkaOrderLog log = kafka.log();
    startAndOwnAll();
    kafka.await(() -> unit.startAt(1, 0));
    await().until(unit::isIdle);

    // when
    kafka.await(() -> log.append(1, List.of(Commands.confirm("alice"))));

    // then
    await()
        .atMost(Duration.ofSeconds(30))
        .untilAsserted(() -> assertThat(heard.batches()).hasSize(1));
  }

  @Test
  void shouldNotRestAnyMoreWhenItsInstanceHasAppended() {
    // given
    startAndOwnAll();
    await().until(unit::isIdle);

    // when
    unit.appended();

    // then
    await().until(() -> !unit.isIdle());
  }

  @Test
  void shouldReadOnWhereTheOtherStoppedWhenTakingOver() {
    // given
    KafkaOrderLog log = kafka.log();
    startAndOwnAll();
    kafka.await(() -> unit.startAt(2, 0));
    kafka.await(() -> log.append(2, List.of(Commands.confirm("ann"))));
    await().untilAsserted(() -> assertThat(heard.offsets(2)).containsExactly(0L));
    kafka.await(unit::close);
    kafka.await(() -> log.append(2, List.of(Commands.confirm("bob"))));
    HeardPartitions otherHeard = new HeardPartitions();
    KafkaOrderLogConsumer other = kafka.consumer();

    // when
    kafka.await(() -> other.start(otherHeard));
    await().untilAsserted(() -> assertThat(otherHeard.assigned()).isEqualTo(ALL));
    kafka.await(() -> other.startAt(2, 1));

    // then
    await()
        .untilAsserted(
            () -> assertThat(otherHeard.commands(2)).containsExactly(Commands.confirm("bob")));
    assertThat(heard.offsets(2)).containsExactly(0L);
  }

  @Test
  void shouldSayThatNothingIsHeldWhenTheGroupHasThrownItOut() throws Exception {
    // given
    Admin admin = kafka.rawAdmin();
    startAndOwnAll();
    Set<Integer> before = kafka.await(unit::assignedAfterNextPoll);

    // when
    admin
        .removeMembersFromConsumerGroup(
            kafka.config().group(), new RemoveMembersFromConsumerGroupOptions())
        .all()
        .get(5, TimeUnit.SECONDS);
    Set<Integer> after = kafka.await(unit::assignedAfterNextPoll);

    // then
    assertThat(before).isEqualTo(ALL);
    assertThat(after.isEmpty() || heard.revocations().contains(ALL))
        .as("nothing is held, unless it was revoked and assigned again")
        .isTrue();
    await().untilAsserted(() -> assertThat(heard.revocations()).containsExactly(ALL));
    await().untilAsserted(() -> assertThat(heard.assigned()).isEqualTo(ALL));
  }

  @Test
  void shouldReportTheRangeWhenTheRecordsAreGone() throws Exception {
    // given
    KafkaOrderLog log = kafka.log();
    Admin admin = kafka.rawAdmin();
    startAndOwnAll();
    kafka.await(() -> unit.startAt(0, 0));
    pause(0);
    // After two more polls no fetch for this partition is in flight.
    kafka.await(unit::assignedAfterNextPoll);
    kafka.await(unit::assignedAfterNextPoll);
    for (int i = 0; i < 5; i++) {
      kafka.await(() -> log.append(0, List.of(Commands.confirm("ann"))));
    }
    TopicPartition first = new TopicPartition(kafka.config().ordersTopic(), 0);
    admin
        .deleteRecords(Map.of(first, RecordsToDelete.beforeOffset(3)))
        .all()
        .get(5, TimeUnit.SECONDS);

    // when
    resume(0);

    // then
    await().untilAsserted(() -> assertThat(heard.failures()).containsOnlyKeys(0));
    assertThat(heard.failures().get(0))
        .isInstanceOf(LogOffsetException.class)
        .hasMessage("Expected partition 0 to hold offset 0, but it holds 3 up to 5");
    assertThat(heard.offsets(0)).isEmpty();
    kafka.await(() -> unit.startAt(0, 3));
    await().untilAsserted(() -> assertThat(heard.offsets(0)).containsExactly(3L, 4L));
  }

  @Test
  void shouldPassOnWhatCannotBeReadWhenStrangersWrite() {
    // given
    startAndOwnAll();
    kafka.await(() -> unit.startAt(1, 0));
    String topic = kafka.config().ordersTopic();

    // when
    try (var stranger =
        new KafkaProducer<>(
            ClientSettings.producer(kafka.config()),
            new ByteArraySerializer(),
            new ByteArraySerializer())) {
      for (String text : new String[] {"rubbish", "{\"v\":9,\"x\":1}"}) {
        stranger.send(new ProducerRecord<>(topic, 1, null, text.getBytes(StandardCharsets.UTF_8)));
      }
      stranger.send(new ProducerRecord<>(topic, 1, new byte[0], null));
    }

    // then
    await().untilAsserted(() -> assertThat(heard.offsets(1)).containsExactly(0L, 1L, 2L));
    assertThat(heard.commands(1))
        .extracting(command -> ((Command.Malformed) command).raw())
        .as("what the dead letters say")
        .containsExactly("rubbish", "{\"v\":9,\"x\":1}", "");
    assertThat(heard.batches().stream().flatMap(batch -> batch.records().stream()))
        .extracting(LogBatch.LogRecord::supported)
        .as("of a later release is only what names its instance")
        .containsExactly(true, true, true);
  }

  @Test
  void shouldStandStillWhenTheListenerFails() {
    // given
    KafkaOrderLog log = kafka.log();
    startAndOwnAll();
    kafka.await(() -> unit.startAt(1, 0));
    heard.whenPolled(
        batch -> {
          throw new IllegalStateException("no");
        });

    // when
    kafka.await(() -> log.append(1, List.of(Commands.confirm("ann"))));

    // then
    await().untilAsserted(() -> assertThat(heard.failures()).containsOnlyKeys(1));
    heard.whenPolled(batch -> {});
    kafka.await(() -> unit.startAt(1, 0));
    await().untilAsserted(() -> assertThat(heard.offsets(1)).containsExactly(0L, 0L));
  }

  @Test
  void shouldAnswerOnTheCallersContextWhenCalledFromAnother() {
    // given
    startAndOwnAll();
    OneContext other = new OneContext(kafka.vertx());

    // when
    Set<Integer> assigned = other.await(unit::assignedAfterNextPoll);
    other.await(() -> unit.startAt(3, 0));

    // then
    assertThat(assigned).isEqualTo(ALL);
  }

  /** Half of the partitions were read by the other ledger's instances, and booked by nobody. */
  @Test
  void shouldShowItsLedgerToOthersInTheGroup() {
    // given
    startAndOwnAll();
    String group = kafka.config().group();

    // when
    Set<String> seenByOther = kafka.await(() -> kafka.admin().otherLedgers(group, "9f9f"));
    Set<String> seenByOwn =
        kafka.await(() -> kafka.admin().otherLedgers(group, KafkaFixture.LEDGER));

    // then
    assertThat(seenByOther).containsExactly(KafkaFixture.LEDGER);
    assertThat(seenByOwn).isEmpty();
  }

  /** What could not be asked was taken for nobody: a ledger in use got another id. */
  @Test
  void shouldNotTakeAGroupForEmptyThatItCannotAskFor() {
    // given
    Set<String> unknown = kafka.await(() -> kafka.admin().otherLedgers("no-such-group", ""));
    kafka.await(() -> kafka.admin().close());

    // when
    Throwable failure =
        kafka.await(
            () ->
                kafka
                    .admin()
                    .otherLedgers(kafka.config().group(), "")
                    .transform(asked -> Future.succeededFuture(asked.cause())));

    // then
    assertThat(unknown).isEmpty();
    assertThat(failure).isNotNull();
  }

  @Test
  void shouldNameOnlyThePartitionsThatAreUsedWhenTheTopicHasMore() throws Exception {
    // given
    kafka
        .rawAdmin()
        .createPartitions(Map.of(kafka.config().ordersTopic(), NewPartitions.increaseTo(6)))
        .all()
        .get(5, TimeUnit.SECONDS);
    kafka.await(() -> unit.start(heard));

    // when
    await()
        .untilAsserted(
            () -> assertThat(kafka.await(unit::settledShare)).contains(Set.of(0, 1, 2, 3)));

    // then
    assertThat(heard.assigned()).isEqualTo(ALL);
  }

  private void startAndOwnAll() {
    kafka.await(() -> unit.start(heard));
    await().untilAsserted(() -> assertThat(heard.assigned()).isEqualTo(ALL));
  }

  private void pause(int partition) {
    kafka.context().run(() -> unit.pause(Set.of(partition)));
  }

  private void resume(int partition) {
    kafka.context().run(() -> unit.resume(Set.of(partition)));
  }
}
