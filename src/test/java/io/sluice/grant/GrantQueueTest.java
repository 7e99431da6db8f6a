package io.sluice.grant;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayDeque;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class GrantQueueTest {
  private static final int MAX = 10_000;
  private static final Duration MOMENT = Duration.ofMillis(1);

  private final ArrayDeque<Long> entered = new ArrayDeque<>();
  private long nowNanos = Duration.ofHours(1).toNanos();
  private final GrantQueue unit = new GrantQueue(MAX, () -> nowNanos);

  @Test
  void shouldTakeABurstThatFillsAllPlaces() {
    // when
    fill();

    // then
    assertThat(entered).hasSize(MAX);
  }

  @Test
  void shouldKeepAllPlacesWhenABurstIsAnsweredInTime() {
    // given
    fill();

    // when
    pass(GrantQueue.TARGET);
    answer(MAX);

    // then
    assertThat(room()).isEqualTo(MAX);
  }

  @Test
  void shouldKeepAllPlacesWhenOneOfALongQueueIsAnsweredInTime() {
    // given
    fill();

    unit.leave(entered.removeLast());

    // when
    pass(GrantQueue.TARGET.plus(MOMENT));
    unit.leave(unit.enter());
    answer(MAX - 1);

    // then
    assertThat(room()).isEqualTo(MAX);
  }

  @Test
  void shouldHoldAsManyAsAreAnsweredInTimeWhenTheQueueStands() {
    // when
    overload(Duration.ofSeconds(3), 1);

    // then
    int inTime = 10 * (int) GrantQueue.TARGET.toMillis();
    assertThat(entered.size()).isBetween(inTime * 8 / 10, inTime * 5 / 4);
  }

  @Test
  void shouldKeepSomePlacesWhenAnswersAreSlowWithoutAQueue() {
    // when
    overload(Duration.ofMinutes(20), 1_000);

    // then
    assertThat(room() + entered.size())
        .isBetween(GrantQueue.LEAST, GrantQueue.LEAST + GrantQueue.LEAST / 4 + 1);
  }

  @Test
  void shouldGiveAllPlacesBackSoonWhenTheOverloadIsOver() {
    // given
    overload(Duration.ofSeconds(3), 1);
    answer(entered.size() - 1);

    // when
    int intervals = 0;
    while (room() + entered.size() < MAX && intervals < 100) {
      pass(GrantQueue.INTERVAL);
      entered.add(unit.enter());
      answer(1);
      intervals++;
    }

    // then
    assertThat(intervals).isLessThan(12);
  }

  @Test
  void shouldTakeABurstThatFillsAllPlacesWhenNoneWasRefusedForAWhile() {
    // given
    overload(Duration.ofSeconds(3), 1);

    // when
    answer(entered.size());
    pass(GrantQueue.CALM.minus(MOMENT));
    fill();

    // then
    assertThat(entered).hasSize(MAX);
  }

  @Test
  void shouldTakeNoBurstWhenTheQueueIsEmptyForAMomentAmidACrowd() {
    // given
    overload(Duration.ofSeconds(3), 1);

    // when
    answer(entered.size());
    pass(GrantQueue.CALM.minus(MOMENT.multipliedBy(2)));
    fill();

    // then
    assertThat(entered).hasSizeLessThan(MAX / 4);
  }

  @Test
  void shouldRefuseBeforeAnswersAreLateWhenThreeTimesAsManyArrive() {
    // when
    int ms = 0;
    while (unit.hasRoom() && ms < 1_000) {
      for (int i = 0; i < 30; i++) {
        entered.add(unit.enter());
      }
      pass(MOMENT);
      answer(10);
      ms++;
    }

    // then
    assertThat(ms).isBetween(100, 201);
  }

  /** At 300 answers in an interval, the last of 600 waits for just as long as it may. */
  @ParameterizedTest(name = "{0}")
  @CsvSource({
    "few are answered late, 1, 1, 5000",
    "so few are answered that they tell no rate, 5000, 51, 100",
    "no more are in progress than the least, " + (GrantQueue.LEAST + 1) + ", 1, 5000",
    "the newest waits for just as long as it may, 900, 300, 100"
  })
  void shouldKeepAllPlacesWhen(String what, int entering, int answers, int lengthMs) {
    // when
    answerInAnInterval(entering, answers, Duration.ofMillis(lengthMs));

    // then
    assertThat(room() + entered.size()).isEqualTo(MAX);
  }

  @Test
  void shouldTakeNoMoreThanTheLeastWhenTheNewestWaitsForTooLong() {
    // when
    answerInAnInterval(901, 300, GrantQueue.INTERVAL);

    // then
    assertThat(room()).isZero();
    answer(GrantQueue.LEAST);
    assertThat(room() + entered.size()).isEqualTo(GrantQueue.LEAST);
  }

  @Test
  void shouldTakeWhatIsAnsweredInTimeAndThenAQuarterMore() {
    // given
    answerInAnInterval(3_000, 1_400, GrantQueue.INTERVAL.multipliedBy(2));
    answer(1_500);
    int inTime = room() + entered.size();

    // when
    pass(GrantQueue.INTERVAL);
    answer(1);

    // then
    assertThat(inTime).isEqualTo(700);
    assertThat(room() + entered.size()).isEqualTo(700 + 700 / 4 + 1);
  }

  /** So many enter, and so many of them are answered, the last one as the interval ends. */
  private void answerInAnInterval(int entering, int answers, Duration length) {
    for (int i = 0; i < entering; i++) {
      entered.add(unit.enter());
    }
    pass(GrantQueue.INTERVAL.minus(MOMENT));
    answer(answers - 1);
    pass(length.minus(GrantQueue.INTERVAL).plus(MOMENT));
    answer(1);
  }

  /** As many arrive as may; ten are answered in this many milliseconds, the oldest first. */
  private void overload(Duration length, int msPerTen) {
    for (int ms = 0; ms < length.toMillis(); ms += msPerTen) {
      fill();
      pass(Duration.ofMillis(msPerTen));
      answer(10);
    }
  }

  private void fill() {
    while (unit.hasRoom()) {
      entered.add(unit.enter());
    }
  }

  private int room() {
    int before = entered.size();
    fill();
    int room = entered.size() - before;
    // Those that only measured leave at once; that is no interval.
    for (int i = 0; i < room; i++) {
      unit.leave(entered.removeLast());
    }
    return room;
  }

  private void answer(int count) {
    for (int i = 0; i < count; i++) {
      unit.leave(entered.remove());
    }
  }

  private void pass(Duration time) {
    nowNanos += time.toNanos();
  }
}
