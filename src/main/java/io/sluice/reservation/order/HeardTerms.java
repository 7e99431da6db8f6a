package io.sluice.reservation.order;

import java.util.concurrent.atomic.AtomicReference;

/**
 * The highest term heard of each partition. A term rises with each change of owner, and so after
 * each restore of the ledger to an earlier state: what was learned before may be of a history that
 * was lost. Thread-safe.
 */
final class HeardTerms {

  /**
   * The terms heard until some time.
   *
   * @param count how often one of them had risen
   */
  record Until(long count, long[] terms) {
    boolean isBefore(Until other) {
      return count < other.count;
    }

    /** Whether nothing of this partition was learned by then that may have been lost since. */
    boolean isSame(Until now, int partition) {
      return terms[partition] == now.terms[partition];
    }
  }

  private final AtomicReference<Until> latest;

  HeardTerms(int partitions) {
    this.latest = new AtomicReference<>(new Until(0, new long[partitions]));
  }

  Until now() {
    return latest.get();
  }

  void hear(int partition, long term) {
    latest.updateAndGet(
        before -> term > before.terms[partition] ? with(before, partition, term) : before);
  }

  private static Until with(Until before, int partition, long term) {
    long[] terms = before.terms.clone();
    terms[partition] = term;
    return new Until(before.count + 1, terms);
  }
}
