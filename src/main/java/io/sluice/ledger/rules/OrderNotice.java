package io.sluice.ledger.rules;

import io.sluice.model.Order;
import org.jspecify.annotations.Nullable;

/**
 * The notice of an order that listeners get.
 *
 * @param order as it is now, with all its lines
 * @param subject the payment or the refund that this is about, or null
 * @param lineSkuId the line that this is about, if the order has several; else 0
 */
record OrderNotice(EventType type, Order order, @Nullable String subject, long lineSkuId) {
  /** A notice about the whole order. */
  OrderNotice(EventType type, Order order, @Nullable String subject) {
    this(type, order, subject, 0);
  }

  /** The same, about one of its lines. */
  OrderNotice ofLine(Order line) {
    return new OrderNotice(type, order, subject, line.cart() == null ? 0 : line.token().skuId());
  }
}
