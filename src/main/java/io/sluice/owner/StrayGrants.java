package io.sluice.owner;

import io.sluice.model.Command;
import io.sluice.model.Grant;
import io.sluice.monitor.Alarm;
import io.sluice.orderlog.LogBatch.LogRecord;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.IntConsumer;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Finds out which dropped grants are no late records of a rebuild. A Redis process that was
 * replaced made them, for an instance that is still connected to it, and that may have said yes.
 *
 * <p>The gate drops every grant of an older epoch. Those that were under way at a rebuild were made
 * before its wait was over. The process in which the bucket is open grants in its present epoch. So
 * one of an older epoch that was made later is of another process. Its time is Redis' own, and a
 * clock may jump: one that is ahead of the ledger's clock says nothing, nor does one of the process
 * that answers now.
 */
final class StrayGrants {
  /** How often the same writer is named. */
  static final Duration ALARM_EVERY = Duration.ofMinutes(1);

  /** Redis' clock may be ahead of the ledger's by so much. */
  static final Duration AHEAD_MAX = Duration.ofSeconds(2);

  private static final int WRITERS_MAX = 100;
  private static final String UNKNOWN = "";
  private static final Logger log = LoggerFactory.getLogger(StrayGrants.class);

  private final OwnerContext context;
  private final Ownership ownership;
  private final IntConsumer counter;

  /** When each writer was named, on the ledger's clock. */
  private final Map<Writer, Long> namedMs = new HashMap<>();

  /**
   * Who made a grant, as its record says.
   *
   * @param run of the Redis process
   */
  private record Writer(@Nullable String instance, @Nullable String run) {}

  StrayGrants(OwnerContext context, IntConsumer counter) {
    this.context = context;
    this.ownership = context.ownership();
    this.counter = counter;
    settle();
  }

  private void settle() {
    context.ledger().nowMs().onSuccess(ownership::settled);
  }

  /**
   * Looks at grants that were dropped because of their epoch.
   *
   * @param records that have them
   */
  void look(List<LogRecord> records, List<Grant> dropped) {
    if (dropped.isEmpty()) {
      return;
    }
    long settledMs = ownership.settledMs();
    Set<Grant> later =
        dropped.stream()
            .filter(grant -> grant.grantedAtMs() > settledMs)
            .collect(Collectors.toCollection(HashSet::new));
    if (settledMs == Long.MAX_VALUE) {
      settle();
    } else if (!later.isEmpty()) {
      context
          .ledger()
          .nowMs()
          .onSuccess(
              nowMs ->
                  context
                      .stock()
                      .history()
                      .otherwise(UNKNOWN)
                      .onSuccess(here -> judge(records, later, nowMs, here)));
    }
  }

  private void judge(List<LogRecord> records, Set<Grant> later, long nowMs, String here) {
    later.removeIf(grant -> grant.grantedAtMs() > nowMs + AHEAD_MAX.toMillis());
    Map<Writer, Integer> strays = new LinkedHashMap<>();
    for (LogRecord entry : records) {
      for (Command command : entry.commands()) {
        if (command instanceof Command.Reserve reserve
            && later.contains(reserve.grant())
            && !isOf(reserve.run(), here)) {
          strays.merge(new Writer(entry.instance(), reserve.run()), 1, Integer::sum);
        }
      }
    }
    strays.forEach(
        (writer, grants) -> {
          counter.accept(grants);
          alarm(writer, grants, nowMs);
        });
  }

  private static boolean isOf(@Nullable String run, String history) {
    return run != null && history.startsWith(run);
  }

  private void alarm(Writer writer, int grants, long nowMs) {
    long everyMs = ALARM_EVERY.toMillis();
    namedMs.values().removeIf(named -> Math.abs(nowMs - named) >= everyMs);
    if (namedMs.size() < WRITERS_MAX && namedMs.putIfAbsent(writer, nowMs) == null) {
      Alarm.STRAY_GRANTS.raise(
          ownership
              .about(log.atError())
              .addKeyValue("instance", writer.instance())
              .addKeyValue("run", writer.run())
              .addKeyValue("grants", grants));
    }
  }
}
