package io.sluice.ledger.rules;

/**
 * The types of events on {@code stock-events}. The names are stored and published; do not rename
 * them.
 */
public enum EventType {
  ORDER_BOOKED,
  /** There is more time to pay. */
  ORDER_EXTENDED,
  ORDER_CONFIRMED,
  ORDER_CANCELED,
  ORDER_REFUNDED,
  ORDER_REJECTED,
  /** A payment came for an order that had ended; the money must be paid back. */
  PAYMENT_LATE,
  /** An order that was confirmed without naming its payment has got the name of the payment. */
  PAYMENT_REFERENCED,
  /** A further payment came for an order; the money must be paid back. */
  PAYMENT_DOUBLE,
  REFUND_REQUESTED,
  REFUND_REJECTED,
  /** A part of an order was refunded; the rest of it stays confirmed. */
  REFUND_COMPLETED,
  /** Units of a refunded order have left the stock: of an earlier sale, or not to be sold again. */
  STOCK_RETURNED,
  /**
   * A grant of an older epoch was not booked. Its order has no row, and the grant was never
   * acknowledged to its buyer.
   */
  STALE_GRANT_DROPPED,
  /** An impossible state was found; an operator has to decide. */
  SKU_FROZEN,
  /** The stock of a SKU has fallen to a watermark, or has risen above it. */
  WATERMARK_CROSSED,
  /** A buyer was banned, or is not any more. */
  BLACKLIST_CHANGED
}
