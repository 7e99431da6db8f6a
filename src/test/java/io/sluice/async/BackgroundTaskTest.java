package io.sluice.async;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.ledger.Fence;
import io.sluice.monitor.Alarm;
import io.sluice.owner.BackgroundTasks;
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
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

class BackgroundTaskTest {
  private final List<Promise<Boolean>> steps = new ArrayList<>();
  private final BackgroundTask unit =
      new BackgroundTask(
          "test",
          () -> {
            Promise<Boolean> step = Promise.promise();
            steps.add(step);
            return step.future();
          });

  @Test
  void shouldRunOnceMoreWithoutOverlapWhenWokenWhileRunning() {
    // given
    unit.wake();
    unit.wake();
    unit.wake();
    assertThat(steps).hasSize(1);

    // when
    steps.get(0).complete(false);
    steps.get(1).complete(false);

    // then
    assertThat(steps).hasSize(2);
  }

  @Test
  void shouldGoOnWhenMoreIsDue() {
    // given
    unit.wake();

    // when
    steps.get(0).complete(true);

    // then
    assertThat(steps).hasSize(2);
  }

  @Test
  void shouldWaitForTheNextWakeWhenAStepFails() {
    // given
    unit.wake();
    steps.get(0).fail("away");
    int afterFailure = steps.size();

    // when
    unit.wake();

    // then
    assertThat(afterFailure).isEqualTo(1);
    assertThat(steps).hasSize(2);
  }

  @Test
  void shouldEndOnlyAfterTheStepInFlightWhenStopped() {
    // given
    unit.wake();

    // when
    Future<Void> stopped = unit.stop();
    boolean endedBefore = stopped.isComplete();
    steps.get(0).complete(true);

    // then
    assertThat(endedBefore).isFalse();
    assertThat(stopped.succeeded()).isTrue();
    assertThat(steps).hasSize(1);
  }

  @Test
  void shouldRunAnyNumberOfStepsWhenEachCompletesAtOnce() {
    // given
    int[] left = {100_000};
    BackgroundTask many = new BackgroundTask("many", () -> Future.succeededFuture(--left[0] > 0));

    // when
    many.wake();

    // then
    assertThat(left[0]).isZero();
  }

  @Test
  void shouldRunAgainWhenAStepThrew() {
    // given
    int[] runs = {0};
    BackgroundTask throwing =
        new BackgroundTask(
            "throwing",
            () -> {
              runs[0]++;
              throw new IllegalStateException("thrown");
            });
    throwing.wake();

    // when
    throwing.wake();

    // then
    assertThat(runs[0]).isEqualTo(2);
  }

  @Test
  void shouldStandStillOnlyWhenAStepDoesNotGoOn() {
    // given
    unit.wake();
    boolean tooEarly = ticks(BackgroundTask.STUCK_AFTER.minus(StallDetector.TICK));
    unit.progressed();
    boolean wentOn = ticks(BackgroundTask.STUCK_AFTER.minus(StallDetector.TICK));

    // when
    boolean stuck = ticks(StallDetector.TICK);

    // then
    assertThat(tooEarly).isFalse();
    assertThat(wentOn).isFalse();
    assertThat(stuck).isTrue();
  }

  @Test
  void shouldNotStandStillWhenNothingRuns() {
    // when
    boolean stuck = ticks(BackgroundTask.STUCK_AFTER.multipliedBy(2));

    // then
    assertThat(stuck).isFalse();
  }

  @Test
  @Raises(Alarm.BACKGROUND_TASK_STUCK)
  void shouldEndTheOwnershipWhenAPassStandsStill() {
    // given
    int[] lost = {0};
    Ownership ownership = new Ownership(new Fence(7, 1, 0), new KnownFences(), () -> lost[0]++);
    BackgroundTasks tasks = new BackgroundTasks(ownership::about, ownership::lose);
    tasks.make("stuck", () -> Promise.<Boolean>promise().future()).wake();

    // when
    try (LogWatch logs = LogWatch.of(BackgroundTask.class)) {
      for (long tick = 0; tick < BackgroundTask.STUCK_AFTER.dividedBy(StallDetector.TICK); tick++) {
        tasks.tick();
      }

      // then
      assertThat(logs.alarms())
          .singleElement()
          .asString()
          .contains(
              Alarm.BACKGROUND_TASK_STUCK.text(),
              "partition=\"7\"",
              "task=\"stuck\"",
              "seconds=\"120\"");
    }
    assertThat(lost[0]).isEqualTo(1);
  }

  @Test
  void shouldBePatientWithEachStepAnew() {
    // given
    unit.wake();
    unit.wake();
    ticks(BackgroundTask.STUCK_AFTER.minus(StallDetector.TICK));

    // when
    steps.get(0).complete(false);
    boolean stuck = ticks(BackgroundTask.STUCK_AFTER.minus(StallDetector.TICK));

    // then
    assertThat(steps).hasSize(2);
    assertThat(stuck).isFalse();
  }

  @Test
  void shouldWarnOnceWhileItFailsAndAnewWhenItFailsLater() {
    try (LogWatch logs = LogWatch.of(BackgroundTask.class)) {
      // when
      run(step -> step.fail("away"));
      run(step -> step.fail("away"));
      int whileItFails = logs.lines().size();
      run(step -> step.complete(false));
      run(step -> step.fail("away"));

      // then
      assertThat(whileItFails).isEqualTo(1);
      assertThat(logs.lines()).hasSize(2).allMatch(line -> line.contains("background task failed"));
    }
  }

  @Test
  void shouldSayNothingOfAFenceThatIsLostOrOfAnEnd() {
    try (LogWatch logs = LogWatch.of(BackgroundTask.class)) {
      // when
      unit.wake();
      steps.get(0).fail(new FenceLostException(7));
      unit.wake();
      unit.stop();
      steps.get(1).fail("away");

      // then
      assertThat(logs.lines()).isEmpty();
    }
  }

  private void run(Consumer<Promise<Boolean>> end) {
    unit.wake();
    end.accept(steps.get(steps.size() - 1));
  }

  private boolean ticks(Duration time) {
    boolean stuck = false;
    for (long tick = 0; tick < time.dividedBy(StallDetector.TICK); tick++) {
      stuck |= unit.isStuck();
    }
    return stuck;
  }
}
