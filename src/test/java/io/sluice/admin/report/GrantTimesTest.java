package io.sluice.admin.report;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.ledger.History;
import java.util.Map;
import org.junit.jupiter.api.Test;

class GrantTimesTest {
  private final GrantTimes unit = new GrantTimes();

  @Test
  void shouldTellThePercentilesOfAllThatWasAdded() {
    // when
    unit.add(Map.of(5L, 60L, 10L, 38L));
    unit.add(Map.of(10L, 1L, 100L, 1L));

    // then
    assertThat(unit.count()).isEqualTo(100);
    assertThat(unit.percentile(50)).hasValue(5);
    assertThat(unit.percentile(99)).hasValue(10);
    assertThat(unit.percentile(100)).hasValue(100);
  }

  @Test
  void shouldTellNoTimeWhenItIsLongerThanAnyOrUnknown() {
    // given
    GrantTimes none = new GrantTimes();

    // when
    unit.add(Map.of(History.LONGER, 3L));

    // then
    assertThat(unit.percentile(50)).isEmpty();
    assertThat(none.percentile(50)).isEmpty();
  }
}
