package io.sluice.reservation.order;

import io.sluice.model.Order;
import io.sluice.model.OrderToken;
import io.vertx.core.Future;
import java.util.Optional;

/** Looks up orders that, according to Redis, are in the ledger. */
public interface BookedOrders {

  /** The order; empty or failed if it cannot be read. */
  Future<Optional<Order>> findBooked(OrderToken token);

  /** The order as the ledger has it now, whatever its events say. */
  default Future<Optional<Order>> readBooked(OrderToken token) {
    return findBooked(token);
  }
}
