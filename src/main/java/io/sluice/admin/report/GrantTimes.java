package io.sluice.admin.report;

import io.sluice.ledger.History;
import java.util.Map;
import java.util.NavigableMap;
import java.util.OptionalLong;
import java.util.TreeMap;

/** How many grants were durable within which time. */
final class GrantTimes {
  /** The last counter has no time of its own. */
  private static final long LONGER = Long.MAX_VALUE;

  private final NavigableMap<Long, Long> byMs = new TreeMap<>();
  private long count;

  void add(Map<Long, Long> granted) {
    granted.forEach(
        (withinMs, grants) -> {
          byMs.merge(withinMs == History.LONGER ? LONGER : withinMs, grants, Long::sum);
          count += grants;
        });
  }

  long count() {
    return count;
  }

  /**
   * The time in milliseconds within which so many of a hundred were durable. It is that of their
   * counter, so never too short; empty if it is longer than any, or nothing was granted.
   */
  OptionalLong percentile(int percent) {
    long wanted = Math.max(1, (count * percent + 99) / 100);
    long seen = 0;
    for (Map.Entry<Long, Long> each : byMs.entrySet()) {
      seen += each.getValue();
      if (seen >= wanted) {
        return each.getKey() == LONGER ? OptionalLong.empty() : OptionalLong.of(each.getKey());
      }
    }
    return OptionalLong.empty();
  }
}
