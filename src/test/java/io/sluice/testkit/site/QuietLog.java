package io.sluice.testkit.site;

import java.time.Duration;
import java.time.Instant;
import java.util.List;

/**
 * What a sale without faults must not log: warnings, errors, exceptions. Most tests set no token
 * and have one broker. While instances join, the take-over that one of them began before it gave a
 * partition away may come through after that of the next owner, which then steps down and takes
 * over again.
 */
final class QuietLog {
  static final Duration JOINING = Duration.ofSeconds(20);

  private static final String LOUD = ".*\\b(WARN|ERROR)\\b.*|\\tat .*|.*Exception: .*";
  private static final String EXPECTED = ".*(unsafe default in use|less safe than a sale).*";
  private static final String STEPS_DOWN = "fence lost; this owner steps down";

  private QuietLog() {}

  /** The lines of an instance's log that are not expected. */
  static List<String> loudLines(String log) {
    List<String> loud =
        log.lines().filter(line -> line.matches(LOUD) && !line.matches(EXPECTED)).toList();
    return loud.stream()
        .filter(line -> !(line.contains(STEPS_DOWN) && isWhileJoining(line, log)))
        .toList();
  }

  private static boolean isWhileJoining(String line, String log) {
    return timeOf(line).isBefore(timeOf(log).plus(JOINING));
  }

  private static Instant timeOf(String line) {
    return Instant.parse(line.substring(0, line.indexOf(' ')));
  }
}
