package io.sluice.order;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class RecentMapTest {
  private static final int SIZE_MAX = 100;
  private static final Duration KEPT_FOR = Duration.ofSeconds(10);

  private long nanos = Long.MAX_VALUE - 5;
  private final RecentMap<Integer, String> unit = new RecentMap<>(SIZE_MAX, KEPT_FOR, () -> nanos);

  @Test
  void shouldKeepTheLastHalfOfItsSizeWhateverWasWrittenBefore() {
    // when
    IntStream.range(0, 10 * SIZE_MAX).forEach(i -> write(i, "any"));

    // then
    assertThat(IntStream.range(0, 10 * SIZE_MAX).filter(i -> unit.get(i) != null))
        .hasSizeBetween(SIZE_MAX / 2, SIZE_MAX)
        .endsWith(10 * SIZE_MAX - 1)
        .isSorted();
    assertThat(unit.get(10 * SIZE_MAX - SIZE_MAX / 2)).isEqualTo("any");
  }

  @Test
  void shouldKeepAValueThatWasWrittenAgain() {
    // given
    write(1, "any");
    IntStream.range(2, SIZE_MAX / 2 + 2).forEach(i -> write(i, "other"));

    // when
    write(1, "again");
    IntStream.range(2, SIZE_MAX / 2).forEach(i -> write(-i, "other"));

    // then
    assertThat(unit.get(1)).isEqualTo("again");
    assertThat(unit.get(2)).isEqualTo("other");
    write(-1, "other");
    write(0, "other");
    assertThat(unit.get(1)).isEqualTo("again");
    assertThat(unit.get(2)).isNull();
  }

  @Test
  void shouldForgetAValueAfterItsTime() {
    // given
    write(1, "any");
    nanos += KEPT_FOR.toNanos() - 1;
    String before = unit.get(1);

    // when
    nanos++;

    // then
    assertThat(before).isEqualTo("any");
    assertThat(unit.get(1)).isNull();
    assertThat(unit.change(1, old -> old)).as("what a change is given").isNull();
  }

  /** Else an order would stay for as long as somebody sends its old events again. */
  @Test
  void shouldNotKeepAValueLongerWhenAChangeLeavesIt() {
    // given
    write(1, "any");
    nanos += KEPT_FOR.toNanos() - 1;

    // when
    String kept = unit.change(1, old -> old);
    nanos++;

    // then
    assertThat(kept).isEqualTo("any");
    assertThat(unit.get(1)).isNull();
  }

  private void write(int key, String value) {
    unit.change(key, old -> value);
  }
}
