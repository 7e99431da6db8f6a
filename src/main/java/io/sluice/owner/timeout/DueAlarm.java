package io.sluice.owner.timeout;

import io.sluice.async.Timers;
import java.time.Duration;
import java.util.TreeSet;

/**
 * Wakes the scan for time-outs when something that this owner knows of is due. Its own interval is
 * the safety net: for what others booked, and for deadlines that are too many to be remembered.
 *
 * <p>Deadlines are rounded up to {@link #SLOT}, so that however many orders are due, there are few
 * scans. A batch tells only its earliest deadline; as long as a scan finds something, the next one
 * follows after a slot, so that the others are found as well.
 */
final class DueAlarm {
  static final Duration SLOT = Duration.ofMillis(100);

  /** Further slots are left to the interval, the latest ones first. */
  static final int SLOTS_MAX = 4_096;

  private final Timers timers;
  private final Duration interval;
  private final Runnable wake;
  private final TreeSet<Long> slots = new TreeSet<>();
  private long armedMs = Long.MAX_VALUE;

  /**
   * @param interval at which the scan is woken anyway
   */
  DueAlarm(Timers timers, Duration interval, Runnable wake) {
    this.timers = timers;
    this.interval = interval;
    this.wake = wake;
  }

  /** Something is due at this time of the ledger. */
  void due(long payBeforeMs) {
    if (payBeforeMs > Long.MAX_VALUE - SLOT.toMillis()) {
      return;
    }
    slots.add(roundedUp(payBeforeMs));
    if (slots.size() > SLOTS_MAX) {
      slots.pollLast();
    }
  }

  /** A scan has found something that was due at this time; more may follow soon. */
  void found(long dueMs) {
    due(dueMs + 1);
  }

  /**
   * The ledger's clock was read by a scan. A hold that is due before the next scan of the interval
   * gets a timer.
   */
  void looked(long nowMs) {
    slots.headSet(nowMs, true).clear();
    if (armedMs <= nowMs) {
      armedMs = Long.MAX_VALUE;
    }
    if (slots.isEmpty()) {
      return;
    }
    long next = slots.first();
    if (next < armedMs && next - nowMs < interval.toMillis()) {
      armedMs = next;
      timers.after(Duration.ofMillis(next - nowMs)).onSuccess(due -> rung(next));
    }
  }

  private static long roundedUp(long ms) {
    long slotMs = SLOT.toMillis();
    return (ms + slotMs - 1) / slotMs * slotMs;
  }

  private void rung(long slot) {
    if (armedMs == slot) {
      armedMs = Long.MAX_VALUE;
    }
    wake.run();
  }
}
