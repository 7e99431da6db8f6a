package io.sluice.chaos;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;

/** The checks of a run, each with what was looked at and the breaches found. */
final class Verdict {
  record Check(String promise, String looked, List<String> breaches) {}

  private static final int SHOWN_MAX = 20;

  private final List<Check> checks = new ArrayList<>();

  void add(String promise, String looked, List<String> breaches) {
    checks.add(new Check(promise, looked, List.copyOf(breaches)));
  }

  /** Runs a check that throws on a breach. */
  void run(String promise, String looked, Runnable check) {
    try {
      check.run();
      add(promise, looked, List.of());
    } catch (RuntimeException | AssertionError e) {
      add(promise, looked, List.of(String.valueOf(e.getMessage())));
    }
  }

  /** Runs a check that returns its breaches; one that throws counts as a breach as well. */
  void find(String promise, String looked, Supplier<List<String>> check) {
    try {
      add(promise, looked, check.get());
    } catch (RuntimeException | AssertionError e) {
      add(promise, looked, List.of("could not be checked: " + e));
    }
  }

  List<Check> checks() {
    return List.copyOf(checks);
  }

  boolean isSound() {
    return checks.stream().allMatch(check -> check.breaches().isEmpty());
  }

  /** The breaches as text, at most the first few of each check. */
  String breaches() {
    var text = new StringBuilder();
    for (Check check : checks) {
      if (!check.breaches().isEmpty()) {
        text.append("%n%s: %d breaches%n".formatted(check.promise(), check.breaches().size()));
        check.breaches().stream()
            .limit(SHOWN_MAX)
            .forEach(breach -> text.append("  ").append(breach).append('\n'));
      }
    }
    return text.toString();
  }
}
