package io.sluice.reservation.order;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/**
 * When the facts known about a partition may be of a history that was lost: its term has risen, or
 * events were missed. The term rises with each change of owner, and so when an owner notices that
 * the ledger was restored to an earlier state. Thread-safe.
 */
final class HeardTerms {

  /**
   * The breaks seen until some time.
   *
   * @param count how many breaks, of all partitions
   * @param breaks of each partition
   */
  record Until(long count, List<Long> breaks) {
    boolean isBefore(Until other) {
      return count < other.count;
    }

    /** Whether nothing of this partition was learned by then that may have been lost since. */
    boolean isSame(Until now, int partition) {
      return breaks.get(partition).equals(now.breaks.get(partition));
    }
  }

  private final long[] highest;
  private volatile Until latest;

  HeardTerms(int partitions) {
    this.highest = new long[partitions];
    this.latest = new Until(0, Collections.nCopies(partitions, 0L));
  }

  Until now() {
    return latest;
  }

  synchronized void hear(int partition, long term) {
    if (term > highest[partition]) {
      highest[partition] = term;
      breakAt(partition);
    }
  }

  /** Events of the partition were missed. */
  synchronized void miss(int partition) {
    breakAt(partition);
  }

  private void breakAt(int partition) {
    Until before = latest;
    List<Long> breaks = new ArrayList<>(before.breaks);
    breaks.set(partition, breaks.get(partition) + 1);
    latest = new Until(before.count + 1, List.copyOf(breaks));
  }
}
