package io.sluice.chaos.fault;

import static io.sluice.chaos.fault.FaultKind.DATABASE_RESTORED;
import static io.sluice.chaos.fault.FaultKind.EVENTS_REMADE;
import static io.sluice.chaos.fault.FaultKind.INSTANCE_BEFORE_STORE;
import static io.sluice.chaos.fault.FaultKind.LOG_FOREIGN;
import static io.sluice.chaos.fault.FaultKind.REDIS_ACL_NARROWED;
import static io.sluice.chaos.fault.FaultKind.REDIS_DEMOTED;
import static io.sluice.chaos.fault.FaultKind.SECOND_LEDGER;

import io.sluice.chaos.fault.FaultInjector.Strike;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * The alarms that each fault must raise, valid while its effects last. Every other error in the
 * logs is a breach.
 */
public record ExpectedAlarms(List<Strike> strikes) {
  /** All that take a store, or the connection to one, away from an instance for a while. */
  private static final Set<FaultKind> TAKE_AWAY =
      Arrays.stream(FaultKind.values())
          .filter(kind -> kind.part() != FaultKind.Part.INSTANCES)
          .collect(Collectors.toUnmodifiableSet());

  private static final Map<String, Set<FaultKind>> RAISED_BY =
      Map.ofEntries(
          Map.entry(
              "ALARM: Redis is not fit to hold stock", Set.of(REDIS_DEMOTED, REDIS_ACL_NARROWED)),
          Map.entry("ALARM: ledger was restored to an earlier state", Set.of(DATABASE_RESTORED)),
          Map.entry("ALARM: order log has records of another program", Set.of(LOG_FOREIGN)),
          Map.entry("ALARM: another ledger uses", Set.of(SECOND_LEDGER)),
          Map.entry("ALARM: partition has no working owner", Set.of(INSTANCE_BEFORE_STORE)),
          Map.entry("ALARM: ledger task is slow", Set.of(INSTANCE_BEFORE_STORE)),
          Map.entry(
              "ALARM: no bucket of the partition can be loaded", Set.of(INSTANCE_BEFORE_STORE)),
          Map.entry("ALARM: ledger is away", TAKE_AWAY),
          Map.entry("ALARM: Redis is away", TAKE_AWAY),
          Map.entry("ALARM: order log is away", TAKE_AWAY),
          Map.entry("ALARM: webhook is not delivered", Set.of(EVENTS_REMADE)));

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

  /**
   * Whether reconciliation may have corrected something then. A script that is stopped half-way
   * strands the units of its grants, which only a comparison finds.
   */
  public boolean mayCorrect(Instant at) {
    return isFelt(Set.of(REDIS_ACL_NARROWED), at.toEpochMilli());
  }

  private boolean isFelt(Set<FaultKind> kinds, long atMs) {
    return strikes.stream()
        .filter(strike -> kinds.contains(strike.fault().kind()))
        .anyMatch(strike -> atMs >= strike.struckMs() && atMs <= strike.liftedMs() + FELT_MS);
  }
}
