package io.sluice.reservation.order;

import io.sluice.model.Order;
import io.sluice.model.OrderToken;
import io.vertx.core.Future;
import java.util.Optional;

/** What is known now of orders that Redis says are in the ledger. */
public interface BookedOrders {

  /** The order; empty or failed where it cannot be learnt. */
  Future<Optional<Order>> findBooked(OrderToken token);
}
