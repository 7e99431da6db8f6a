package io.sluice.orderlog.kafka;

import io.sluice.alarm.Alarm;
import io.sluice.metrics.Meters;
import io.vertx.core.Future;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Decides on events that this ledger's instances have not signed: all are counted and ignored. The
 * exception are those without a signature, as long as an instance of the release before may run,
 * which signs none.
 */
public final class SealWatch {
  /** The time between two looks at the level of the ledger, until it is high enough. */
  public static final Duration LOOK_EVERY = Duration.ofSeconds(10);

  static final Duration ALARM_EVERY = Duration.ofMinutes(10);
  private static final Logger log = LoggerFactory.getLogger(SealWatch.class);

  private final String ledger;
  private final String topic;
  private final Supplier<Future<Boolean>> demanded;
  private final Meters meters;
  private final LongSupplier nanoTime;
  private final Map<Alarm, Long> raisedAt = new HashMap<>();
  private volatile boolean takesUnsigned;

  /**
   * @param ledger the id of this ledger
   * @param topic of the events
   * @param demanded asks the ledger whether all instances sign, so that signatures are demanded
   */
  public SealWatch(
      String ledger,
      String topic,
      Supplier<Future<Boolean>> demanded,
      Meters meters,
      LongSupplier nanoTime) {
    this.ledger = ledger;
    this.topic = topic;
    this.demanded = demanded;
    this.meters = meters;
    this.nanoTime = nanoTime;
  }

  /** Returns whether to look again: signatures are demanded once no older instance may run. */
  public Future<Boolean> look() {
    return demanded
        .get()
        .map(
            raised -> {
              takesUnsigned = !raised;
              return takesUnsigned;
            })
        .otherwise(true);
  }

  /** Whether an event counts that is not signed at all, as those of the release before. */
  boolean takesUnsigned() {
    return takesUnsigned;
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
