package io.sluice.reservation;

import io.sluice.model.Order;
import io.sluice.model.OrderStatus;
import io.sluice.model.OrderToken;
import io.sluice.model.Reason;
import io.vertx.core.Future;
import java.time.Duration;
import java.util.function.Predicate;

/**
 * What is known of orders, and their commands; design sections 7 and 9. No Future of it fails.
 *
 * <p>{@code mayAct} decides whether the caller may see or change the order (its own buyer, the back
 * office); where not, the answer is Unknown.
 */
public final class Orders {

  /** The order as known now. */
  public Future<OrderAnswer> find(OrderToken token, Predicate<Order> mayAct) {
    throw new UnsupportedOperationException();
  }

  /**
   * The order as soon as its status is no longer what it is now, or after {@code wait} (30 s at
   * most).
   */
  public Future<OrderAnswer> findChanged(OrderToken token, Duration wait, Predicate<Order> mayAct) {
    throw new UnsupportedOperationException();
  }

  /** Pays for the order: the goal is {@link OrderStatus#CONFIRMED}. */
  public Future<CommandAnswer> confirm(OrderToken token, Predicate<Order> mayAct) {
    throw new UnsupportedOperationException();
  }

  /** Ends the hold. */
  public Future<CommandAnswer> cancel(OrderToken token, Reason reason, Predicate<Order> mayAct) {
    throw new UnsupportedOperationException();
  }

  /** Takes a confirmed order back. */
  public Future<CommandAnswer> refund(OrderToken token, Predicate<Order> mayAct) {
    throw new UnsupportedOperationException();
  }
}
