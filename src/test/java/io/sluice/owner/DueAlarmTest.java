package io.sluice.owner;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.owner.TimeoutScan.DueAlarm;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class DueAlarmTest {
  private record Set(Duration delay, Promise<Void> promise) {}

  private final List<Set> timers = new ArrayList<>();
  private int woken;
  private final DueAlarm unit = new DueAlarm(this::after, Duration.ofMillis(500), () -> woken++);

  private Future<Void> after(Duration delay) {
    Promise<Void> promise = Promise.promise();
    timers.add(new Set(delay, promise));
    return promise.future();
  }

  private List<Long> delays() {
    return timers.stream().map(set -> set.delay().toMillis()).toList();
  }

  @Test
  void shouldWakeWhenTheNextIsDue() {
    // given
    unit.due(10_310);
    unit.due(10_120);
    unit.due(10_130);

    // when
    unit.looked(10_000);
    timers.get(0).promise().complete();

    // then
    assertThat(delays()).containsExactly(200L);
    assertThat(woken).isEqualTo(1);
  }

  @Test
  void shouldSetNoTimerWhenTheIntervalComesFirst() {
    // given
    unit.due(10_500);

    // when
    unit.looked(10_000);
    boolean early = timers.isEmpty();
    unit.looked(10_100);
    unit.looked(10_200);

    // then
    assertThat(early).isTrue();
    assertThat(delays()).containsExactly(400L);
  }

  @Test
  void shouldSetAnotherTimerWhenSomethingIsDueEarlier() {
    // given
    unit.due(10_400);
    unit.looked(10_000);

    // when
    unit.due(10_200);
    unit.looked(10_050);

    // then
    assertThat(delays()).containsExactly(400L, 150L);
  }

  @Test
  void shouldFollowAfterASlotWhenSomethingWasFound() {
    // given
    unit.due(10_000);
    unit.looked(10_000);

    // when
    unit.found(10_000);
    unit.looked(10_000);
    unit.looked(10_100);

    // then
    assertThat(delays()).containsExactly(100L);
  }

  @Test
  void shouldKeepTheEarliestWhenTheyAreTooMany() {
    // given
    for (long i = 2L * DueAlarm.SLOTS_MAX; i > 0; i--) {
      unit.due(10_000 + i * DueAlarm.SLOT.toMillis());
    }
    unit.due(Long.MAX_VALUE);

    // when
    unit.looked(10_000);
    unit.looked(10_000 + DueAlarm.SLOTS_MAX * DueAlarm.SLOT.toMillis());

    // then
    assertThat(delays()).containsExactly(100L);
  }
}
