package io.sluice.orderlog.kafka;

import io.sluice.metrics.Meters;
import io.sluice.monitor.Alarm;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Tells of events that this ledger's instances have not signed, which are ignored. */
public final class SealWatch {
  static final Duration ALARM_EVERY = Duration.ofMinutes(10);
  private static final Logger log = LoggerFactory.getLogger(SealWatch.class);

  private final String ledger;
  private final String topic;
  private final Meters meters;
  private final LongSupplier nanoTime;
  private final Map<Alarm, Long> raisedAt = new HashMap<>();

  /**
   * @param ledger the id of this ledger
   * @param topic of the events
   */
  public SealWatch(String ledger, String topic, Meters meters, LongSupplier nanoTime) {
    this.ledger = ledger;
    this.topic = topic;
    this.meters = meters;
    this.nanoTime = nanoTime;
  }

  /** An event of another ledger was heard on this one's topic, and is ignored. */
  void otherLedger(String other) {
    meters.eventIgnored("other_ledger");
    if (isDue(Alarm.SECOND_LEDGER)) {
      Alarm.SECOND_LEDGER.raise(
          log.atError()
              .addKeyValue("topic", topic)
              .addKeyValue("ledger", ledger)
              .addKeyValue("other", other));
    }
  }

  /** An event was ignored that no instance of this ledger has signed. */
  void ignored(boolean isSigned) {
    meters.eventIgnored(isSigned ? "forged" : "unsigned");
    if (isDue(Alarm.EVENTS_FORGED)) {
      Alarm.EVENTS_FORGED.raise(
          log.atError().addKeyValue("topic", topic).addKeyValue("signed", isSigned));
    }
  }

  private boolean isDue(Alarm alarm) {
    long now = nanoTime.getAsLong();
    Long last = raisedAt.get(alarm);
    if (last != null && now - last < ALARM_EVERY.toNanos()) {
      return false;
    }
    raisedAt.put(alarm, now);
    return true;
  }
}
