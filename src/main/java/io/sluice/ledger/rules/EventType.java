package io.sluice.ledger.rules;

/** What listeners hear of; the words are stored and published as written here. */
public enum EventType {
  ORDER_BOOKED,
  ORDER_CONFIRMED,
  ORDER_CANCELED,
  ORDER_REFUNDED,
  ORDER_REJECTED,
  /** A payment came for an order that had ended: the money must go back. */
  PAYMENT_LATE,
  /**
   * A grant of an older epoch was not booked; its order has no row, and its buyer was told no yes.
   */
  STALE_GRANT_DROPPED,
  /** Something that cannot happen was seen; an operator decides. */
  SKU_FROZEN
}
