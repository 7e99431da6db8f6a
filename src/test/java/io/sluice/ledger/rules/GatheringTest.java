package io.sluice.ledger.rules;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class GatheringTest {
  private static final long[] FREE = {6, 0, 3};

  @ParameterizedTest
  @CsvSource({"1, -1, 0", "6, -6, 0", "7, -6, -1", "9, -6, -3", "100, -6, -3"})
  void shouldTakeWhatIsLackingFromTheRichestFirst(long units, long first, long third) {
    // when
    Map<Integer, Long> changes = Gathering.lacking(FREE, 1, units);

    // then
    assertThat(changes.get(0)).isEqualTo(first);
    assertThat(changes.getOrDefault(2, 0L)).isEqualTo(third);
    assertThat(changes.get(1)).isEqualTo(-first - third);
  }

  @Test
  void shouldTakeNothingWhereNothingIsLackingOrLeft() {
    // then
    assertThat(Gathering.lacking(FREE, 2, 3)).isEmpty();
    assertThat(Gathering.lacking(new long[] {0, 2}, 1, 5)).isEmpty();
    assertThat(Gathering.ahead(FREE, 2, 3)).isEmpty();
    assertThat(Gathering.ahead(FREE, 1, 10)).isEmpty();
  }

  @Test
  void shouldTakeHalfOfWhatTheRichestHasAhead() {
    // then
    assertThat(Gathering.ahead(FREE, 1, 1))
        .containsExactlyInAnyOrderEntriesOf(Map.of(0, -3L, 1, 3L));
    assertThat(Gathering.ahead(FREE, 1, 8))
        .containsExactlyInAnyOrderEntriesOf(Map.of(0, -6L, 2, -2L, 1, 8L));
  }
}
