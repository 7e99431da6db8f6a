package io.sluice.ledger;

/**
 * Ownership of a partition as the ledger records it.
 *
 * @param term grows each time the partition changes owner
 * @param nextOffset the first offset of the order log that is not booked
 */
public record Fence(int partition, long term, long nextOffset) {

  /** Whether this is an earlier state than one that was known to be committed. */
  public boolean isBehind(Fence known) {
    return term < known.term || nextOffset < known.nextOffset;
  }
}
