package io.sluice.bench.site;

import io.sluice.bench.Plan;
import io.sluice.testkit.server.Backends;
import io.sluice.testkit.site.HttpCaller;
import io.sluice.testkit.site.SluiceProcess;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * The build that a measured service runs from.
 *
 * @param name of its processes and folder
 * @param isOlder whether it is the fat jar of the baseline, with the options of the present one's
 *     JVM; it may not know all keys of the present configuration
 */
record Build(String name, boolean isOlder) {
  private static List<String> options(Plan plan) {
    List<String> options = new ArrayList<>(Plan.words(plan.jvm()));
    options.addAll(Plan.words(plan.serviceJvm()));
    return options;
  }

  /** The folder for the files of its servers. */
  Path folder() {
    return Path.of("target", "bench", name);
  }

  SluiceProcess service(Plan plan, Backends backends, String database, HttpCaller caller) {
    Map<String, String> settings =
        Map.of(
            "SLUICE_MYSQL_URI",
            database,
            "SLUICE_REDIS_URI",
            backends.redis().uri(),
            "SLUICE_KAFKA_BOOTSTRAP_SERVERS",
            backends.kafka().bootstrapServers(),
            "SLUICE_KAFKA_ORDERS_TOPIC",
            Site.ORDERS,
            "SLUICE_KAFKA_EVENTS_TOPIC",
            Site.EVENTS,
            "SLUICE_KAFKA_GROUP",
            "bench",
            "SLUICE_KAFKA_PARTITIONS",
            String.valueOf(Site.PARTITIONS),
            "SLUICE_KAFKA_LAG_LIMIT",
            "100000000");
    String process = name + "-service";
    if (isOlder) {
      Path jar = Path.of(plan.baseline());
      return SluiceProcess.ofJar(process, jar, options(plan), settings, caller)
          .configuredBy(defaults());
    }
    return plan.service().isBlank()
        ? SluiceProcess.ofClasses(process, options(plan), settings, caller)
        : SluiceProcess.ofCommand(process, plan.service(), settings, caller);
  }

  /** Empty: an older build would refuse keys that it does not know. */
  private static Path defaults() {
    Path file = Path.of("target", "bench", "defaults.yaml");
    try {
      Files.createDirectories(file.getParent());
      return Files.writeString(file, "http: {}\n");
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
