package io.sluice.ledger.rules;

/**
 * A restock as it is recorded.
 *
 * @param qty units; below 0 for a take-back
 * @param rounds how often parts of it were asked for so far
 * @param unsold what a refused take-back could have had
 */
public record Restock(long qty, Status status, int rounds, long unsold) {
  /** Where a restock stands; the words are stored as written here. */
  public enum Status {
    WORKING,
    DONE,
    REFUSED
  }
}
