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
  private long now = Long.MAX_VALUE - 1;
  private final PollPacer unit = new PollPacer(() -> now, Duration.ZERO, PollPacer.IDLE_REST);
  private final PollPacer events = new PollPacer(() -> now, PollPacer.EVENTS_REST, Duration.ZERO);

  /** The broker gathers records of the order log, but not events. */
  @Test
  void shouldRestAfterEventsAlone() {
    // then
    assertThat(unit.restAfter(records(1))).isZero();
    assertThat(unit.restAfter(records(0))).isZero();
    assertThat(events.restAfter(records(1))).isEqualTo(PollPacer.EVENTS_REST);
    assertThat(events.restAfter(records(0))).isZero();
  }

  /** Each fetch of the order log waits for 20 ms only. */
  @Test
  void shouldRestAndPollBrieflyWhenNothingHasComeForAWhile() {
    // given
    unit.restAfter(records(1));
    Duration timeout = unit.pollTimeout();

    // when
    now += PollPacer.IDLE_AFTER.toNanos() - 1;
    Duration before = unit.restAfter(records(0));
    now += 1;

    // then
    assertThat(before).isZero();
    assertThat(unit.restAfter(records(0))).isEqualTo(PollPacer.IDLE_REST);
    assertThat(unit.pollTimeout()).isLessThan(timeout);
  }

  @Test
  void shouldNotRestAnyMoreWhenARecordComes() {
    // given
    unit.restAfter(records(1));
    now += PollPacer.IDLE_AFTER.toNanos();

    // when
    Duration first = unit.restAfter(records(1));

    // then
    assertThat(first).isZero();
    assertThat(unit.restAfter(records(0))).isZero();
  }

  /** As after an append of this instance, or when a partition is read from now on. */
  @Test
  void shouldNotRestWhenSomethingIsAboutToCome() {
    // given
    now += 2 * PollPacer.IDLE_AFTER.toNanos();
    boolean idleBefore = unit.isIdle();

    // when
    unit.stir();
    Duration rest = unit.restAfter(records(0));
    now += PollPacer.IDLE_AFTER.toNanos();

    // then
    assertThat(idleBefore).isTrue();
    assertThat(rest).isZero();
    assertThat(unit.restAfter(records(0))).isEqualTo(PollPacer.IDLE_REST);
  }

  /** Their fetches wait by themselves. */
  @Test
  void shouldNeverRestWhenEventsDoNotCome() {
    // when
    now += 2 * PollPacer.IDLE_AFTER.toNanos();

    // then
    assertThat(events.restAfter(records(0))).isZero();
  }

  private static ConsumerRecords<String, String> records(int count) {
    ConsumerRecord<String, String> one =
        new ConsumerRecord<>(
            "orders",
            0,
            0,
            0,
            TimestampType.CREATE_TIME,
            0,
            0,
            null,
            "record",
            new RecordHeaders(),
            Optional.empty());
    TopicPartition partition = new TopicPartition("orders", 0);
    return new ConsumerRecords<>(
        count == 0 ? Map.of() : Map.of(partition, Collections.nCopies(count, one)));
  }
}
