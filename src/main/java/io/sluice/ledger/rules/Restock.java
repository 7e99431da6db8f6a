package io.sluice.ledger.rules;

/**
 * A restock as the ledger records it.
 *
 * @param qty units; negative for a take-back
 * @param rounds the number of rounds so far in which buckets were asked for units
 * @param unsold the units that a refused take-back could have taken
 */
public record Restock(long qty, Status status, int rounds, long unsold) {
  /** The state of a restock. The names are stored; do not rename them. */
  public enum Status {
    WORKING,
    DONE,
    REFUSED
  }
}
