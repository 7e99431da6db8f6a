package io.sluice.orderlog.kafka;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.orderlog.LogBatch;
import io.sluice.orderlog.kafka.AssignedPartitions.PollPlan;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class AssignedPartitionsTest {
  private static final int P = 3;

  private final AssignedPartitions unit = new AssignedPartitions();

  @BeforeEach
  void assign() {
    unit.assigned(Set.of(P, 4));
  }

  @Test
  void shouldRunNothingWhenNobodyNamedAnOffset() {
    // when
    PollPlan plan = unit.plan();

    // then
    assertThat(plan).isEqualTo(new PollPlan(Map.of(), Set.of()));
  }

  @Test
  void shouldSeekOnceWhenStarted() {
    // given
    unit.start(P, 17, 1);

    // when
    PollPlan first = unit.plan();
    PollPlan second = unit.plan();

    // then
    assertThat(first).isEqualTo(new PollPlan(Map.of(P, 17L), Set.of(P)));
    assertThat(second).isEqualTo(new PollPlan(Map.of(), Set.of(P)));
  }

  @Test
  void shouldDropRecordsWhenTheyWerePolledBeforeTheSeek() {
    // given
    unit.start(P, 17, 1);
    unit.start(P, 40, 8);

    // when
    boolean ofThePollUnderWay = unit.admit(7, batch(P, 18));
    boolean ofTheNextPoll = unit.admit(8, batch(P, 40));

    // then
    assertThat(ofThePollUnderWay).isFalse();
    assertThat(ofTheNextPoll).isTrue();
    assertThat(unit.takeHeld()).isNull();
  }

  @Test
  void shouldDropRecordsWhenThePartitionIsAboutToStartElsewhere() {
    // given
    unit.start(P, 17, 1);
    unit.prepareStart(P);

    // when
    boolean admitted = unit.admit(2, batch(P, 17));

    // then
    assertThat(admitted).isFalse();
    assertThat(unit.plan().running()).isEmpty();
  }

  @Test
  void shouldDropRecordsWhenThePartitionWasRevokedAndAssignedAgain() {
    // given
    unit.start(P, 17, 1);
    unit.revoked(Set.of(P));
    unit.assigned(Set.of(P));

    // when
    boolean admitted = unit.admit(2, batch(P, 17));

    // then
    assertThat(admitted).isFalse();
  }

  @Test
  void shouldKeepRecordsWhenPausedDuringThePoll() {
    // given
    unit.start(P, 17, 1);
    unit.plan();
    unit.pause(Set.of(P));

    // when
    boolean admitted = unit.admit(1, batch(P, 17));

    // then
    assertThat(admitted).isFalse();
    assertThat(unit.takeHeld()).isNull();
    unit.resume(Set.of(P));
    assertThat(unit.plan().running()).as("while records are kept").isEmpty();
    assertThat(unit.takeHeld()).isEqualTo(batch(P, 17));
    assertThat(unit.takeHeld()).isNull();
    assertThat(unit.plan().running()).containsExactly(P);
  }

  @Test
  void shouldForgetKeptRecordsWhenStartedElsewhere() {
    // given
    unit.start(P, 17, 1);
    unit.pause(Set.of(P));
    unit.admit(1, batch(P, 17));

    // when
    unit.start(P, 5, 2);

    // then
    assertThat(unit.takeHeld()).isNull();
    assertThat(unit.plan()).isEqualTo(new PollPlan(Map.of(P, 5L), Set.of(P)));
  }

  @Test
  void shouldRefuseTheEarlierStartWhenALaterOneFollows() {
    // given
    long first = unit.prepareStart(P);

    // when
    long second = unit.prepareStart(P);

    // then
    assertThat(unit.isCurrent(P, first)).isFalse();
    assertThat(unit.isCurrent(P, second)).isTrue();
    assertThat(unit.isCurrent(4, second)).isFalse();
  }

  @Test
  void shouldRefuseTheStartWhenThePartitionMovedMeanwhile() {
    // given
    long generation = unit.prepareStart(P);

    // when
    unit.revoked(Set.of(P));
    boolean whileRevoked = unit.isCurrent(P, generation);
    unit.assigned(Set.of(P));
    boolean whenBack = unit.isCurrent(P, generation);

    // then
    assertThat(whileRevoked).isFalse();
    assertThat(whenBack).isFalse();
    assertThat(unit.prepareStart(99)).isZero();
    assertThat(unit.isCurrent(99, 0)).isFalse();
  }

  @Test
  void shouldPauseOnlyThoseNamed() {
    // given
    unit.start(P, 1, 1);
    unit.start(4, 1, 1);

    // when
    unit.pause(Set.of(P, 99));

    // then
    assertThat(unit.plan().running()).containsExactly(4);
  }

  private static LogBatch batch(int partition, long offset) {
    return new LogBatch(partition, offset, offset + 1, List.of());
  }
}
