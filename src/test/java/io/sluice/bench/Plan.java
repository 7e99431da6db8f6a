package io.sluice.bench;

import java.time.Duration;
import java.util.List;
import java.util.Set;

/**
 * What is measured, how often and for how long; each option is a system property.
 *
 * @param rows {@code -Drows=grants,lives-400}: rows, or what their names begin with
 * @param quick {@code -Dquick}: some rows, each so short that all take three minutes
 * @param runs {@code -Druns}: how often each row is measured
 * @param length {@code -Dseconds}: of one volley
 * @param lives {@code -Dseconds}: how long lives arrive at a rate
 * @param hold {@code -Dseconds}: how long a rate is to be held that is the most
 * @param warmUp {@code -Dwarmup}: light load before a row's first run, followed by a quarter of
 *     that time at full load
 * @param generator {@code -Dgenerator=own}: not wrk, even if it is installed
 * @param jvm {@code -Djvm="..."}: options of the service's and the bare servers' JVMs
 * @param serviceJvm {@code -DserviceJvm="..."}: further options of the service alone, such as those
 *     of a profiler
 * @param service {@code -Dservice="java ... -jar sluice.jar"}: the command that starts this build's
 *     service, without {@code jvm} and {@code serviceJvm}; empty: the compiled classes by this JVM
 * @param baseline {@code -Dbaseline=sluice.jar}: an older build, measured in turn with this one on
 *     servers of its own; empty for none
 * @param kept {@code -Dkept=FILE}: the report that this one is compared with
 */
public record Plan(
    Set<Row> rows,
    boolean quick,
    int runs,
    Duration length,
    Duration lives,
    Duration hold,
    Duration warmUp,
    String generator,
    String jvm,
    String serviceJvm,
    String service,
    String baseline,
    String kept) {
  static Plan ofProperties() {
    boolean quick = !property("quick", "false").equals("false");
    String baseline = property("baseline", "");
    return new Plan(
        Row.named(property("rows", quick ? "quick" : "all")),
        quick,
        Integer.parseInt(property("runs", quick ? "2" : "3")),
        seconds("seconds", quick || !baseline.isEmpty() ? 2 : 4),
        seconds("seconds", quick ? 12 : 30),
        seconds("seconds", 60),
        seconds("warmup", quick ? 6 : 20),
        property("generator", "wrk"),
        property("jvm", "-Xms1g -Xmx1g -XX:+UseParallelGC"),
        property("serviceJvm", ""),
        property("service", ""),
        baseline,
        property("kept", quick ? "docs/benchmarks/kept-quick.md" : "docs/benchmarks/kept.md"));
  }

  /** Whether each figure is compared with that of an older build. */
  public boolean isBesideBaseline() {
    return !baseline.isEmpty();
  }

  /** Splits the options of a JVM. */
  public static List<String> words(String text) {
    return text.isBlank() ? List.of() : List.of(text.trim().split("\\s+"));
  }

  /** An option that the build passes on although nobody gave it is empty. */
  private static String property(String name, String byDefault) {
    String value = System.getProperty(name, "");
    return value.isBlank() ? byDefault : value;
  }

  private static Duration seconds(String name, int byDefault) {
    return Duration.ofSeconds(Integer.parseInt(property(name, String.valueOf(byDefault))));
  }
}
