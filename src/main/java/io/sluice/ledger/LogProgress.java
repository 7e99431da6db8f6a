package io.sluice.ledger;

import io.vertx.core.Future;
import java.util.Optional;

/** How far the order log could be read, and what of it never will be. Part of {@link Ledger}. */
public interface LogProgress {

  /**
   * What owners of a partition know of the times at which nobody's payment could be taken. All on
   * the ledger's clock, epoch milliseconds.
   *
   * @param readAtMs when the log's end and the ledger could last be read
   * @param shiftMs how much longer than their time orders may be paid, until {@code shiftUntilMs}
   */
  record Reading(long readAtMs, long shiftMs, long shiftUntilMs) {}

  /** What was kept last; empty where nothing was. */
  Future<Optional<Reading>> reading(int partition);

  /**
   * Keeps a reading, under the fence; false where that is lost.
   *
   * @param outage whether it begins or prolongs a shift, which is counted
   */
  Future<Boolean> keepReading(Fence fence, Reading reading, boolean outage);

  /** The longest time to pay that any SKU gives now. */
  Future<Long> longestWindowMs();

  /**
   * Lets a partition go on at {@code to}, since retention has deleted what lies from {@code from}
   * on before anybody has read it: raises the term, and asks the owner for a rebuild of all its
   * buckets, in one transaction. False, and nothing done, where {@code from} is not what is next.
   */
  Future<Boolean> skipLost(int partition, long from, long to);

  /** Whether records were passed over, and not all buckets rebuilt since. */
  Future<Boolean> hasLost(int partition);
}
