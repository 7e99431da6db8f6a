package io.sluice.owner;

import io.sluice.ledger.DirectLedger;
import io.sluice.ledger.Ledger;
import io.sluice.ledger.Reading;
import io.sluice.model.Placement;
import io.sluice.owner.DueScan.Due;
import io.vertx.core.Future;
import java.time.Duration;
import java.util.Optional;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.spi.LoggingEventBuilder;

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

  /** Stores a reading. */
  private interface Store {
    /**
     * Whether it was stored: another instance may have been faster. Fails if the fence is lost.
     *
     * @param sinceMs the time of the reading before
     */
    Future<Boolean> keep(long sinceMs, Reading now, boolean outage);
  }

  private final Ledger ledger;
  private final int partition;
  private final DueScan scan;
  private final Store store;
  private final Duration seenMin;
  private final Duration unseenMin;
  private final boolean isShared;
  private final UnaryOperator<LoggingEventBuilder> about;
  private boolean resumed;
  private boolean failed;

  /** The last reading, which nobody else replaces; null if others may, or there is none yet. */
  private @Nullable Reading last;

  private long keptAtMs;

  /** When the last outage ended of which this instance has stored the end, and its shift. */
  private long endedAtMs;

  private long shiftUntilMs;

  /**
   * @param scan whose place is stored with each reading, and read with the first
   * @param every the interval at which {@link #read} is called
   */
  Outages(OwnerContext context, DueScan scan, Duration every) {
    this(
        context.ledger(),
        context.ownership().partition(),
        scan,
        (since, now, outage) -> keep(context, now, outage),
        SEEN_MIN,
        every,
        context.ownership()::about);
  }

  /**
   * Of SKUs that sell in the ledger alone: one reading is shared by all instances. One of them that
   * was cut off finds what the others have stored meanwhile. So a gap that is a little longer than
   * that between two of their readings was an outage for all.
   */
  Outages(Ledger ledger, DirectLedger direct, DueScan scan, Duration every) {
    this(
        ledger,
        Placement.DIRECT,
        scan,
        direct::keepReading,
        KEEP_EVERY.plus(SEEN_MIN),
        every,
        UnaryOperator.identity());
  }

  private Outages(
      Ledger ledger,
      int partition,
      DueScan scan,
      Store store,
      Duration seenMin,
      Duration every,
      UnaryOperator<LoggingEventBuilder> about) {
    this.ledger = ledger;
    this.partition = partition;
    this.scan = scan;
    this.store = store;
    this.seenMin = seenMin;
    this.unseenMin = unseenMin(every);
    this.isShared = partition == Placement.DIRECT;
    this.about = about;
  }

  private static Future<Boolean> keep(OwnerContext context, Reading now, boolean outage) {
    Ownership ownership = context.ownership();
    return context
        .ledger()
        .keepReading(ownership.fence(), now, outage)
        .compose(mine -> ownership.expectHeld(mine).map(true));
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
   * Called when both could be read, at this time of the ledger's clock. Returns what is overdue;
   * before it completes, no order may be canceled.
   */
  Future<Due> read(long nowMs) {
    return stored().compose(stored -> note(stored, nowMs)).map(reading -> due(reading, nowMs));
  }

  /** An instance that has not seen the end of the last outage leaves fresh orders to others. */
  private Due due(Reading reading, long nowMs) {
    boolean isKnown = reading.shiftUntilMs() == shiftUntilMs;
    return new Due(dueMs(reading, nowMs), nowMs, isKnown ? endedAtMs : 0);
  }

  private Future<Optional<Reading>> stored() {
    return last != null
        ? Future.succeededFuture(Optional.of(last))
        : ledger
            .reading(partition)
            .onSuccess(
                stored -> {
                  if (isShared) {
                    keptAtMs = stored.map(Reading::readAtMs).orElse(0L);
                  }
                });
  }

  private Future<Reading> note(Optional<Reading> stored, long nowMs) {
    Reading before = stored.orElse(new Reading(nowMs, 0, 0));
    if (!resumed) {
      resumed = true;
      scan.resume(before.looked());
    }
    long sinceMs = stored.map(Reading::readAtMs).orElse(0L);
    if (isOutage(before, nowMs, failed ? seenMin : unseenMin)) {
      return ledger
          .longestWindowMs()
          .map(window -> after(before, nowMs, window))
          .compose(shifted -> keep(sinceMs, shifted, true));
    }
    failed = false;
    Reading now = new Reading(nowMs, before.shiftMs(), before.shiftUntilMs());
    last = isShared ? null : now;
    return Math.abs(nowMs - keptAtMs) < KEEP_EVERY.toMillis()
        ? Future.succeededFuture(now)
        : keep(sinceMs, now, false);
  }

  /** If this fails, the next reading finds the same gap again. */
  private Future<Reading> keep(long sinceMs, Reading now, boolean outage) {
    return store
        .keep(sinceMs, now.with(scan.looked()), outage)
        .compose(
            mine -> {
              if (!mine) {
                return ledger.reading(partition).map(theirs -> theirs.orElse(now));
              }
              keptAtMs = now.readAtMs();
              failed = false;
              last = isShared ? null : now;
              if (outage) {
                endedAtMs = now.readAtMs();
                shiftUntilMs = now.shiftUntilMs();
                tell(sinceMs, now);
              }
              return Future.succeededFuture(now);
            });
  }

  private void tell(long sinceMs, Reading shifted) {
    var line =
        about
            .apply(log.atWarn())
            .addKeyValue("outageMs", shifted.readAtMs() - sinceMs)
            .addKeyValue("shiftMs", shifted.shiftMs())
            .addKeyValue("graceMs", shifted.shiftUntilMs() - shifted.readAtMs());
    if (isShared) {
      line.log(
          "payments of direct SKUs were impossible during an outage; payment deadlines are extended"
              + " by its length");
    } else {
      line.log(
          "payments were impossible during an outage; payment deadlines are extended by its"
              + " length");
    }
  }
}
