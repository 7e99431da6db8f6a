package io.sluice.owner.timeout;

import io.sluice.ledger.LogProgress.Looked;
import io.sluice.ledger.OrderReads.DuePlace;
import java.time.Duration;
import java.util.Optional;

/**
 * How far the holds of a partition have been looked at, by their payment deadlines: all before have
 * ended. So a scan does not read the ended holds of the whole ledger again.
 *
 * <p>It goes back when an order with an earlier deadline is booked. The owner does not learn of
 * every booking: others book directly, and a reply may be lost. No order is booked with a deadline
 * that is more than half a minute over. So once a minute everything is looked at again that could
 * have been booked since the look-back before. If a database is put back to an older state, an
 * order that had ended may hold its units again without any sign of it here. So once in {@link
 * #ALL_EVERY} all holds are looked at, whichever instance owns the partition. Both are walks of a
 * page with each scan ({@link DueWalk}).
 *
 * <p>A successor resumes at a place that is never too high. It is below everything that was not
 * looked at yet, and that may have been booked since the last look-back, or will be. An extension
 * of the time to pay only delays what is due; it moves no hold to another place.
 */
final class DueCursor {
  static final Duration LOOK_BACK_EVERY = Duration.ofMinutes(1);

  /** How much older than the look-back before an order may be that was booked since. */
  static final Duration OLDER = Duration.ofMinutes(1);

  static final Duration ALL_EVERY = Duration.ofHours(1);

  private static final long NEVER = Long.MIN_VALUE;

  private DuePlace place = DuePlace.FIRST;

  /** The earliest deadline that was booked and is not looked at yet. */
  private long bookedMs = Long.MAX_VALUE;

  /** When the last look-back began, of those that have ended. */
  private long lookedBackMs = NEVER;

  private final DueWalk lookBack = new DueWalk();

  /** When the last walk over all holds began, of those that have ended. */
  private long lookedAtAllMs;

  private final DueWalk all = new DueWalk();

  /** Goes on where an earlier owner was; called before the first look. */
  void resume(Looked kept) {
    place = DuePlace.before(kept.fromMs());
    lookedAtAllMs = kept.allAtMs();
  }

  /** Where a successor may go on, whatever is booked from now on. */
  Looked looked() {
    long fromMs = Math.min(place.payBeforeMs(), bookedMs);
    return new Looked(
        lookedBackMs == NEVER
            ? fromMs
            : Math.max(0, Math.min(fromMs, lookedBackMs - OLDER.toMillis())),
        lookedAtAllMs);
  }

  /** An order with this deadline, or orders of which this is the earliest, were booked. */
  void booked(long payBeforeMs) {
    bookedMs = Math.min(bookedMs, payBeforeMs);
  }

  /**
   * Where to look next.
   *
   * @param dueMs until which deadline
   */
  DuePlace next(long dueMs) {
    if (lookedBackMs == NEVER) {
      begin(dueMs);
    } else if (dueMs < lookedBackMs) {
      lookedBackMs = dueMs;
      lookedAtAllMs = Math.min(lookedAtAllMs, dueMs);
    }
    goBack();
    return place;
  }

  /** The place of an earlier owner is of no use if the clock was set back. */
  private void begin(long dueMs) {
    lookedBackMs = dueMs;
    if (place.equals(DuePlace.FIRST) || place.payBeforeMs() > dueMs || lookedAtAllMs > dueMs) {
      place = DuePlace.FIRST;
      lookedAtAllMs = dueMs;
    }
  }

  /** Where a walk goes on, the look-back first; empty if none is due. Follows {@link #next}. */
  Optional<DuePlace> walk(long dueMs) {
    if (!lookBack.isUnderWay() && dueMs - lookedBackMs >= LOOK_BACK_EVERY.toMillis()) {
      lookBack.begin(DuePlace.before(lookedBackMs - OLDER.toMillis()), dueMs);
    }
    if (!all.isUnderWay() && dueMs - lookedAtAllMs >= ALL_EVERY.toMillis()) {
      all.begin(DuePlace.FIRST, dueMs);
    }
    return (lookBack.isUnderWay() ? lookBack : all).place();
  }

  /**
   * The walk that {@link #walk} named has looked at everything up to this hold.
   *
   * @param complete whether no further hold was due
   */
  void walked(DuePlace last, boolean complete) {
    if (lookBack.isUnderWay()) {
      lookedBackMs = lookBack.reached(last, complete) ? lookBack.beganMs() : lookedBackMs;
    } else {
      lookedAtAllMs = all.reached(last, complete) ? all.beganMs() : lookedAtAllMs;
    }
  }

  /** Everything up to this hold has ended, except what was booked since {@link #next}. */
  void reached(DuePlace last) {
    place = last;
  }

  private void goBack() {
    if (bookedMs <= place.payBeforeMs()) {
      place = DuePlace.before(bookedMs);
    }
    bookedMs = Long.MAX_VALUE;
  }
}
