package io.sluice.owner;

import static org.assertj.core.api.Assertions.assertThat;

import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class PassTest {
  private final List<Promise<Boolean>> steps = new ArrayList<>();
  private final Pass unit =
      new Pass(
          "test",
          0,
          () -> {
            Promise<Boolean> step = Promise.promise();
            steps.add(step);
            return step.future();
          });

  @Test
  void shouldNotOverlapItselfWhenWokenWhileRunning() {
    // given
    unit.wake();

    // when
    unit.wake();
    unit.wake();

    // then
    assertThat(steps).hasSize(1);
  }

  @Test
  void shouldRunOnceMoreWhenWokenWhileRunning() {
    // given
    unit.wake();
    unit.wake();
    unit.wake();

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
}
