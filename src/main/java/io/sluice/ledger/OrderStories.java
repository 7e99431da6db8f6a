package io.sluice.ledger;

import io.sluice.model.Order;
import io.sluice.model.OrderToken;
import io.vertx.core.Future;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The ledger's reads of orders for people. Not for the hot path. */
public interface OrderStories extends OrderPages {

  /**
   * Something that happened to an order.
   *
   * @param what GRANTED, BOOKED or REJECTED, then the action of a move or the kind of a note
   * @param reason of a cancellation or rejection, or null
   * @param qty units that it is about; 0 for none
   * @param reference the caller's name, the payment or the refund, or null
   * @param atMs epoch milliseconds; of GRANTED by the clock of Redis, else by the database's
   */
  record Chapter(
      String what, @Nullable String reason, int qty, @Nullable String reference, long atMs) {}

  /** An order, and all that happened to it, in order. */
  record Story(Order order, List<Chapter> chapters) {}

  /** The story of an order; empty if the ledger has none. */
  Future<Optional<Story>> story(OrderToken token);
}
