package io.sluice.metrics;

import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.config.MeterFilter;
import io.micrometer.core.instrument.config.NamingConvention;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.Yaml;
import org.yaml.snakeyaml.constructor.SafeConstructor;

/**
 * Describes each meter of the service as {@code metrics.yaml} does, so that there is one text for
 * the page of operators and for the HELP of a scrape.
 */
public final class MeterHelp implements MeterFilter {
  private static final String FILE = "/metrics.yaml";
  private static final String OURS = "sluice_";
  private static final String TOTAL = "_total";

  private final Map<String, String> texts;
  private final NamingConvention naming;

  private MeterHelp(Map<String, String> texts, NamingConvention naming) {
    this.texts = texts;
    this.naming = naming;
  }

  /** A registry for a scrape, whose meters are described. */
  public static PrometheusMeterRegistry registry() {
    PrometheusMeterRegistry registry = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
    registry.config().meterFilter(new MeterHelp(read(), registry.config().namingConvention()));
    return registry;
  }

  @Override
  public Meter.Id map(Meter.Id id) {
    String text = id.getName().startsWith(OURS) ? texts.get(scraped(id)) : null;
    return text == null
        ? id
        : new Meter.Id(id.getName(), Tags.of(id.getTags()), id.getBaseUnit(), text, id.getType());
  }

  /** Its name in a scrape, in which the ending of a counter is added at last. */
  private String scraped(Meter.Id id) {
    String name = naming.name(id.getName(), id.getType(), id.getBaseUnit());
    boolean isBare = id.getType() == Meter.Type.COUNTER && !name.endsWith(TOTAL);
    return isBare ? name + TOTAL : name;
  }

  /** The meaning of each metric, by its name in a scrape. */
  private static Map<String, String> read() {
    try (InputStream file = MeterHelp.class.getResourceAsStream(FILE)) {
      if (file == null) {
        throw new IllegalStateException(
            "Expected " + FILE + " on the class path, but it is missing");
      }
      Map<String, Map<String, @Nullable Object>> metrics =
          new Yaml(new SafeConstructor(new LoaderOptions())).load(file);
      Map<String, String> texts = new HashMap<>();
      metrics.forEach((name, metric) -> texts.put(name, String.valueOf(metric.get("means"))));
      return texts;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
