package io.sluice.reservation.order;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/**
 * The highest term heard of each partition. A term rises with each change of owner, and so when an
 * owner notices that the ledger was restored to an earlier state: what was learned before may be of
 * a history that was lost. Thread-safe.
 */
final class HeardTerms {

  /**
   * The terms heard until some time.
   *
   * @param count how often one of them had risen
   */
  record Until(long count, List<Long> terms) {
    boolean isBefore(Until other) {
      return count < other.count;
    }

    /** Whether nothing of this partition was learned by then that may have been lost since. */
    boolean isSame(Until now, int partition) {
      return terms.get(partition).equals(now.terms.get(partition));
    }
  }

  private volatile Until latest;

  HeardTerms(int partitions) {
    this.latest = new Until(0, Collections.nCopies(partitions, 0L));
  }

  Until now() {
    return latest;
  }

  synchronized void hear(int partition, long term) {
    Until before = latest;
    if (term > before.terms.get(partition)) {
      List<Long> terms = new ArrayList<>(before.terms);
      terms.set(partition, term);
      latest = new Until(before.count + 1, List.copyOf(terms));
    }
  }
}
