package io.sluice.chaos.fault;

import static io.sluice.chaos.fault.FaultKind.DATABASE_RESTORED;
import static io.sluice.chaos.fault.FaultKind.INSTANCE_BEFORE_STORE;
import static io.sluice.chaos.fault.FaultKind.REDIS_DEMOTED;

import io.sluice.chaos.fault.FaultInjector.Strike;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The alarms that each fault must raise, valid while its effects last. Every other error in the
 * logs is a breach.
 */
public record ExpectedAlarms(List<Strike> strikes) {
  private static final Map<String, FaultKind> RAISED_BY =
      Map.of(
          "ALARM: Redis is not fit to hold stock", REDIS_DEMOTED,
          "ALARM: ledger was restored to an earlier state", DATABASE_RESTORED,
          "ALARM: partition has no working owner", INSTANCE_BEFORE_STORE,
          "ALARM: ledger task is slow", INSTANCE_BEFORE_STORE,
          "ALARM: no bucket of the partition can be loaded", INSTANCE_BEFORE_STORE);

  private static final Pattern TIME = Pattern.compile("^(\\d{4}-\\d\\d-\\d\\dT[0-9:.]+Z) ");

  /** Longer than the effects of any single fault may last. */
  private static final long FELT_MS = 2 * Recoveries.RECOVERY_MAX.toMillis();

  /** Whether this log line is an alarm raised by one of the faults. */
  public boolean has(String line) {
    Matcher time = TIME.matcher(line);
    if (!time.find()) {
      return false;
    }
    long atMs = Instant.parse(time.group(1)).toEpochMilli();
    return RAISED_BY.entrySet().stream()
        .filter(raised -> line.contains(raised.getKey()))
        .anyMatch(raised -> isFelt(raised.getValue(), atMs));
  }

  private boolean isFelt(FaultKind kind, long atMs) {
    return strikes.stream()
        .filter(strike -> strike.fault().kind() == kind)
        .anyMatch(strike -> atMs >= strike.struckMs() && atMs <= strike.liftedMs() + FELT_MS);
  }
}
