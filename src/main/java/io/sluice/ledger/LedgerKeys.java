package io.sluice.ledger;

/**
 * The keys that distinguish a ledger from others: drawn when it is founded, and kept in its
 * foundation.
 *
 * @param id names it to others, who must not use the same topics
 * @param eventKey with which its instances sign events
 */
public record LedgerKeys(String id, byte[] eventKey) {}
