package io.sluice.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.monitor.Alarm;
import io.vertx.core.json.JsonObject;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.Yaml;
import org.yaml.snakeyaml.constructor.SafeConstructor;

/**
 * The file of metrics agrees with the code, the dashboards and the rules, and these with the pages.
 */
class MetricsFileTest {
  private static final String FILE = "src/main/resources/metrics.yaml";
  private static final String MONITORING = "docs/monitoring.md";
  private static final String RUNBOOK = "docs/runbook.md";

  /** Has a row for each alert that is no alarm, and has no chapter of its own in the runbook. */
  private static final String ALERTS = MONITORING + "#alerts";

  private static final String RULES = "conf/prometheus/sluice.yml";
  private static final String RULE_TESTS = "conf/prometheus/sluice-test.yml";

  private static final Pattern IN_CODE = Pattern.compile("\"(sluice_[a-z_]+)\"");
  private static final Pattern SERIES = Pattern.compile("\\bsluice_[a-z_]+");
  private static final Set<String> TYPES = Set.of("counter", "gauge", "summary", "histogram");

  /** Each has few values, however much is sold to whomever. */
  private static final Set<String> BOUNDED_LABELS =
      Set.of(
          "alarm",
          "call",
          "cause",
          "kind",
          "limit",
          "outcome",
          "part",
          "partition",
          "pool",
          "port",
          "reason",
          "refusal",
          "script");

  private final Repository repository = new Repository(Path.of("").toAbsolutePath());
  private final Map<String, Map<String, Object>> metrics = yaml(FILE);

  /** An alert of the rules. */
  private record Alert(String name, String expression, Map<String, String> annotations) {}

  private <T> T yaml(String file) {
    return new Yaml(new SafeConstructor(new LoaderOptions())).load(repository.text(file));
  }

  private static String type(Map<String, Object> metric) {
    return (String) metric.get("type");
  }

  @SuppressWarnings("unchecked")
  private static Map<String, String> texts(Map<String, Object> of, String name) {
    return (Map<String, String>) of.get(name);
  }

  @Test
  void shouldDescribeEachMeterOfTheCodeAndNoOther() {
    // given
    Set<String> inCode = new TreeSet<>();
    for (String source : repository.filesBelow("src/main/java/io/sluice/metrics", ".java")) {
      IN_CODE.matcher(repository.text(source)).results().forEach(name -> inCode.add(name.group(1)));
    }

    // when
    Set<String> described =
        metrics.entrySet().stream()
            .map(metric -> nameInCode(metric.getKey(), metric.getValue(), inCode))
            .collect(Collectors.toCollection(TreeSet::new));

    // then
    assertThat(described).isEqualTo(inCode);
  }

  /** Prometheus' name without what the registry appends: the unit of timers, _total of counters. */
  private static String nameInCode(String name, Map<String, Object> metric, Set<String> inCode) {
    if (inCode.contains(name)) {
      return name;
    }
    return name.replaceFirst(type(metric).equals("counter") ? "_total$" : "_seconds$", "");
  }

  @Test
  void shouldSayOfEachWhatItIsAndWhenToWorry() {
    metrics.forEach(
        (name, metric) -> {
          assertThat(metric.keySet())
              .as(name)
              .containsExactly("type", "unit", "labels", "means", "worry");
          assertThat(type(metric)).as(name).isIn(TYPES);
          assertThat(name.endsWith("_total")).as(name).isEqualTo(type(metric).equals("counter"));
          assertThat(metric.get("unit").equals("seconds"))
              .as(name)
              .isEqualTo(name.endsWith("_seconds"));
        });
  }

  @Test
  void shouldHaveOnlyLabelsWithFewValues() {
    metrics.forEach(
        (name, metric) ->
            assertThat(BOUNDED_LABELS).as(name).containsAll(texts(metric, "labels").keySet()));
  }

  @Test
  void shouldHaveEachMetricOnADashboardAndNoOther() {
    // given
    Set<String> shown = new TreeSet<>();

    // when
    for (String dashboard : repository.filesBelow("conf/grafana", ".json")) {
      shown.addAll(metricsIn(dashboard));
    }

    // then
    assertThat(shown).isEqualTo(new TreeSet<>(metrics.keySet()));
  }

  @Test
  void shouldSayOfEachPanelOfADashboardWhatItShowsWithSpaceForEach() {
    for (String dashboard : repository.filesBelow("conf/grafana", ".json")) {
      // given
      List<JsonObject> panels =
          new JsonObject(repository.text(dashboard))
              .getJsonArray("panels").stream().map(JsonObject.class::cast).toList();

      // when
      List<String> silent =
          panels.stream()
              .filter(panel -> !panel.getString("description", "").endsWith("."))
              .map(panel -> panel.getString("title"))
              .toList();
      Set<String> places = new TreeSet<>();
      int cells = 0;
      for (JsonObject panel : panels) {
        JsonObject at = panel.getJsonObject("gridPos");
        for (int cell = 0; cell < at.getInteger("w") * at.getInteger("h"); cell++) {
          int x = at.getInteger("x") + cell % at.getInteger("w");
          places.add(x + "/" + (at.getInteger("y") + cell / at.getInteger("w")));
          cells++;
        }
      }

      // then
      assertThat(panels).as(dashboard).isNotEmpty();
      assertThat(silent).as("panels of %s without a description", dashboard).isEmpty();
      assertThat(places).as("panels of %s lie on each other", dashboard).hasSize(cells);
      assertThat(panels.stream().map(panel -> panel.getInteger("id")))
          .as(dashboard)
          .doesNotHaveDuplicates();
    }
  }

  @Test
  void shouldNameOnlyMetricsThatThereAre() {
    assertThat(metrics.keySet())
        .containsAll(metricsIn(RULES))
        .containsAll(metricsIn(RULE_TESTS))
        .containsAll(metricsIn(MONITORING))
        .containsAll(metricsIn(RUNBOOK));
  }

  /** The metrics of the series that a file names. */
  private Set<String> metricsIn(String file) {
    return SERIES
        .matcher(repository.text(file))
        .results()
        .map(MatchResult::group)
        .map(this::metricOf)
        .collect(Collectors.toCollection(TreeSet::new));
  }

  private String metricOf(String series) {
    String metric = series.replaceFirst("_(count|sum|max|bucket)$", "");
    Map<String, Object> described = metrics.get(metric);
    if (metrics.containsKey(series) || described == null) {
      return series;
    }
    boolean mayBe =
        series.endsWith("_bucket")
            ? type(described).equals("histogram")
            : Set.of("summary", "histogram").contains(type(described));
    return mayBe ? metric : series;
  }

  private Map<String, Alert> alerts() {
    Map<String, Alert> alerts = new LinkedHashMap<>();
    Map<String, List<Map<String, Object>>> file = yaml(RULES);
    for (Map<String, Object> group : file.get("groups")) {
      for (Map<String, Object> rule : rules(group)) {
        if (rule.get("alert") instanceof String name) {
          alerts.put(name, new Alert(name, (String) rule.get("expr"), texts(rule, "annotations")));
        }
      }
    }
    return alerts;
  }

  @SuppressWarnings("unchecked")
  private static List<Map<String, Object>> rules(Map<String, Object> group) {
    return (List<Map<String, Object>>) group.get("rules");
  }

  @Test
  void shouldLinkEachAlertToItsChapter() {
    // given
    Map<String, Set<String>> anchors = new HashMap<>();
    for (String page : List.of(MONITORING, RUNBOOK)) {
      anchors.put(page, new MarkdownPage(repository.lines(page)).anchors());
    }

    // when
    Map<String, Alert> alerts = alerts();

    // then
    assertThat(alerts).isNotEmpty();
    for (Alert alert : alerts.values()) {
      String chapter = alert.annotations().get("runbook_url");
      String[] link = chapter.split("#");
      assertThat(anchors.getOrDefault(link[0], Set.of())).as(alert.name()).contains(link[1]);
      if (chapter.equals(ALERTS)) {
        assertThat(repository.text(MONITORING)).containsPattern("\\b" + alert.name() + "\\b");
      }
      assertThat(alert.annotations().get("summary")).as(alert.name()).isNotBlank();
    }
  }

  @Test
  void shouldAlertOfEachAlarmWithItsOwnChapter() {
    for (Alarm alarm : Alarm.values()) {
      List<Alert> found =
          alerts().values().stream()
              .filter(alert -> alert.expression().contains("alarm=\"" + alarm.word() + "\""))
              .toList();
      String chapter =
          new MarkdownPage(List.of("## `" + alarm.text() + "`")).anchors().iterator().next();

      assertThat(found).as(alarm.word()).hasSize(1);
      assertThat(found.get(0).annotations().get("runbook_url")).isEqualTo(RUNBOOK + "#" + chapter);
    }
  }

  @Test
  void shouldTestEachAlertBothWays() {
    // given
    String tests = repository.text(RULE_TESTS);

    // then
    assertThat(alerts().keySet())
        .allSatisfy(
            alert ->
                assertThat(tests)
                    .contains("- name: " + alert + " fires\n", "- name: " + alert + " is quiet\n"));
  }
}
