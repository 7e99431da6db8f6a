package io.sluice.owner;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class BookingThrottleTest {
  private static final Duration SLICE = Duration.ofMillis(20);
  private static final Duration REST = SLICE.multipliedBy(9);

  private long nowNanos = -5;
  private boolean stampede = true;
  private final BookingThrottle unit = new BookingThrottle(() -> nowNanos, () -> stampede);

  @Test
  void shouldNotRestWhenNobodyIsInAHurry() {
    // given
    stampede = false;

    // when, then
    assertThat(restAfterASlice(SLICE)).isZero();
  }

  @Test
  void shouldRestNineTimesAsLongAsTheSliceTookWhenThereIsAStampede() {
    // when, then
    assertThat(restAfterASlice(SLICE)).isEqualTo(REST);
  }

  @Test
  void shouldOweNothingAnyMoreWhenItHasRested() {
    // given
    pass(restAfterASlice(SLICE));

    // when, then
    assertThat(restAfterASlice(SLICE)).isEqualTo(REST);
  }

  @Test
  void shouldAddUpWhenTwoPartitionsHaveBookedAtOnce() {
    // given
    long begin = unit.begin();
    pass(SLICE);
    unit.restAfter(begin);

    // when
    Duration rest = unit.restAfter(begin);

    // then
    assertThat(rest).isEqualTo(REST.multipliedBy(2));
  }

  @Test
  void shouldNeverRestLongerThanItsBoundWhenSlicesAreSlow() {
    // when
    Duration first = restAfterASlice(Duration.ofSeconds(60));
    Duration second = restAfterASlice(Duration.ofSeconds(60));

    // then
    assertThat(first).isEqualTo(BookingThrottle.REST_MAX);
    assertThat(second).isEqualTo(BookingThrottle.REST_MAX);
  }

  private Duration restAfterASlice(Duration slice) {
    long begin = unit.begin();
    pass(slice);
    return unit.restAfter(begin);
  }

  private void pass(Duration time) {
    nowNanos += time.toNanos();
  }
}
