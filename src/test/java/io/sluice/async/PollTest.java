package io.sluice.async;

import static org.assertj.core.api.Assertions.assertThat;

import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Queue;
import java.util.function.Predicate;
import org.junit.jupiter.api.Test;

class PollTest {
  private static final Duration WITHIN = Duration.ofSeconds(10);

  /** Close to overflow: only differences of a monotonic clock have a meaning. */
  private long nanos = Long.MAX_VALUE - 1;

  private int looks;
  private final Queue<Promise<Void>> pauses = new ArrayDeque<>();
  private final Poll unit =
      new Poll(
          duration -> {
            nanos += duration.toNanos();
            Promise<Void> pause = Promise.promise();
            pauses.add(pause);
            return pause.future();
          },
          () -> nanos);

  @Test
  void shouldGiveWhatIsEnough() {
    // given
    Future<Integer> seen = lookUntil(look -> look == 3);

    // when
    pass();

    // then
    assertThat(seen.result()).isEqualTo(3);
  }

  @Test
  void shouldGiveWhatThereIsWhenTheTimeIsUpThoughTheClockOverflows() {
    // given
    Future<Integer> seen = lookUntil(look -> false);

    // when
    pass();

    // then
    assertThat(seen.result()).isEqualTo(1 + (int) WITHIN.dividedBy(Duration.ofMillis(50)));
  }

  @Test
  void shouldLookAtLeastOnceAndFailAsTheLookDoes() {
    // when
    Future<Integer> seen =
        unit.until(unit.deadline(Duration.ZERO), () -> Future.failedFuture("away"), any -> true);

    // then
    assertThat(seen.cause()).hasMessage("away");
  }

  private Future<Integer> lookUntil(Predicate<Integer> enough) {
    return unit.until(unit.deadline(WITHIN), () -> Future.succeededFuture(++looks), enough);
  }

  private void pass() {
    while (!pauses.isEmpty()) {
      pauses.remove().complete();
    }
  }
}
