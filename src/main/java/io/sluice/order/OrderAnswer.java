package io.sluice.order;

import io.sluice.model.Order;

/** The result of looking up an order. */
public sealed interface OrderAnswer {

  record Known(Order order) implements OrderAnswer {}

  /** Neither an open Redis nor the ledger has the order. */
  record Unknown() implements OrderAnswer {}

  /** It cannot be looked up now: 503. {@code busy}: the bucket is loading; else a store is down. */
  record NotNow(boolean busy) implements OrderAnswer {}
}
