package io.sluice.bench.chart;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.bench.chart.ReportCharts.Drawn;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ReportChartsTest {
  private static final String REPORT =
      """
      | 1 | refusals | at least 0.9 | **0.91** | 0.81 | 1.04 | reached |

      ## refusals

      | bare POST/s | 89,773 | 78,960 | 94,560 |
      | refusals/s | 78,194 | 74,250 | 84,510 |
      """;

  private static final String LINK =
      "![Refusals run at 0.91 of a server that does nothing](throughput.svg)";

  @TempDir private Path folder;

  @Test
  void shouldDrawTheChartsBesideTheReportThatLinksThem() throws Exception {
    // given
    Path report = Files.writeString(folder.resolve("report.md"), REPORT);

    // when
    ReportCharts.draw(report);

    // then
    assertThat(folder.resolve("throughput.svg")).content().startsWith("<svg ");
    assertThat(report).content().isEqualTo(REPORT + "\n## Charts\n\n" + LINK + "\n");
  }

  @Test
  void shouldDrawAReportAgainThatHasChartsAlready() {
    // given
    Drawn once = ReportCharts.of(REPORT);

    // when
    Drawn twice = ReportCharts.of(once.text());

    // then
    assertThat(twice).isEqualTo(once);
  }

  @Test
  void shouldLeaveAReportWithoutFiguresAsItIs() {
    assertThat(ReportCharts.of("# Nothing\n").text()).isEqualTo("# Nothing\n");
  }
}
