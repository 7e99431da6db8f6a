package io.sluice.grant;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.async.LoopContext;
import io.sluice.model.Command;
import io.sluice.model.OrderToken;
import io.vertx.core.Future;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Grants that arrive while records are in flight are appended together. */
class LogBatcherTest {
  private static final Duration APPEND_MAX = Duration.ofSeconds(2);
  private static final int COMMANDS_MAX = 4;

  private final ScriptedLog log = new ScriptedLog();
  private final ManualLoop time = new ManualLoop();
  private final List<Integer> sizes = new ArrayList<>();
  private final LogBatcher unit = lanesIn(time.loop());

  @Test
  void shouldAppendAtOnceWhenTheLaneIsIdle() {
    // when
    Future<Long> first = unit.append(0, commands(1));
    Future<Long> second = unit.append(0, commands(1));

    // then
    assertThat(log.appends).hasSize(LogBatcher.RECORDS_MAX);
    log.appends.get(0).ack().complete(7L);
    assertThat(first.result()).isEqualTo(7);
    assertThat(second.isComplete()).isFalse();
  }

  @Test
  void shouldPutWhatOneTurnOfTheLoopBringsIntoOneRecord() {
    // given
    List<Runnable> nextTurn = new ArrayList<>();
    LogBatcher lanes = lanesIn(new LoopContext(time::now, time.loop().timers(), nextTurn::add));
    Future<Long> first = lanes.append(0, commands(1));
    Future<Long> second = lanes.append(0, commands(2));
    boolean early = !log.appends.isEmpty();

    // when
    List.copyOf(nextTurn).forEach(Runnable::run);
    log.ack(9);

    // then
    assertThat(early).isFalse();
    assertThat(nextTurn).hasSize(1);
    assertThat(sizes).containsExactly(3);
    assertThat(log.appends).hasSize(1);
    assertThat(first.result()).isEqualTo(9);
    assertThat(second.result()).isEqualTo(9);
  }

  @Test
  void shouldHaveNoRoomWhenWhatWaitsWillTakeIt() {
    // given
    List<Runnable> nextTurn = new ArrayList<>();
    LogBatcher lanes = lanesIn(new LoopContext(time::now, time.loop().timers(), nextTurn::add));
    for (int record = 0; record < LogBatcher.RECORDS_MAX - 1; record++) {
      lanes.append(0, commands(1));
      nextTurn.remove(0).run();
    }
    boolean before = lanes.room(0).isComplete();

    // when
    lanes.append(0, commands(1));

    // then
    assertThat(before).isTrue();
    assertThat(lanes.room(0).isComplete()).isFalse();
  }

  @Test
  void shouldPutWhatWaitedIntoOneRecord() {
    // given
    fill(0);
    Future<Long> third = unit.append(0, commands(2));
    Future<Long> fourth = unit.append(0, commands(2));
    Future<Long> fifth = unit.append(0, commands(1));

    // when
    log.appends.get(0).ack().complete(7L);
    log.ack(9);

    // then
    assertThat(log.appends.get(2).commands()).hasSize(COMMANDS_MAX);
    assertThat(third.result()).isEqualTo(9);
    assertThat(fourth.result()).isEqualTo(9);
    assertThat(fifth.isComplete()).isFalse();
    assertThat(log.last().commands()).hasSize(1);
  }

  @Test
  void shouldNotLetFullRecordsWaitUntilEndlesslyManyAreInFlight() {
    // given
    fill(0);

    // when
    for (int record = LogBatcher.RECORDS_MAX; record <= LogBatcher.FULL_RECORDS_MAX; record++) {
      unit.append(0, commands(COMMANDS_MAX));
    }

    // then
    assertThat(log.appends).hasSize(LogBatcher.FULL_RECORDS_MAX);
  }

  @Test
  void shouldKeepPartitionsApart() {
    // given
    fill(0);

    // when
    unit.append(1, commands(1));

    // then
    assertThat(log.last().partition()).isEqualTo(1);
    assertThat(unit.room(1).isComplete()).isTrue();
  }

  @Test
  void shouldTellThoseWhoWaitWhenAnAppendFails() {
    // given
    fill(0);
    Future<Long> third = unit.append(0, commands(1));

    // when
    log.appends.get(0).ack().fail("no broker");

    // then
    assertThat(third.failed()).isTrue();
    assertThat(log.appends).hasSize(2);
  }

  @Test
  void shouldGoOnWhenAnAppendIsNeverAnswered() {
    // given
    fill(0);
    Future<Long> third = unit.append(0, commands(1));

    // when
    time.advance(APPEND_MAX);
    boolean sent = log.appends.size() == 3;
    log.ack(5);

    // then
    assertThat(sent).isTrue();
    assertThat(third.result()).isEqualTo(5);
  }

  @Test
  void shouldTellOfRoomWhenARecordIsAcknowledged() {
    // given
    Future<Void> before = unit.room(0);
    fill(0);
    Future<Void> room = unit.room(0);
    boolean early = room.isComplete();

    // when
    log.ack(1);

    // then
    assertThat(before.isComplete()).isTrue();
    assertThat(early).isFalse();
    assertThat(room.succeeded()).isTrue();
  }

  @Test
  void shouldNotMakeAnybodyWaitLongForRoom() {
    // given
    fill(0);
    Future<Void> room = unit.room(0);

    // when
    time.advance(LogBatcher.ROOM_WAIT_MAX);

    // then
    assertThat(room.succeeded()).isTrue();
  }

  private void fill(int partition) {
    for (int i = 0; i < LogBatcher.RECORDS_MAX; i++) {
      unit.append(partition, commands(1));
    }
  }

  private LogBatcher lanesIn(LoopContext loop) {
    return new LogBatcher(log, COMMANDS_MAX, sizes::add, loop, APPEND_MAX);
  }

  private static List<Command> commands(int count) {
    OrderToken token = new OrderToken(7, 0, "7.0." + "a".repeat(22));
    return Collections.nCopies(count, new Command.Confirm(token));
  }
}
