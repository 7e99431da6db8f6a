package io.sluice.async;

import static org.assertj.core.api.Assertions.assertThat;

import io.vertx.core.Future;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Queue;
import org.junit.jupiter.api.Test;

class ThrottledTaskTest {
  private int runs;

  private Future<?> work() {
    runs++;
    return Future.succeededFuture();
  }

  /** Two threads may find it due; the second one must not keep the work from ever running again. */
  @Test
  void shouldRunLaterWhenItIsNotDueAnyMoreAtTheSecondLook() {
    // given
    Queue<Long> clock = new ArrayDeque<>(List.of(0L, 0L, -1L));
    ThrottledTask unit =
        new ThrottledTask(
            this::work, Duration.ofSeconds(1), () -> clock.isEmpty() ? 0 : clock.remove());
    unit.ask();
    int beside = runs;

    // when
    unit.ask();

    // then
    assertThat(beside).isZero();
    assertThat(runs).isEqualTo(1);
  }
}
