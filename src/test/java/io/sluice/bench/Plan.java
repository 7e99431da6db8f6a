package io.sluice.bench;

import java.time.Duration;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/**
 * What is measured, how often and for how long; each option is a system property.
 *
 * @param rows {@code -Drows=refusals,grants}: all by default
 * @param schemes {@code -Drows=schemes}: the other schemes, for comparison; also by default
 * @param runs {@code -Druns=5}: how often each row is measured
 * @param length {@code -Dseconds=4}: of one volley
 * @param hold {@code -Dseconds=60}: how long a rate of whole lives is to be held
 * @param warmUp {@code -Dwarmup=20}: seconds of light load before a row's first run, followed by a
 *     quarter of that time at full load
 * @param connections {@code -Dconnections=512}
 * @param generator {@code -Dgenerator=own}: not wrk, even where it is installed
 * @param jvm {@code -Djvm="..."}: options of the service's and the bare server's JVM
 * @param serviceJvm {@code -DserviceJvm="..."}: further options of the service alone, e.g. for a
 *     profiler
 * @param baseline {@code -Dbaseline=sluice.jar}: an older build, measured in turn with this one on
 *     servers of its own; empty for none
 */
public record Plan(
    Set<Row> rows,
    boolean schemes,
    int runs,
    Duration length,
    Duration hold,
    Duration warmUp,
    int connections,
    String generator,
    String jvm,
    String serviceJvm,
    String baseline) {

  /** The warm-up of a server that was measured less than a minute ago. */
  private static final Duration STILL_WARM = Duration.ofSeconds(1);

  private static final String SCHEMES = "schemes";

  /** Splits the options of a JVM. */
  public static List<String> words(String text) {
    return text.isBlank() ? List.of() : List.of(text.trim().split("\\s+"));
  }

  static Plan ofProperties() {
    return new Plan(
        rows(System.getProperty("rows", "all")),
        wantsSchemes(System.getProperty("rows", "all")),
        Integer.getInteger("runs", 5),
        Duration.ofSeconds(Integer.getInteger("seconds", 4)),
        Duration.ofSeconds(Integer.getInteger("seconds", 60)),
        Duration.ofSeconds(Integer.getInteger("warmup", 20)),
        Integer.getInteger("connections", 512),
        System.getProperty("generator", "wrk"),
        System.getProperty("jvm", "-Xms1g -Xmx1g -XX:+UseParallelGC"),
        System.getProperty("serviceJvm", ""),
        System.getProperty("baseline", ""));
  }

  /** A plan of one run of each row; a site that was measured before needs less warm-up. */
  public Plan once(boolean isFirst) {
    Duration warming = isFirst ? warmUp : STILL_WARM;
    return new Plan(
        rows, schemes, 1, length, hold, warming, connections, generator, jvm, serviceJvm, baseline);
  }

  private static boolean wantsSchemes(String names) {
    return names.equals("all") || List.of(names.split(",")).contains(SCHEMES);
  }

  private static Set<Row> rows(String names) {
    if (names.equals("all")) {
      return EnumSet.allOf(Row.class);
    }
    Set<Row> rows = EnumSet.noneOf(Row.class);
    Arrays.stream(names.split(","))
        .filter(name -> !name.equals(SCHEMES))
        .map(Row::named)
        .forEach(rows::add);
    return rows;
  }
}
