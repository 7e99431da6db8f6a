package io.sluice.reservation.order;

import io.sluice.model.Order;

/** What is known of an order that was asked for. */
public sealed interface OrderAnswer {

  record Known(Order order) implements OrderAnswer {}

  /** An open Redis and the ledger both do not know it. */
  record Unknown() implements OrderAnswer {}

  /** It could not be learnt now: 503. {@code busy}: loading, else a part is down. */
  record NotNow(boolean busy) implements OrderAnswer {}
}
