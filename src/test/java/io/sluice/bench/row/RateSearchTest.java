package io.sluice.bench.row;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.bench.BenchException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntPredicate;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RateSearchTest {
  private final List<Integer> attempts = new ArrayList<>();

  @ParameterizedTest
  @ValueSource(ints = {12, 700, 1_000, 3_300, 40_000})
  void shouldFindARateNearTheHighestInWideSteps(int highest) {
    // when
    int found = RateSearch.coarse(1_000, upTo(highest));

    // then
    assertThat(found).isBetween((int) (highest / RateSearch.COARSE), highest);
    assertThat(attempts).hasSizeLessThan(12).contains(found);
  }

  @Test
  void shouldGoUpInNarrowStepsWhileTheRateIsHeld() {
    // when
    int found = RateSearch.fine(1_000, upTo(1_250));

    // then
    assertThat(found).isEqualTo(1_210);
    assertThat(attempts).containsExactly(1_000, 1_100, 1_210, 1_331);
  }

  @Test
  void shouldGoDownInNarrowStepsUntilTheRateIsHeld() {
    // when
    int found = RateSearch.fine(1_000, upTo(850));

    // then
    assertThat(found).isEqualTo(826);
    assertThat(attempts).containsExactly(1_000, 909, 826);
  }

  @Test
  void shouldFailWhenNoRateIsHeld() {
    assertThatThrownBy(() -> RateSearch.fine(20, upTo(0)))
        .isInstanceOf(BenchException.class)
        .hasMessage("Expected some rate to be held, but none was");
    assertThatThrownBy(() -> RateSearch.coarse(1_000, upTo(0))).isInstanceOf(BenchException.class);
  }

  private IntPredicate upTo(int highest) {
    return rate -> {
      attempts.add(rate);
      return rate <= highest;
    };
  }
}
