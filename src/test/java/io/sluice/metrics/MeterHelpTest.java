package io.sluice.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import io.sluice.metrics.ProcessMeters.MeterHelp;
import java.io.InputStream;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.Yaml;
import org.yaml.snakeyaml.constructor.SafeConstructor;

/** 38 metrics of the service had no HELP, and the others another text than the page. */
class MeterHelpTest {
  private static final Pattern TYPE = Pattern.compile("(?m)^# TYPE (sluice_[a-z_]+) ");
  private static final Pattern HELP = Pattern.compile("(?m)^# HELP (sluice_[a-z_]+) (.*)$");

  private final PrometheusMeterRegistry registry = MeterHelp.registry();

  @Test
  void shouldHaveTheTextOfTheFileWhateverTheTypeOfTheMeter() throws Exception {
    // given
    Meters meters = new Meters(registry);
    meters.redisCall("reserve");
    ProcessMeters.ownedPartitions(registry, () -> 1);
    Map<String, String> expected = new TreeMap<>();
    described().forEach((name, metric) -> expected.put(name, (String) metric.get("means")));

    // when
    String scraped = registry.scrape();

    // then
    Map<String, String> help = help(scraped);
    assertThat(help)
        .containsKeys(
            "sluice_alarms_total",
            "sluice_redis_calls_failed_total",
            "sluice_placing_seconds",
            "sluice_redis_call_seconds",
            "sluice_owned_partitions");
    Matcher type = TYPE.matcher(scraped);
    while (type.find()) {
      String metric = type.group(1).replaceFirst("_max$", "");
      assertThat(help.get(type.group(1))).as(type.group(1)).isEqualTo(expected.get(metric));
    }
  }

  @Test
  void shouldLeaveMetersOfLibrariesAsTheyAre() {
    // when
    registry.counter("library_calls").increment();

    // then
    assertThat(registry.scrape()).contains("library_calls_total 1.0");
  }

  private static Map<String, String> help(String scraped) {
    Map<String, String> help = new TreeMap<>();
    Matcher line = HELP.matcher(scraped);
    while (line.find()) {
      help.put(line.group(1), line.group(2));
    }
    return help;
  }

  private static Map<String, Map<String, Object>> described() throws Exception {
    try (InputStream file = MeterHelp.class.getResourceAsStream("/metrics.yaml")) {
      return new Yaml(new SafeConstructor(new LoaderOptions())).load(file);
    }
  }
}
