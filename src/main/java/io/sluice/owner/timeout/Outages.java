package io.sluice.owner.timeout;

import io.sluice.ledger.LogProgress;
import io.sluice.ledger.LogProgress.Reading;
import io.sluice.owner.fencing.OwnerContext;
import io.sluice.owner.fencing.Ownership;
import io.vertx.core.Future;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Gives those who could not pay during an outage as long after it as it lasted.
 *
 * <p>While the log or the ledger is away a payment is refused, and changes nothing; the buyer's
 * time runs on. The ledger therefore keeps when this partition could last be read, by whichever
 * owner. Where that is too long ago, nobody could pay from then until now: for as long as that was,
 * but no longer than the longest time to pay that any SKU gives, orders end that much later. The
 * shift is kept together with the new reading, before anybody is canceled by it, so that a crash or
 * a successor finds both or neither. A further outage meanwhile adds to the shift.
 *
 * <p>Where an owner saw for itself that it could not read, {@link #SEEN_MIN} is enough. Where it
 * was not there, partitions may just have changed hands, while the log took payments: only more
 * than that takes is an outage.
 */
final class Outages {
  static final Duration SEEN_MIN = Duration.ofSeconds(2);

  /** Longer than partitions of a dead instance are without an owner, and than a reading is old. */
  static final Duration UNSEEN_MIN = Duration.ofSeconds(20);

  private static final int READINGS_MISSED = 3;

  /** A reading that is kept costs a transaction. */
  static final Duration KEEP_EVERY = Duration.ofSeconds(3);

  private static final Logger log = LoggerFactory.getLogger(Outages.class);

  private final LogProgress ledger;
  private final Ownership ownership;
  private final Duration unseenMin;
  private @Nullable Reading last;
  private long keptAtMs;
  private boolean failed;

  /** {@code every} says how often it is given a reading. */
  Outages(OwnerContext context, Duration every) {
    this.unseenMin = unseenMin(every);
    this.ledger = context.ledger();
    this.ownership = context.ownership();
  }

  /** Who seldom looks misses nothing by it. */
  static Duration unseenMin(Duration every) {
    Duration few = every.multipliedBy(READINGS_MISSED);
    return few.compareTo(UNSEEN_MIN) > 0 ? few : UNSEEN_MIN;
  }

  /** Whether nobody could pay between the last reading and now. */
  static boolean isOutage(Reading last, long nowMs, Duration min) {
    return nowMs - last.readAtMs() > min.toMillis();
  }

  /** What is known once an outage is over. */
  static Reading after(Reading last, long nowMs, long longestWindowMs) {
    long outageMs = nowMs - last.readAtMs();
    boolean shifted = last.readAtMs() < last.shiftUntilMs();
    long shiftMs = outageMs + (shifted ? last.shiftMs() : 0);
    return new Reading(nowMs, shiftMs, nowMs + Math.min(shiftMs, longestWindowMs));
  }

  /** Orders that must be paid by then have had their time. */
  static long dueMs(Reading known, long nowMs) {
    return nowMs < known.shiftUntilMs() ? nowMs - known.shiftMs() : nowMs;
  }

  /** The log or the ledger cannot be read now. */
  void cannotRead() {
    failed = true;
  }

  /**
   * Both can be read, at this moment of the ledger's clock. Gives what orders have had their time;
   * until it does, none may be canceled.
   */
  Future<Long> read(long nowMs) {
    return known(nowMs).compose(before -> note(before, nowMs)).map(known -> dueMs(known, nowMs));
  }

  private Future<Reading> known(long nowMs) {
    return last != null
        ? Future.succeededFuture(last)
        : ledger
            .reading(ownership.partition())
            .map((Optional<Reading> kept) -> kept.orElse(new Reading(nowMs, 0, 0)));
  }

  private Future<Reading> note(Reading before, long nowMs) {
    if (!isOutage(before, nowMs, failed ? SEEN_MIN : unseenMin)) {
      Reading now = new Reading(nowMs, before.shiftMs(), before.shiftUntilMs());
      failed = false;
      last = now;
      return Math.abs(nowMs - keptAtMs) < KEEP_EVERY.toMillis()
          ? Future.succeededFuture(now)
          : keep(now, false);
    }
    return ledger
        .longestWindowMs()
        .map(window -> after(before, nowMs, window))
        .compose(shifted -> keep(shifted, true))
        .onSuccess(shifted -> tell(before, shifted));
  }

  /** Where this fails, what it would have kept is found again by the next reading. */
  private Future<Reading> keep(Reading now, boolean outage) {
    return ledger
        .keepReading(ownership.fence(), now, outage)
        .compose(
            mine -> {
              if (!mine) {
                return Future.failedFuture(ownership.lose());
              }
              keptAtMs = now.readAtMs();
              failed = false;
              last = now;
              return Future.succeededFuture(now);
            });
  }

  private void tell(Reading before, Reading shifted) {
    log.atWarn()
        .addKeyValue("partition", ownership.partition())
        .addKeyValue("outageMs", shifted.readAtMs() - before.readAtMs())
        .addKeyValue("shiftMs", shifted.shiftMs())
        .addKeyValue("graceMs", shifted.shiftUntilMs() - shifted.readAtMs())
        .log("payments could not be taken for a while; unpaid orders end that much later");
  }
}
