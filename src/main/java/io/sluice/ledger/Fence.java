package io.sluice.ledger;

/**
 * Ownership of a partition as the ledger records it.
 *
 * @param term grows by one each time the partition changes owner
 * @param nextOffset the first offset of the order log that is not booked
 */
public record Fence(int partition, long term, long nextOffset) {}
