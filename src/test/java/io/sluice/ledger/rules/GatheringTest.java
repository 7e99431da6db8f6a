package io.sluice.ledger.rules;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class GatheringTest {
  private static final long[] FREE = {6, 0, 3};

  /** Bucket 1 has a grant of one unit; what its later grants need comes as far as it is spare. */
  @ParameterizedTest
  @CsvSource({
    "1, 0, 0, -1, 0",
    "6, 0, 0, -6, 0",
    "7, 0, 0, -6, -1",
    "100, 0, 0, -6, -3",
    "7, 2, 0, -4, -3",
    "7, 6, 2, 0, -1",
    "7, 6, 3, -1, 0",
    "7, 9, 9, -1, 0"
  })
  void shouldTakeWhatIsLackingAndLeaveOthersWhatTheyNeed(
      long needed, long byFirst, long byThird, long first, long third) {
    // when
    Map<Integer, Long> changes = Gathering.room(FREE, new long[] {byFirst, needed, byThird}, 1, 1);

    // then
    assertThat(changes.getOrDefault(0, 0L)).isEqualTo(first);
    assertThat(changes.getOrDefault(2, 0L)).isEqualTo(third);
    assertThat(changes.get(1)).isEqualTo(-first - third);
  }

  @Test
  void shouldTakeNothingWhereAllHaveTooFew() {
    // then
    assertThat(Gathering.room(FREE, new long[] {0, 10, 0}, 1, 10)).isEmpty();
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

  @Test
  void shouldTakeNoMoreThanIsLackingWhereTheBucketHasSome() {
    // when
    Map<Integer, Long> changes = Gathering.room(FREE, new long[] {0, 0, 5}, 2, 4);

    // then
    assertThat(changes).containsExactlyInAnyOrderEntriesOf(Map.of(0, -2L, 2, 2L));
  }

  @Test
  void shouldTakeFromTheRichestFirst() {
    // when
    Map<Integer, Long> changes = Gathering.room(new long[] {2, 0, 5}, new long[3], 1, 4);

    // then
    assertThat(changes).containsExactlyInAnyOrderEntriesOf(Map.of(1, 4L, 2, -4L));
  }
}
