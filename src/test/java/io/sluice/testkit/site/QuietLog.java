package io.sluice.testkit.site;

import io.sluice.testkit.process.DiskWatch;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * What an instance must not log. In a sale without faults: warnings, errors, exceptions; most tests
 * set no token and have one broker. In any sale: work on a thread that belongs to no event loop.
 */
final class QuietLog {
  private static final String LOUD = ".*\\b(WARN|ERROR)\\b.*|\\tat .*|.*Exception: .*";

  /** The last one is a caller's fault. */
  private static final String EXPECTED =
      ".*(unsafe default in use|less safe than a sale| operator: wrong token).*";

  /**
   * An instance that starts beside others on a busy machine may wait for its first connection for
   * longer than its limit; it asks again before it is ready.
   */
  private static final String SLOW_START =
      ".* \\w+: dependency unavailable; .* cause=\"Timeout \\d+ \\(ms\\) fired\" *";

  /** Classes are loaded on the event loops that need them first, all of them at the start. */
  private static final String BLOCKED = ".* BlockedThreadChecker: Thread .* has been blocked .*";

  private static final String SERVING = " Application: serving";
  private static final String STRAY = ".* \\[globalEventExecutor-.*";

  /** A store did not answer in time: for a short limit, a short pause of its disk is enough. */
  private static final Pattern LATE =
      Pattern.compile(
          "(\\S+) WARN .*(?:Ledger|Stock)UnavailableException.*Timeout (\\d+) \\(ms\\) fired.*");

  /** A call that has failed is in the log this much later at most. */
  private static final Duration NOTICED = Duration.ofSeconds(1);

  /**
   * What passes where processors are short.
   *
   * @param line its time, and what works again
   * @param again with this text before what works again, the log says so
   */
  private record Passing(Pattern line, String again) {
    Passing(String line, String again) {
      this(Pattern.compile("(\\S+) WARN .*" + line), again);
    }
  }

  /** No finding if the log soon says that it works again. */
  private static final List<Passing> PASSING =
      List.of(
          new Passing(
              " background task failed; [^\"]* ((?:partition=\"\\d+\" )?task=\"[^\"]+\")"
                  + " cause=\"[^\"]*\\b(?:Timeout |CONNECTION_CLOSED).*",
              " background task works again "),
          new Passing(
              " Redis connection lost (redis=\"[^\"]+\")"
                  + " cause=\"(?:Timeout |CONNECTION_CLOSED|null).*",
              " Redis connected "),
          new Passing(
              " Redis cannot be reached; retried until it succeeds (redis=\"[^\"]+\")"
                  + " reason=\"unreachable\" cause=\"Timeout .*",
              " Redis connected "),
          // Its own take-over, whose answer was late, has come through after the next one.
          new Passing(
              " fence lost; this owner steps down (partition=\"\\d+\").*",
              " partition taken over "));

  private static final Duration SOON = Duration.ofSeconds(10);

  private static final Pattern WARNING = Pattern.compile("(\\S+) WARN .*");

  /** Connections are then given up, brokers lose their leaders, and owners step down. */
  private static final Duration LONG_STALL = Duration.ofSeconds(1);

  /** Until then the owners are back that were cut off by such a stall. */
  private static final Duration BACK = Duration.ofSeconds(10);

  private final DiskWatch disk;

  QuietLog(DiskWatch disk) {
    this.disk = disk;
  }

  /** Fails if the instance logged what it must not. */
  void judge(SluiceProcess instance, boolean withoutFaults) {
    String log = instance.log();
    List<String> found =
        Stream.concat(strayLines(log), withoutFaults ? loudLines(log) : Stream.empty()).toList();
    if (!found.isEmpty()) {
      throw new AssertionError(
          "%s logs what it must not (%s):%n%s"
              .formatted(instance.name(), instance.logFile(), String.join("\n", found)));
    }
  }

  /** The lines that a sale without faults does not explain. */
  Stream<String> loudLines(String log) {
    return Stream.concat(
            beforeServing(log).filter(line -> !line.matches(BLOCKED)), sinceServing(log))
        .filter(line -> line.matches(LOUD) && !line.matches(EXPECTED))
        .filter(line -> !line.matches(SLOW_START))
        .filter(line -> !isExcused(line))
        .filter(line -> PASSING.stream().noneMatch(each -> isOver(each, line, log)));
  }

  private static Stream<String> beforeServing(String log) {
    return log.lines().takeWhile(line -> !line.contains(SERVING));
  }

  private static Stream<String> sinceServing(String log) {
    return log.lines().dropWhile(line -> !line.contains(SERVING));
  }

  /** The lines of work that ran beside the event loop that owns its state. */
  static Stream<String> strayLines(String log) {
    return log.lines().filter(line -> line.matches(STRAY));
  }

  private static boolean isOver(Passing passing, String line, String log) {
    Matcher begun = passing.line().matcher(line);
    if (!begun.matches()) {
      return false;
    }
    Instant at = Instant.parse(begun.group(1));
    return log.lines()
        .filter(later -> later.contains(passing.again() + begun.group(2)))
        .map(later -> Instant.parse(later.substring(0, later.indexOf(' '))))
        .anyMatch(then -> !then.isBefore(at) && then.isBefore(at.plus(SOON)));
  }

  private boolean isExcused(String line) {
    return isLate(line) || isCutOff(line);
  }

  private boolean isCutOff(String line) {
    Matcher warning = WARNING.matcher(line);
    if (!warning.matches()) {
      return false;
    }
    Instant at = Instant.parse(warning.group(1));
    return disk.stoodStill(LONG_STALL, at.minus(BACK), at);
  }

  private boolean isLate(String line) {
    Matcher late = LATE.matcher(line);
    if (!late.matches()) {
      return false;
    }
    Instant at = Instant.parse(late.group(1));
    Duration limit = Duration.ofMillis(Long.parseLong(late.group(2)));
    // two pauses in one call are enough to reach its limit
    return disk.stoodStill(limit.dividedBy(2), at.minus(limit).minus(NOTICED), at);
  }
}
