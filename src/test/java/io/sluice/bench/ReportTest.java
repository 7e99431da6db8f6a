package io.sluice.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.io.StringReader;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.xml.sax.InputSource;

class ReportTest {
  private static final Goals GOALS =
      Goals.parse("| `lives-400` | us an order | at most 700 | at most 900 |", false);

  private final Report report = new Report("2 processors.", GOALS);

  @Test
  void shouldSayOnOneScreenWhatFellAndWhatIsNotReached() {
    // given
    report.add(Row.LIVES_400, result(Figure.ALL, 1_300, Figure.YES_P50, 1.2), null);
    String kept = report.markdown().replace("1,300", "1,000");

    // when
    List<String> text = new Summary(report).text(Optional.of(kept), "kept.md");

    // then
    assertThat(text)
        .contains(
            "  not reached: lives-400 us an order 1,300 (at most 700)",
            "  fell against kept.md: lives-400 us an order 1,300, was 1,000");
    assertThat(text).anyMatch(line -> line.startsWith("  lives-400") && line.contains("1.20"));
  }

  @Test
  void shouldKnowNoFallFromAReportOfItsOwn() {
    // given
    report.add(Row.LIVES_400, result(Figure.ALL, 1_300, Figure.RATE, 400.2), null);

    // when
    List<String> text = new Summary(report).text(Optional.of(report.markdown()), "kept.md");

    // then
    assertThat(text).contains("  fell against kept.md: nothing");
    assertThat(Report.parse(report.markdown()))
        .containsEntry("lives-400: us an order", new Spread(1_300, 1_300, 1_300))
        .containsEntry("lives-400: a second", new Spread(400, 400, 400));
  }

  @Test
  void shouldCompareBuildsRunByRun() {
    // given
    Result now = result(Figure.ALL, 700);
    Result older = result(Figure.ALL, 1_400);
    now.add(Figure.ALL, 710);
    older.add(Figure.ALL, 1_420);

    // when
    report.add(Row.LIVES_400, now, older);

    // then
    assertThat(report.markdown())
        .contains("| lives-400 | us an order, this / older build | 0.50 | 0.50 | 0.50 |")
        .contains("| lives-400 | baseline: us an order | 1,410 | 1,400 | 1,420 |");
    assertThat(Report.parse(report.markdown())).containsOnlyKeys("lives-400: us an order");
  }

  /** The limits of Student's t, worked out apart. */
  @ParameterizedTest
  @CsvSource({
    "'1', 1, 0, Infinity",
    "'2 2 2', 2, 2, 2",
    "'0.5 2', 1, 0.00015, 6683",
    "'0.9 1.0 1.1 1.0 1.0', 0.998, 0.914, 1.090",
  })
  void shouldSayHowSureARatioIs(String ratios, double mean, double from, double to) {
    // when
    Spread spread = Spread.ofRatios(Arrays.stream(ratios.split(" ")).map(Double::valueOf).toList());

    // then
    assertThat(spread.median()).isCloseTo(mean, within(0.001));
    assertThat(spread.min()).isCloseTo(from, within(0.001 + from * 0.01));
    if (Double.isInfinite(to)) {
      assertThat(spread.max()).isInfinite();
    } else {
      assertThat(spread.max()).isCloseTo(to, within(to * 0.01));
    }
  }

  @ParameterizedTest
  @CsvSource({
    "RATE, 80, true", "RATE, 95, false", "RATE, 130, false",
    "ALL, 120, true", "ALL, 104, false", "ALL, 50, false",
  })
  void shouldTellAFallFromNoise(Figure figure, double now, boolean isFall) {
    // given
    Spread before = new Spread(100, 98, 102);

    // then
    assertThat(figure.hasFallen(before, new Spread(now, now, now))).isEqualTo(isFall);
  }

  @Test
  void shouldHaveGoalsOfFiguresThatAreMeasured() {
    // given
    Map<String, Goal> goals = Goals.read(false).byFigure();

    // then
    assertThat(goals).hasSizeGreaterThan(15);
    assertThat(goals.keySet())
        .allSatisfy(
            key -> {
              String[] parts = key.split(": ", 2);
              assertThat(Row.named(parts[0])).as(key).hasSize(1);
              assertThat(Figure.named(parts[1].replace(Report.OF_BUILDS, ""))).as(key).isPresent();
            });
    assertThat(Goals.read(true).of("lives-most", "us an order")).contains(new Goal(380, false));
  }

  @Test
  void shouldDrawWhatAnOrderCosts() throws Exception {
    // given
    report.add(Row.IDLE, result(Figure.IDLE, 3.2), null);
    assertThat(new Chart(report.byRow()).svg()).isEmpty();
    report.add(
        Row.LIVES_400, result(Figure.SERVICE, 900, Figure.REDIS, 100, Figure.ALL, 1_000), null);

    // when
    String svg = new Chart(report.byRow()).svg().orElseThrow();

    // then
    DocumentBuilderFactory.newInstance()
        .newDocumentBuilder()
        .parse(new InputSource(new StringReader(svg)));
    assertThat(svg)
        .contains("lives-400: 1,000", "width=\"450.0\"", "width=\"50.0\"")
        .doesNotContain("idle");
  }

  @Test
  void shouldMeasureRowsByWhatTheirNamesBeginWith() {
    assertThat(Row.named("grants")).containsExactly(Row.GRANTS_32, Row.GRANTS_128, Row.GRANTS_512);
    assertThat(Row.named("quick")).contains(Row.LIVES_400, Row.LIVES_1500, Row.GRANTS_128);
    assertThat(Row.named("all")).hasSameSizeAs(Row.values());
  }

  private static Result result(Object... figures) {
    Result result = new Result();
    for (int i = 0; i < figures.length; i += 2) {
      result.add((Figure) figures[i], ((Number) figures[i + 1]).doubleValue());
    }
    return result;
  }
}
