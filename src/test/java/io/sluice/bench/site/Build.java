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
import java.util.TreeMap;

/**
 * The build that a measured service runs from.
 *
 * @param name of its processes and folder
 */
record Build(String name, Maker maker) {
  /** Makes a process without starting it. */
  private interface Maker {
    SluiceProcess of(
        String name, List<String> jvm, Map<String, String> settings, HttpCaller caller);
  }

  /** The compiled classes. */
  static Build current() {
    return new Build("bench", SluiceProcess::ofClasses);
  }

  /** The fat jar of an older build. */
  static Build ofJar(Path jar) {
    return new Build(
        "baseline",
        (name, jvm, settings, caller) ->
            SluiceProcess.ofJar(name, jar, jvm, settings, caller).configuredBy(defaults()));
  }

  /**
   * The configuration file of an older build is empty: it would refuse keys that it does not know.
   */
  private static Path defaults() {
    Path file = Path.of("target", "bench", "defaults.yaml");
    try {
      Files.createDirectories(file.getParent());
      return Files.writeString(file, "http: {}\n");
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** The folder for the files of its servers. */
  Path folder() {
    return Path.of("target", "bench", name);
  }

  SluiceProcess service(
      List<String> jvm,
      Backends backends,
      String database,
      Map<String, String> further,
      HttpCaller caller) {
    var settings = new TreeMap<>(settings(backends, database));
    settings.putAll(further);
    return maker.of(name + "-service", jvm, settings, caller);
  }

  private static Map<String, String> settings(Backends backends, String database) {
    return Map.of(
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
  }
}
