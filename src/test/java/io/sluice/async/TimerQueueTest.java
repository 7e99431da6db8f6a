package io.sluice.async;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.grant.ManualLoop;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class TimerQueueTest {
  private final ManualLoop time = new ManualLoop();
  private final TimerQueue unit = new TimerQueue(time.loop());
  private final List<String> done = new ArrayList<>();

  @Test
  void shouldRunEachAtItsTimeWhenSetInAnyOrder() {
    // given
    unit.after(Duration.ofMillis(11), () -> done.add("late"));
    unit.after(Duration.ofMillis(10), () -> done.add("early"));
    unit.after(Duration.ofMillis(10), () -> done.add("early too"));

    // when
    time.advanceMs(10);
    List<String> doneEarly = List.copyOf(done);
    time.advanceMs(1);

    // then
    assertThat(doneEarly).containsExactly("early", "early too");
    assertThat(done).containsExactly("early", "early too", "late");
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

  /** Two deadlines of which the later one would come first if times were compared as they are. */
  @Test
  void shouldRunInOrderWhereverTheClockBegan() {
    // given
    long away = Long.MAX_VALUE / 2 - 1_000_000 - time.now();
    LoopContext shifted =
        new LoopContext(() -> time.now() + away, time.loop().timers(), Runnable::run);
    TimerQueue queue = new TimerQueue(shifted);
    queue.after(Duration.ofMillis(50), () -> done.add("late"));
    queue.after(Duration.ofMillis(1), () -> done.add("early"));

    // when
    time.advanceMs(1);

    // then
    assertThat(done).containsExactly("early");
  }

  /** A timer that fires too early finds nothing due and has to be set again. */
  @Test
  void shouldSetATimerOnceWhenTheDelayIsNoWholeNumberOfMilliseconds() {
    // given
    List<Duration> set = new ArrayList<>();
    TimerQueue queue =
        new TimerQueue(
            new LoopContext(
                time::now,
                delay -> {
                  set.add(delay);
                  return time.loop().timers().after(delay);
                },
                Runnable::run));

    // when
    queue.after(Duration.ofNanos(2_000_001), () -> done.add("once"));

    // then
    assertThat(set).containsExactly(Duration.ofMillis(3));
  }
}
