package io.sluice.orderlog.kafka;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.Collections;
import java.util.Map;
import java.util.Optional;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.common.record.TimestampType;
import org.junit.jupiter.api.Test;

class PollPacerTest {
  private static final long MS = 1_000_000;

  private long now = Long.MAX_VALUE - MS;
  private final PollPacer unit = new PollPacer(() -> now, PollPacer.REST, true);

  @Test
  void shouldReadWhatComesAloneAtOnce() {
    // when
    Duration first = unit.restAfter(records(1, 100));
    now += 5 * MS;
    Duration second = unit.restAfter(records(1, 100));

    // then
    assertThat(first).isZero();
    assertThat(second).isZero();
  }

  @Test
  void shouldRestWhenRecordsComeSoonAfterEachOther() {
    // given
    unit.restAfter(records(1, 100));

    // when
    now += 5 * MS - 1;
    Duration rest = unit.restAfter(records(1, 100));

    // then
    assertThat(rest).isEqualTo(PollPacer.REST);
  }

  @Test
  void shouldNotCountPollsThatBroughtNothing() {
    // given
    unit.restAfter(records(1, 100));
    now += 4 * MS;

    // when
    Duration nothing = unit.restAfter(records(0, 0));
    now += 4 * MS;

    // then
    assertThat(nothing).isZero();
    assertThat(unit.restAfter(records(1, 100))).isZero();
  }

  @Test
  void shouldNotRestWhileThereIsABacklog() {
    // given
    unit.restAfter(records(1, 100));

    // then
    assertThat(unit.restAfter(records(2, PollPacer.BACKLOG_BYTES / 2))).isZero();
    assertThat(unit.restAfter(records(ClientSettings.POLL_RECORDS_MAX, 1))).isZero();
    assertThat(unit.restAfter(records(2, PollPacer.BACKLOG_BYTES / 2 - 1)))
        .isEqualTo(PollPacer.REST);
    assertThat(unit.restAfter(records(ClientSettings.POLL_RECORDS_MAX - 1, 1)))
        .isEqualTo(PollPacer.REST);
  }

  /** Each fetch of the order log waits for 20 ms only. */
  @Test
  void shouldRestAndPollBrieflyWhenNothingHasComeForAWhile() {
    // given
    unit.restAfter(records(1, 100));
    Duration timeout = unit.pollTimeout();

    // when
    now += PollPacer.IDLE_AFTER.toNanos() - 1;
    Duration before = unit.restAfter(records(0, 0));
    now += 1;

    // then
    assertThat(before).isZero();
    assertThat(unit.restAfter(records(0, 0))).isEqualTo(PollPacer.IDLE_REST);
    assertThat(unit.pollTimeout()).isLessThan(timeout);
  }

  @Test
  void shouldNotRestAnyMoreWhenARecordComes() {
    // given
    unit.restAfter(records(1, 100));
    now += PollPacer.IDLE_AFTER.toNanos();

    // when
    Duration first = unit.restAfter(records(1, 100));

    // then
    assertThat(first).isZero();
    assertThat(unit.restAfter(records(0, 0))).isZero();
  }

  /** As after an append of this instance, or when a partition is read from now on. */
  @Test
  void shouldNotRestWhenSomethingIsAboutToCome() {
    // given
    now += 2 * PollPacer.IDLE_AFTER.toNanos();
    boolean idleBefore = unit.isIdle();

    // when
    unit.stir();
    Duration rest = unit.restAfter(records(0, 0));
    now += PollPacer.IDLE_AFTER.toNanos();

    // then
    assertThat(idleBefore).isTrue();
    assertThat(rest).isZero();
    assertThat(unit.restAfter(records(0, 0))).isEqualTo(PollPacer.IDLE_REST);
  }

  /** Their fetches wait by themselves. */
  @Test
  void shouldNeverRestWhenEventsDoNotCome() {
    // given
    PollPacer events = new PollPacer(() -> now, PollPacer.REST, false);

    // when
    now += 2 * PollPacer.IDLE_AFTER.toNanos();

    // then
    assertThat(events.restAfter(records(0, 0))).isZero();
  }

  private static ConsumerRecords<String, String> records(int count, int bytes) {
    ConsumerRecord<String, String> one =
        new ConsumerRecord<>(
            "orders",
            0,
            0,
            0,
            TimestampType.CREATE_TIME,
            0,
            bytes,
            null,
            "record",
            new RecordHeaders(),
            Optional.empty());
    TopicPartition partition = new TopicPartition("orders", 0);
    return new ConsumerRecords<>(
        count == 0 ? Map.of() : Map.of(partition, Collections.nCopies(count, one)));
  }
}
