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
 * Extends payment deadlines after an outage by as long as it lasted.
 *
 * <p>While the log or the ledger is unavailable, payments are refused and the payment windows run
 * on. The ledger therefore stores when this partition could last be read, by any owner. A gap that
 * is too long is an outage, in which nobody could pay. Each order that could not be paid meanwhile
 * ends that much later. All of them are due by the longest payment window of any SKU after the
 * outage. They had no more than that to pay when it began, or were placed during it. Until then the
 * shift goes on; orders that are placed meanwhile have no part in it, unless the owner that saw the
 * end of the outage is gone. The shift is stored together with the new reading, before any order is
 * canceled by it, so that a crash or a successor finds both or neither. A further outage during
 * that time adds to the shift.
 *
 * <p>If an owner itself failed to read, {@link #SEEN_MIN} is enough. If there was no owner, the
 * partition may just have moved while the log accepted payments; only a longer gap than a move
 * takes is an outage.
 */
final class Outages {
  static final Duration SEEN_MIN = Duration.ofSeconds(2);

  /**
   * Longer than partitions of a dead instance are without an owner, and than the interval of stored
   * readings.
   */
  static final Duration UNSEEN_MIN = Duration.ofSeconds(20);

  private static final int READINGS_MISSED = 3;

  /** Storing a reading costs a transaction. */
  static final Duration KEEP_EVERY = Duration.ofSeconds(3);

  private static final Logger log = LoggerFactory.getLogger(Outages.class);

  private final LogProgress ledger;
  private final Ownership ownership;
  private final DueCursor cursor;
  private final Duration unseenMin;
  private @Nullable Reading last;
  private long keptAtMs;
  private boolean failed;
  private long endedAtMs;

  /**
   * @param cursor whose place is stored with each reading, and read with the first
   * @param every the interval at which {@link #read} is called
   */
  Outages(OwnerContext context, DueCursor cursor, Duration every) {
    this.cursor = cursor;
    this.unseenMin = unseenMin(every);
    this.ledger = context.ledger();
    this.ownership = context.ownership();
  }

  /**
   * The minimum outage for a partition without an owner; never shorter than a few intervals of
   * reading.
   */
  static Duration unseenMin(Duration every) {
    Duration few = every.multipliedBy(READINGS_MISSED);
    return few.compareTo(UNSEEN_MIN) > 0 ? few : UNSEEN_MIN;
  }

  /** Whether payments were impossible between the last reading and now. */
  static boolean isOutage(Reading last, long nowMs, Duration min) {
    return nowMs - last.readAtMs() > min.toMillis();
  }

  /** The reading after an outage has ended. */
  static Reading after(Reading last, long nowMs, long longestWindowMs) {
    long outageMs = nowMs - last.readAtMs();
    boolean shifted = last.readAtMs() < last.shiftUntilMs();
    long shiftMs = outageMs + (shifted ? last.shiftMs() : 0);
    return new Reading(nowMs, shiftMs, nowMs + longestWindowMs);
  }

  /** Orders with a payment deadline up to this time are overdue. */
  static long dueMs(Reading known, long nowMs) {
    return nowMs < known.shiftUntilMs() ? nowMs - known.shiftMs() : nowMs;
  }

  /** Called when the log or the ledger cannot be read, or the log takes no records. */
  void away() {
    failed = true;
  }

  /**
   * Called when both could be read, at this time of the ledger's clock. Returns the time up to
   * which payment deadlines are overdue; before it completes, no order may be canceled.
   */
  Future<Long> read(long nowMs) {
    return known(nowMs).compose(before -> note(before, nowMs)).map(known -> dueMs(known, nowMs));
  }

  private Future<Reading> known(long nowMs) {
    return last != null
        ? Future.succeededFuture(last)
        : ledger
            .reading(ownership.partition())
            .map((Optional<Reading> kept) -> kept.orElse(new Reading(nowMs, 0, 0)))
            .onSuccess(kept -> cursor.resume(kept.looked()));
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

  /** If this fails, the next reading finds the same gap again. */
  private Future<Reading> keep(Reading now, boolean outage) {
    return ledger
        .keepReading(ownership.fence(), now.with(cursor.looked()), outage)
        .compose(
            mine -> {
              if (!mine) {
                return Future.failedFuture(ownership.lose());
              }
              keptAtMs = now.readAtMs();
              failed = false;
              last = now;
              endedAtMs = outage ? now.readAtMs() : endedAtMs;
              return Future.succeededFuture(now);
            });
  }

  /** When the last outage ended; 0 if this owner has seen none. */
  long endedAtMs() {
    return endedAtMs;
  }

  private void tell(Reading before, Reading shifted) {
    log.atWarn()
        .addKeyValue("partition", ownership.partition())
        .addKeyValue("outageMs", shifted.readAtMs() - before.readAtMs())
        .addKeyValue("shiftMs", shifted.shiftMs())
        .addKeyValue("graceMs", shifted.shiftUntilMs() - shifted.readAtMs())
        .log(
            "payments were impossible during an outage; payment deadlines are extended by its"
                + " length");
  }
}
