package io.sluice.sale;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.sluice.testkit.register.Moves;
import io.sluice.testkit.site.Buyer;
import io.sluice.testkit.site.Sale;
import io.sluice.testkit.site.SaleSite;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.Yaml;
import org.yaml.snakeyaml.constructor.SafeConstructor;

/** What an instance shows is what the file of metrics says. */
class MetricsIT {
  @RegisterExtension static final SaleSite site = SaleSite.withInstances(1);

  private static final Duration LIMIT = Duration.ofSeconds(20);
  private static final Path FILE = Path.of("src", "main", "resources", "metrics.yaml");
  private static final Pattern TYPE = Pattern.compile("(?m)^# TYPE (sluice_[a-z_]+) ([a-z]+)$");
  private static final Pattern SERIES = Pattern.compile("(?m)^(sluice_[a-z_]+)\\{([^}]*)}");
  private static final Pattern OF_THE_JVM = Pattern.compile("\\b(?:jvm|process|system)_[a-z_]+");
  private static final int LINES_MAX = 900;
  private static final Pattern LABEL = Pattern.compile("([a-z_]+)=\"");

  private final Map<String, Map<String, Object>> described = described();

  private static Map<String, Map<String, Object>> described() {
    try {
      return new Yaml(new SafeConstructor(new LoaderOptions())).load(Files.readString(FILE));
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  private String scrapeInASale() {
    Sale sale = site.sale().withStock(1).open();
    assertThat(sale.order(Buyer.named("alice")).status()).isEqualTo(201);
    assertThat(sale.order(Buyer.named("bob")).status()).isEqualTo(409);
    return MetricsPage.of(site, site.instance(0)).text();
  }

  @Test
  @Moves({
    "sluice_http_requests_total",
    "sluice_placing_seconds",
    "sluice_grants_total",
    "sluice_refusals_total",
    "sluice_grant_batch_size",
    "sluice_redis_call_seconds",
    "sluice_log_append_seconds",
    "sluice_booking_seconds",
    "sluice_booking_batch_size",
    "sluice_booked_orders_total",
    "sluice_booked_lag_seconds",
    "sluice_rebuilds_total",
    "sluice_ledger_connection_wait_seconds",
    "sluice_event_loop_lag_seconds"
  })
  void shouldShowEachMetricWithItsType() {
    // given
    Map<String, String> expected = new TreeMap<>();
    described.forEach((name, metric) -> expected.put(name, (String) metric.get("type")));
    Map<String, String> shown = new TreeMap<>();

    // when
    TYPE.matcher(scrapeInASale())
        .results()
        .filter(type -> !isMaximum(type.group(1)))
        .forEach(type -> shown.put(type.group(1), type.group(2)));

    // then
    assertThat(expected).containsAllEntriesOf(shown);
    assertThat(shown.keySet()).containsAll(MetricsIT.fromTheStart(expected.keySet()));
  }

  /** A series of its own in this format, beside a summary or a histogram. */
  private boolean isMaximum(String name) {
    return name.endsWith("_max") && described.containsKey(name.replaceFirst("_max$", ""));
  }

  /** Those whose labels are known only when something happens are shown from then on. */
  private static Set<String> fromTheStart(Set<String> names) {
    Set<String> shown = new TreeSet<>(names);
    shown.removeAll(
        Set.of(
            "sluice_http_connections_dropped_total",
            "sluice_outbox_lag_seconds",
            "sluice_tls_certificate_expires_timestamp_seconds"));
    return shown;
  }

  @Test
  @Moves({"sluice_leases_total", "sluice_lease_refusals_total"})
  void shouldCountLeasesAndWhatIsRefusedUnderThem() {
    // given
    Sale sale = site.sale().withStock(1).open();
    double leases = MetricsPage.value(site, "sluice_leases_total");
    double refused = MetricsPage.value(site, "sluice_lease_refusals_total");
    assertThat(sale.order(Buyer.named("alice")).status()).isEqualTo(201);

    // when
    AtomicInteger late = new AtomicInteger();
    await()
        .atMost(LIMIT)
        .until(
            () -> {
              sale.order(Buyer.named("late-" + late.incrementAndGet()));
              return MetricsPage.value(site, "sluice_lease_refusals_total") > refused;
            });

    // then
    assertThat(MetricsPage.value(site, "sluice_leases_total")).isGreaterThan(leases);
  }

  /** Those of libraries are in no file of ours, so a new version of one may rename them. */
  @Test
  void shouldShowWhatDashboardsAndRulesTakeFromLibraries() throws IOException {
    // given
    Set<String> used = new TreeSet<>();
    for (String folder : List.of("grafana", "prometheus")) {
      try (Stream<Path> files = Files.list(Path.of("conf", folder))) {
        for (Path file : files.toList()) {
          OF_THE_JVM
              .matcher(Files.readString(file))
              .results()
              .forEach(name -> used.add(name.group()));
        }
      }
    }

    // when
    String shown = scrapeInASale();

    // then
    assertThat(used).contains("process_cpu_usage", "process_start_time_seconds");
    // There is none before the first collection.
    used.remove("jvm_gc_pause_seconds_sum");
    assertThat(shown).contains(used);
  }

  @Test
  @SuppressWarnings("unchecked")
  void shouldShowNoLabelThatIsNotDescribed() {
    // when
    Map<String, Set<String>> shown = new TreeMap<>();
    SERIES
        .matcher(scrapeInASale())
        .results()
        .forEach(
            series ->
                LABEL
                    .matcher(series.group(2))
                    .results()
                    .map(label -> label.group(1))
                    .filter(label -> !label.equals("le"))
                    .forEach(
                        label ->
                            shown
                                .computeIfAbsent(
                                    metricOf(series.group(1)), first -> new TreeSet<>())
                                .add(label)));

    // then
    assertThat(shown).isNotEmpty();
    shown.forEach(
        (name, labels) ->
            assertThat(((Map<String, String>) described.get(name).get("labels")).keySet())
                .as(name)
                .containsAll(labels));
  }

  private String metricOf(String series) {
    return described.containsKey(series)
        ? series
        : series.replaceFirst("_(count|sum|max|bucket)$", "");
  }

  @Test
  void shouldCountWhatItDoesInSeriesOfABoundedNumber() {
    // given
    Sale sale = site.sale().withStock(1).open();
    assertThat(sale.order(Buyer.named("alice")).status()).isEqualTo(201);

    // when
    String metrics = MetricsPage.of(site, site.instance(0)).text();

    // then
    assertThat(metrics).containsPattern("sluice_grants_total [1-9]");
    assertThat(metrics).doesNotContain("" + sale.skuId()).doesNotContain("alice");
    assertThat(metrics).as("a generated name").doesNotContainPattern("\"[0-9a-f]{8}-[0-9a-f]{4}-");
    assertThat(metrics.lines()).hasSizeLessThan(LINES_MAX);
  }
}
