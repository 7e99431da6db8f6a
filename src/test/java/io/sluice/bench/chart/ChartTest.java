package io.sluice.bench.chart;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.bench.chart.Bar.Part;
import io.sluice.bench.chart.Bar.Tone;
import java.io.StringReader;
import java.util.Collections;
import java.util.List;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.w3c.dom.Document;
import org.xml.sax.InputSource;

class ChartTest {
  private static final String TITLE = "Grants run at 0.43 of a server that does nothing";
  private static final Bar GRANTS = rate("grants", new Span(36_698, 28_860, 38_730));

  @Test
  void shouldSayTheFindingInItsTitle() throws Exception {
    // when
    Document svg = parsed(chart(GRANTS));

    // then
    assertThat(svg.getDocumentElement().getAttribute("role")).isEqualTo("img");
    assertThat(text(svg, "title")).isEqualTo(TITLE);
    assertThat(text(svg, "desc")).contains("grants: 36,698 a second (28,860 to 38,730 a second)");
  }

  @Test
  void shouldShowEachBarWithItsNumberAndItsUnitInWords() throws Exception {
    // when
    Document svg = parsed(chart(GRANTS, rate("bare server", Span.of(82_325))));

    // then
    assertThat(text(svg, "text")).contains("36,698 a second", "82,325 a second");
    assertThat(svg.getElementsByTagName("path").getLength()).as("lines of several runs").isOne();
  }

  @Test
  void shouldBeReadInLightAndInDark() {
    assertThat(chart(GRANTS)).contains("width=\"720\"", "@media (prefers-color-scheme: dark)");
  }

  @Test
  void shouldEscapeWhatMeansSomethingInXml() throws Exception {
    // given
    Bar bar = rate("<a & \"b\">", Span.of(1));

    // when
    Document svg = parsed(chart(bar));

    // then
    assertThat(text(svg, "text")).contains("<a & \"b\">");
  }

  @Test
  void shouldBreakATitleThatIsLongerThanALine() {
    // given
    String title = TITLE + ", and so do 10 other things that we have measured since";

    // when
    String svg = ChartSvg.of(new Chart(title, List.of(), 1, List.of(GRANTS)));

    // then
    assertThat(svg.split("class=\"title\"", -1)).hasSize(3);
  }

  @Test
  void shouldNotMixUnitsOnOneAxis() {
    Bar wait = new Bar("wait", Tone.OURS, Unit.MILLISECONDS, Span.of(291));

    assertThatThrownBy(() -> chart(GRANTS, wait)).hasMessageContaining("one unit");
  }

  @ParameterizedTest
  @ValueSource(ints = {0, Chart.BARS_MAX + 1})
  void shouldHaveFewBars(int count) {
    List<Bar> bars = Collections.nCopies(count, GRANTS);

    assertThatThrownBy(() -> new Chart(TITLE, List.of(), 1, bars)).hasMessageContaining("bars");
  }

  @ParameterizedTest
  @ValueSource(doubles = {Double.NaN, Double.POSITIVE_INFINITY, -1})
  void shouldHaveNoBarWithoutANumber(double value) {
    assertThatThrownBy(() -> rate("grants", Span.of(value))).hasMessageContaining("numbers");
  }

  @Test
  void shouldNotHaveATitleWithoutFigures() {
    assertThatThrownBy(() -> new Chart("Grants are fast", List.of(), 1, List.of(GRANTS)))
        .hasMessageContaining("figures");
  }

  @ParameterizedTest
  @ValueSource(strings = {" ", "a name that leaves no room for the bar that it is the name of"})
  void shouldHaveBarsWithNamesThatFit(String name) {
    assertThatThrownBy(() -> rate(name, Span.of(1))).hasMessageContaining("name");
  }

  @Test
  void shouldNotGiveOneColorToDifferentParts() {
    // given
    Bar one = parted("one", new Part("service", 24), new Part("Redis", 8));
    Bar other = parted("other", new Part("Redis", 8), new Part("service", 24));

    // then
    assertThatThrownBy(() -> chart(one, other)).hasMessageContaining("same parts");
  }

  private static Bar rate(String name, Span value) {
    return new Bar(name, Tone.OURS, Unit.PER_SECOND, value);
  }

  private static Bar parted(String name, Part... parts) {
    return new Bar(name, Tone.OURS, Unit.MICROSECONDS, Span.of(32), "32", List.of(parts));
  }

  private static String chart(Bar... bars) {
    return ChartSvg.of(new Chart(TITLE, List.of("Medians."), 1, List.of(bars)));
  }

  private static Document parsed(String svg) throws Exception {
    return DocumentBuilderFactory.newInstance()
        .newDocumentBuilder()
        .parse(new InputSource(new StringReader(svg)));
  }

  private static String text(Document svg, String element) {
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < svg.getElementsByTagName(element).getLength(); i++) {
      text.append(svg.getElementsByTagName(element).item(i).getTextContent()).append('\n');
    }
    return text.toString().strip();
  }
}
