package io.sluice.orderlog.kafka;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.sluice.model.Command;
import io.sluice.orderlog.Commands;
import io.sluice.orderlog.HeardPartitions;
import io.sluice.orderlog.LogUnavailableException.LogFullException;
import io.sluice.orderlog.TopicInfo;
import io.vertx.core.Future;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.apache.kafka.clients.admin.Admin;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class KafkaOrderLogIT {
  /** Of a broker on a slow machine. */
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  private static final List<Command> ONE = List.of(Commands.confirm("ann"));

  private final KafkaFixture kafka = new KafkaFixture();
  private final KafkaOrderLog unit = kafka.log();

  @AfterEach
  void close() {
    kafka.close();
  }

  @Test
  void shouldKeepTheOrderOfCallsWhenTheyShareRecords() {
    // given
    HeardPartitions heard = heardFrom(1);
    List<Command> all =
        IntStream.range(0, 2_000).<Command>mapToObj(i -> Commands.confirm("buyer" + i)).toList();

    // when
    List<Long> offsets =
        kafka.await(
            () ->
                Future.all(all.stream().map(one -> unit.append(1, List.of(one))).toList())
                    .map(acks -> acks.<Long>list()));

    // then
    long end = kafka.await(() -> unit.endOffset(1));
    await().until(() -> heard.commands(1).size() >= all.size());
    assertThat(heard.commands(1)).isEqualTo(all);
    assertThat(end).isBetween(2L, 200L);
    assertThat(offsets).isSorted().contains(0L, end - 1);
    for (int i = 0; i < all.size(); i += 100) {
      assertThat(heard.commandsAt(1, offsets.get(i))).contains(all.get(i));
    }
  }

  /** The instance is in a header, which older releases do not read. */
  @Test
  void shouldSayInEachRecordWhichInstanceAppendedIt() {
    // given
    HeardPartitions heard = heardFrom(1);

    // when
    kafka.await(() -> unit.append(1, ONE));

    // then
    await().until(() -> !heard.offsets(1).isEmpty());
    assertThat(heard.instances(1)).containsExactly(KafkaFixture.INSTANCE);
    assertThat(unit.instance()).isEqualTo(KafkaFixture.INSTANCE);
    assertThat(heard.commands(1)).isEqualTo(ONE);
  }

  private HeardPartitions heardFrom(int partition) {
    HeardPartitions heard = new HeardPartitions();
    KafkaOrderLogConsumer consumer = kafka.consumer();
    kafka.await(() -> consumer.start(heard));
    await().until(() -> heard.assigned().contains(partition));
    kafka.await(() -> consumer.startAt(partition, 0));
    return heard;
  }

  @Test
  void shouldSeeEverythingAcknowledgedWhenAskedForTheEnd() {
    for (int i = 0; i < 200; i++) {
      // given
      int partition = i % KafkaFixture.PARTITIONS;

      // when
      long behind =
          kafka.await(
              () ->
                  unit.append(partition, ONE)
                      .compose(offset -> unit.endOffset(partition).map(end -> end - offset)));

      // then
      assertThat(behind).isEqualTo(1);
    }
  }

  @Test
  void shouldFailWithoutATraceWhenTheRecordCannotBeWritten() {
    // given
    List<Command> malformed = List.of(new Command.Malformed("x", "y"));
    List<Command> tooMany = Collections.nCopies(20_000, Commands.confirm("ann"));

    // when
    List<Throwable> failures =
        List.of(
            failure(0, List.of()),
            failure(0, malformed),
            failure(0, tooMany),
            failure(-1, ONE),
            failure(4, ONE));

    // then
    assertThat(failures).hasOnlyElementsOfType(IllegalArgumentException.class);
    assertThat(kafka.await(() -> unit.endOffset(0))).isZero();
    assertThat(unit.isUp()).isTrue();
  }

  private Throwable failure(int partition, List<Command> commands) {
    return kafka.await(
        () ->
            unit.append(partition, commands)
                .transform(done -> Future.succeededFuture(done.cause())));
  }

  @Test
  void shouldRefuseAtOnceWhenTooManyAreInFlight() {
    // given
    List<Future<Long>> appends = new ArrayList<>();

    // when
    Future<Long> last =
        KafkaFixture.broker()
            .whileItHangs(
                () -> {
                  kafka
                      .context()
                      .run(
                          () ->
                              IntStream.rangeClosed(0, BoundedProducer.SENDS_MAX)
                                  .forEach(i -> appends.add(unit.append(0, ONE))));
                  return appends.get(BoundedProducer.SENDS_MAX);
                });

    // then
    assertThat(last.cause()).isInstanceOf(LogFullException.class).hasMessageContaining("in flight");
  }

  @Test
  void shouldBeDownWhileTheBrokerHangsAndUpAgainAfterwards() {
    // given
    boolean before = unit.isUp();

    // when
    KafkaFixture.broker()
        .whileItHangs(
            () -> {
              await().atMost(PATIENCE).until(() -> !unit.isUp());
              return assertThatThrownBy(() -> kafka.await(() -> unit.endOffset(0)))
                  .isInstanceOf(RuntimeException.class);
            });

    // then
    assertThat(before).isTrue();
    await().atMost(PATIENCE).until(unit::isUp);
    await()
        .atMost(PATIENCE)
        .ignoreExceptions()
        .until(() -> kafka.await(() -> unit.append(0, ONE)) >= 0);
  }

  @Test
  void shouldSayThatTheTopicIsForeignWhenItWasMadeAnew() throws Exception {
    // given
    Admin admin = kafka.rawAdmin();
    KafkaTopics topics = new KafkaTopics(kafka.vertx(), kafka.admin(), kafka.config());

    // when
    admin.deleteTopics(Set.of(kafka.config().ordersTopic())).all().get(30, TimeUnit.SECONDS);
    await()
        .atMost(PATIENCE)
        .until(() -> !admin.listTopics().names().get().contains(kafka.config().ordersTopic()));
    TopicInfo anew = kafka.await(topics::ensure);

    // then
    await()
        .atMost(PATIENCE)
        .untilAsserted(() -> assertThat(kafka.foreignTopics).containsExactly(anew));
    assertThat(unit.isUp()).isFalse();
  }
}
