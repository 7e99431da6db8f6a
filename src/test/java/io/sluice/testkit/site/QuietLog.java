package io.sluice.testkit.site;

import java.util.List;

/**
 * What a sale without faults must not log: warnings, errors, exceptions. Most tests set no token
 * and have one broker.
 */
final class QuietLog {
  private static final String LOUD = ".*\\b(WARN|ERROR)\\b.*|\\tat .*|.*Exception: .*";
  private static final String EXPECTED = ".*(unsafe default in use|less safe than a sale).*";

  private QuietLog() {}

  /** The lines of an instance's log that are not expected. */
  static List<String> loudLines(String log) {
    return log.lines().filter(line -> line.matches(LOUD) && !line.matches(EXPECTED)).toList();
  }
}
