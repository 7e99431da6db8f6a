package io.sluice.async;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.reservation.ManualLoop;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class TimerQueueTest {
  private final ManualLoop time = new ManualLoop();
  private final TimerQueue unit = new TimerQueue(time.loop());
  private final List<String> done = new ArrayList<>();

  @Test
  void shouldRunInOrderOfTimeWhenSetInAnyOrder() {
    // given
    unit.after(Duration.ofMillis(30), () -> done.add("late"));
    unit.after(Duration.ofMillis(10), () -> done.add("early"));
    unit.after(Duration.ofMillis(10), () -> done.add("early too"));

    // when
    time.advanceMs(30);

    // then
    assertThat(done).containsExactly("early", "early too", "late");
  }

  @Test
  void shouldNotRunBeforeItsTimeWhenAnotherIsDue() {
    // given
    unit.after(Duration.ofMillis(10), () -> done.add("early"));
    unit.after(Duration.ofMillis(11), () -> done.add("late"));

    // when
    time.advanceMs(10);

    // then
    assertThat(done).containsExactly("early");
  }

  @Test
  void shouldNotRunWhenCalledOff() {
    // given
    TimerQueue.Deadline deadline = unit.after(Duration.ofMillis(10), () -> done.add("never"));
    unit.after(Duration.ofMillis(20), () -> done.add("other"));

    // when
    deadline.cancel();
    time.advanceMs(20);

    // then
    assertThat(done).containsExactly("other");
  }

  @Test
  void shouldRunWhatIsSetByAnother() {
    // given
    unit.after(
        Duration.ofMillis(10), () -> unit.after(Duration.ofMillis(5), () -> done.add("next")));

    // when
    time.advanceMs(15);

    // then
    assertThat(done).containsExactly("next");
  }

  @Test
  void shouldRunEachOnceWhenTheLoopWasHeldUp() {
    // given
    unit.after(Duration.ofMillis(10), () -> done.add("one"));
    unit.after(Duration.ofMillis(20), () -> done.add("two"));
    time.stall(Duration.ofMillis(50));

    // when
    time.advanceMs(50);

    // then
    assertThat(done).containsExactly("one", "two");
  }

  @Test
  void shouldSetFewTimersWhenEarlierOnesKeepComing() {
    // given
    int most = 0;
    for (int round = 0; round < 50; round++) {
      unit.after(Duration.ofMillis(100), () -> done.add("long"));
      unit.after(Duration.ofMillis(1), () -> done.add("short"));
      most = Math.max(most, time.timersSet());
      time.advanceMs(1);
    }

    // when
    time.advanceMs(99);

    // then
    assertThat(done).hasSize(100);
    assertThat(most).isEqualTo(2);
    assertThat(time.timersSet()).isZero();
  }
}
