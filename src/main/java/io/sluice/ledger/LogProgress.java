package io.sluice.ledger;

import io.vertx.core.Future;
import java.util.Optional;

/**
 * When the order log could last be read, and which of its records were lost. Part of {@link
 * Ledger}.
 */
public interface LogProgress {

  /**
   * The last time at which payments of a partition could be processed, and by how much its payment
   * deadlines are extended. All times are on the ledger's clock, epoch milliseconds.
   *
   * @param readAtMs when the log's end and the ledger could last be read
   * @param shiftMs by how much payment deadlines are extended until {@code shiftUntilMs}
   */
  record Reading(long readAtMs, long shiftMs, long shiftUntilMs, Looked looked) {
    public Reading(long readAtMs, long shiftMs, long shiftUntilMs) {
      this(readAtMs, shiftMs, shiftUntilMs, Looked.NOTHING);
    }

    /** The same, with how far the holds were looked at. */
    public Reading with(Looked now) {
      return new Reading(readAtMs, shiftMs, shiftUntilMs, now);
    }
  }

  /**
   * How far the holds of a partition were looked at.
   *
   * @param fromMs all holds with an earlier payment deadline have ended, and none will be booked
   * @param allAtMs when all holds were last looked at
   */
  record Looked(long fromMs, long allAtMs) {
    public static final Looked NOTHING = new Looked(0, 0);
  }

  /** The reading that was stored last; empty if there is none. */
  Future<Optional<Reading>> reading(int partition);

  /**
   * Stores a reading, under the fence; false if the fence is lost.
   *
   * @param outage whether it begins or extends a shift, which is counted
   */
  Future<Boolean> keepReading(Fence fence, Reading reading, boolean outage);

  /** The longest payment window of any SKU. */
  Future<Long> longestWindowMs();

  /**
   * Moves a partition's next offset from {@code from} to {@code to}, because retention has deleted
   * the records in between unread. Raises the term and requests a rebuild of all buckets of the
   * partition, in one transaction. Returns false and changes nothing if {@code from} is not the
   * next offset.
   */
  Future<Boolean> skipLost(int partition, long from, long to);

  /** Whether lost records were skipped and not all buckets have been rebuilt since. */
  Future<Boolean> hasLost(int partition);
}
