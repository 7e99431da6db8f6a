package io.sluice.reservation.tally;

import io.sluice.ledger.History.Incident;
import io.sluice.monitor.Alarm;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/**
 * The alarms of this process as incidents: the first time at once, and then at most one a minute of
 * each, with how often it was raised. Used by one context only.
 */
final class RaisedAlarms {
  private static final Duration APART = Duration.ofMinutes(1);

  private final String instanceId;
  private final Map<Alarm, Seen> seen = new EnumMap<>(Alarm.class);

  /** How often an alarm was raised, and how much of it was reported. */
  private static final class Seen {
    long told;
    long toldMs;
    long counted;
    long firstMs;
    long lastMs;
  }

  /** An instance that has just started has all its alarms before it. */
  RaisedAlarms(String instanceId) {
    this.instanceId = instanceId;
  }

  /**
   * The part to be reported now.
   *
   * @param all also the part that would have to wait
   */
  List<Incident> take(long nowMs, boolean all) {
    List<Incident> incidents = new ArrayList<>();
    for (Alarm alarm : Alarm.values()) {
      long raised = alarm.raised();
      if (raised == 0) {
        continue;
      }
      Seen one = seen.computeIfAbsent(alarm, first -> new Seen());
      if (raised > one.counted) {
        if (one.counted == one.told) {
          one.firstMs = nowMs;
        }
        one.lastMs = nowMs;
        one.counted = raised;
      }
      long apart = nowMs - one.toldMs;
      if (one.counted > one.told && (all || apart < 0 || apart >= APART.toMillis())) {
        long times = one.counted - one.told;
        incidents.add(
            new Incident(one.firstMs, instanceId, alarm.word(), one.lastMs, times, alarm.text()));
        one.told = one.counted;
        one.toldMs = nowMs;
      }
    }
    return incidents;
  }
}
