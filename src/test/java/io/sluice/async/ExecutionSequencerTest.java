package io.sluice.async;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.ledger.Fence;
import io.sluice.monitor.Alarm;
import io.sluice.owner.KnownFences;
import io.sluice.owner.Ownership;
import io.sluice.owner.Ownership.FenceLostException;
import io.sluice.testkit.process.LogWatch;
import io.sluice.testkit.register.Raises;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class ExecutionSequencerTest {
  private int lost;
  private final Ownership ownership =
      new Ownership(new Fence(7, 1, 0), new KnownFences(), () -> lost++);
  private final ExecutionSequencer unit = new ExecutionSequencer(ownership::about, ownership::lose);
  private final List<String> begun = new ArrayList<>();

  @Test
  void shouldBeginTheNextOnlyWhenTheOneBeforeHasEnded() {
    // given
    Promise<String> first = Promise.promise();
    unit.take("work", () -> begin("first", first.future()));

    // when
    Future<String> second =
        unit.take("work", () -> begin("second", Future.succeededFuture("done")));

    // then
    assertThat(begun).containsExactly("first");
    first.complete("done");
    assertThat(begun).containsExactly("first", "second");
    assertThat(second.result()).isEqualTo("done");
  }

  @Test
  void shouldGoOnWhenTheOneBeforeFails() {
    // given
    Promise<String> first = Promise.promise();
    Future<String> failed = unit.take("work", () -> begin("first", first.future()));
    unit.take("work", () -> begin("second", Future.succeededFuture("done")));

    // when
    first.fail("away");

    // then
    assertThat(failed.failed()).isTrue();
    assertThat(begun).containsExactly("first", "second");
  }

  /** As long a queue forms behind one long turn. */
  @Test
  void shouldServeAnyNumberOfThoseWhoWait() {
    // given
    Promise<Void> first = Promise.promise();
    unit.take("first", first::future);
    List<Future<String>> waiting = new ArrayList<>();
    for (int i = 0; i < 50_000; i++) {
      waiting.add(unit.take("work", () -> Future.succeededFuture("done")));
    }

    // when
    first.complete();

    // then
    assertThat(waiting).allMatch(Future::succeeded);
  }

  @Test
  void shouldGoOnWhenAPieceOfWorkThrows() {
    // when
    Future<String> thrown =
        unit.take(
            "work",
            () -> {
              throw new IllegalStateException("thrown");
            });
    Future<String> next = unit.take("work", () -> begin("next", Future.succeededFuture("done")));

    // then
    assertThat(thrown.cause()).hasMessage("thrown");
    assertThat(next.result()).isEqualTo("done");
  }

  @Test
  @Raises(Alarm.LEDGER_TASK_STUCK)
  void shouldStepDownAndBeginNothingWhenATurnStandsStill() {
    // given
    Promise<String> never = Promise.promise();
    unit.take("load of bucket 1001.0", never::future);
    Future<String> waiting = unit.take("work", () -> begin("waiting", Future.succeededFuture("")));

    // when
    try (LogWatch logs = LogWatch.of(ExecutionSequencer.class)) {
      ticks(ExecutionSequencer.STUCK_AFTER);

      // then
      assertThat(logs.lines())
          .singleElement()
          .asString()
          .contains(Alarm.LEDGER_TASK_STUCK.text())
          .contains(
              "partition=\"7\"",
              "task=\"load of bucket 1001.0\"",
              "seconds=\"60\"",
              "waiting=\"1\"");
    }
    Future<String> later = unit.take("work", () -> begin("later", Future.succeededFuture("")));
    never.complete("late");
    assertThat(lost).isEqualTo(1);
    assertThat(waiting.cause()).isInstanceOf(FenceLostException.class);
    assertThat(later.cause()).isInstanceOf(FenceLostException.class);
    assertThat(begun).isEmpty();
    assertThat(unit.hasWaiting()).isFalse();
  }

  /**
   * As when a bucket with millions of orders is loaded: an alarm per minute, but ownership stays.
   */
  @Test
  @Raises(Alarm.LEDGER_TASK_SLOW)
  void shouldOnlyTellOfALongTurnThatGoesOn() {
    // given
    unit.take("load", () -> Promise.promise().future());

    // when
    try (LogWatch logs = LogWatch.of(ExecutionSequencer.class)) {
      for (int second = 0; second < 10 * ExecutionSequencer.STUCK_AFTER.toSeconds(); second++) {
        unit.progressed();
        unit.tick();
      }

      // then
      assertThat(logs.lines())
          .hasSize(10)
          .allMatch(line -> line.contains(Alarm.LEDGER_TASK_SLOW.text()));
    }
    assertThat(lost).isZero();
  }

  @Test
  void shouldBePatientWithEachTurnAnew() {
    // given
    for (int turn = 0; turn < 3; turn++) {
      Promise<String> work = Promise.promise();
      unit.take("work", work::future);
      ticks(ExecutionSequencer.STUCK_AFTER.minus(StallDetector.TICK));
      work.complete("done");
    }

    // when
    ticks(ExecutionSequencer.STUCK_AFTER.multipliedBy(2));

    // then
    assertThat(lost).isZero();
  }

  @Test
  void shouldCountTheTimeOfEachTurnByItself() {
    // given
    try (LogWatch logs = LogWatch.of(ExecutionSequencer.class)) {
      for (int turn = 0; turn < 3; turn++) {
        Promise<String> work = Promise.promise();
        unit.take("work", work::future);
        ticks(ExecutionSequencer.TOLD_EVERY.minus(StallDetector.TICK));

        // when
        work.complete("done");
      }

      // then
      assertThat(logs.lines()).isEmpty();
    }
  }

  @Test
  void shouldSayWhetherWorkWaitsForTheTurnUnderWay() {
    // given
    boolean atFirst = unit.hasWaiting();
    unit.take("work", () -> Promise.promise().future());
    boolean alone = unit.hasWaiting();

    // when
    unit.take("more", () -> Promise.promise().future());

    // then
    assertThat(atFirst).isFalse();
    assertThat(alone).isFalse();
    assertThat(unit.hasWaiting()).isTrue();
  }

  private void ticks(Duration time) {
    for (long tick = 0; tick < time.dividedBy(StallDetector.TICK); tick++) {
      unit.tick();
    }
  }

  private Future<String> begin(String name, Future<String> work) {
    begun.add(name);
    return work;
  }
}
