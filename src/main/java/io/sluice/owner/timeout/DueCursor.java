package io.sluice.owner.timeout;

import io.sluice.ledger.OrderReads.DuePlace;
import java.time.Duration;

/**
 * How far the holds of a partition have been looked at, by their payment deadlines: all before have
 * ended. So a scan does not read the ended holds of the whole ledger again.
 *
 * <p>It begins at the first hold with each term, and goes back where an order with an earlier
 * deadline is booked. The owner does not hear of every booking: others book directly, and a reply
 * may be lost. No order is booked with a deadline that is more than half a minute over, so once a
 * minute the holds of the last minutes are looked at again.
 */
final class DueCursor {
  static final Duration LOOK_BACK_EVERY = Duration.ofMinutes(1);
  static final Duration LOOK_BACK = Duration.ofMinutes(2);

  private DuePlace place = DuePlace.FIRST;

  /** The earliest deadline that was booked and is not looked at yet. */
  private long bookedMs = Long.MAX_VALUE;

  private long lookedBackMs = Long.MIN_VALUE;

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
    if (lookedBackMs == Long.MIN_VALUE || dueMs < lookedBackMs) {
      lookedBackMs = dueMs;
    } else if (dueMs - lookedBackMs >= LOOK_BACK_EVERY.toMillis()) {
      lookedBackMs = dueMs;
      booked(dueMs - LOOK_BACK.toMillis());
    }
    goBack();
    return place;
  }

  /** Everything up to this hold has ended, except what was booked since {@link #next}. */
  void reached(DuePlace last) {
    place = last;
    goBack();
  }

  private void goBack() {
    if (bookedMs <= place.payBeforeMs()) {
      place = DuePlace.before(bookedMs);
    }
    bookedMs = Long.MAX_VALUE;
  }
}
