package io.sluice.ledger;

/**
 * The ownership of a partition as the ledger records it.
 *
 * @param term rises each time the partition changes owner
 * @param nextOffset the first offset of the order log that is not booked
 */
public record Fence(int partition, long term, long nextOffset) {

  /** Whether this state is older than one that is known to have been committed. */
  public boolean isBehind(Fence known) {
    return term < known.term || nextOffset < known.nextOffset;
  }

  /** Whether this state is of the same owner as one that is known, and not older. */
  public boolean keeps(Fence known) {
    return term == known.term && !isBehind(known);
  }
}
