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
  record Reading(long readAtMs, long shiftMs, long shiftUntilMs) {}

  /** The reading that was stored last; empty where there is none. */
  Future<Optional<Reading>> reading(int partition);

  /**
   * Stores a reading, under the fence; false where the fence is lost.
   *
   * @param outage whether it begins or extends a shift, which is counted
   */
  Future<Boolean> keepReading(Fence fence, Reading reading, boolean outage);

  /** The longest payment window of any SKU. */
  Future<Long> longestWindowMs();

  /**
   * Moves a partition's next offset from {@code from} to {@code to}, because retention has deleted
   * the records in between unread. Raises the term and requests a rebuild of all buckets of the
   * partition, in one transaction. Returns false and changes nothing where {@code from} is not the
   * next offset.
   */
  Future<Boolean> skipLost(int partition, long from, long to);

  /** Whether lost records were skipped and not all buckets have been rebuilt since. */
  Future<Boolean> hasLost(int partition);
}
