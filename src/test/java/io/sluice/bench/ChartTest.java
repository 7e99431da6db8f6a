package io.sluice.bench;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class ChartTest {

  @Test
  void shouldShowFiguresOfTheSameNameForEachRow() {
    // given
    Result refusals = new Result(Row.REFUSALS);
    refusals.figure("bare p99 us", 28_488);
    Result latency = new Result(Row.LATENCY);
    latency.figure("bare p99 us", 137_215);

    // when
    String chart = Chart.of(List.of(refusals, latency));

    // then
    assertThat(chart).containsSubsequence("1. bare p99", "28,488", "5. bare p99", "137,215");
  }

  @Test
  void shouldLeaveOutWhatIsNeitherARateNorATime() {
    // given
    Result result = new Result(Row.ONE_BY_ONE);
    result.figure("ours: grants/s", 35_971);
    result.figure("booking, ours / one by one", 10.95);

    // when
    String chart = Chart.of(List.of(result));

    // then
    assertThat(chart).contains("4. ours: grants/s").doesNotContain("booking");
  }
}
