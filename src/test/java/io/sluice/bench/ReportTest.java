package io.sluice.bench;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class ReportTest {
  private static final String SETTING = "2 processors for everything.";

  @Test
  void shouldHoldTheSecondRatioOfARowToItsOwnGoal() {
    // given
    Result result = new Result(Row.ONE_BY_ONE);
    result.ratio(1.39);
    result.figure("booking, ours / one by one", 12.2);

    // when
    String report = Report.markdown(SETTING, List.of(result), "");

    // then
    assertThat(report)
        .contains("grants | at least 1.3 | **1.39** | 1.39 | 1.39 | reached |")
        .contains(
            "| 4 | booking, ours / one by one | at least 20 | **12.20** | 12.20 | 12.20 | not reached |");
  }

  @Test
  void shouldHoldATimeToBeNoLongerThanThatOfTheBaseline() {
    // given
    Result result = new Result(Row.LATENCY).besideBaseline();
    result.ratio(1.2);

    // when
    String report = Report.markdown(SETTING, List.of(result), "");

    // then
    assertThat(report).contains("| at most 1.03 | **1.20** | 1.20 | 1.20 | not reached |");
  }
}
