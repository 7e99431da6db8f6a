package io.sluice.ledger.rules;

/**
 * The types of events on {@code stock-events}. The names are stored and published; do not rename
 * them.
 */
public enum EventType {
  ORDER_BOOKED,
  ORDER_CONFIRMED,
  ORDER_CANCELED,
  ORDER_REFUNDED,
  ORDER_REJECTED,
  /** A payment came for an order that had ended; the money must be paid back. */
  PAYMENT_LATE,
  /**
   * A grant of an older epoch was not booked. Its order has no row, and the grant was never
   * acknowledged to its buyer.
   */
  STALE_GRANT_DROPPED,
  /** An impossible state was found; an operator has to decide. */
  SKU_FROZEN,
  /** A buyer was banned, or is not any more. */
  BLACKLIST_CHANGED
}
