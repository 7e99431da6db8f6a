package io.sluice.bench.site;

import io.sluice.testkit.server.Backends;
import io.sluice.testkit.site.HttpCaller;
import io.sluice.testkit.site.SluiceProcess;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The build that a measured service runs from.
 *
 * @param name of its processes and folder
 * @param jar the fat jar of an older one; null: the compiled classes
 */
record Build(String name, @Nullable Path jar) {
  /** The folder for the files of its servers. */
  Path folder() {
    return Path.of("target", "bench", name);
  }

  SluiceProcess service(List<String> jvm, Backends backends, String database, HttpCaller caller) {
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
    return jar == null
        ? SluiceProcess.ofClasses(name + "-service", jvm, settings, caller)
        : SluiceProcess.ofJar(name + "-service", jar, jvm, settings, caller)
            .configuredBy(defaults());
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
