package io.sluice.order;

import io.sluice.model.Command;
import io.sluice.model.Order;
import io.sluice.model.OrderToken;
import io.sluice.model.Reason;
import io.vertx.core.Future;
import java.time.Duration;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The calls on existing orders; no Future of them fails.
 *
 * <p>{@code mayAct} decides whether the caller may see or change the order (its own buyer, the back
 * office); otherwise the answer is Unknown.
 */
public interface OrderCalls {
  /** The order as known now. */
  Future<OrderAnswer> find(OrderToken token, Predicate<Order> mayAct);

  /**
   * The order when its status has changed from the current one, or after {@code wait} (30 s at
   * most).
   *
   * @param left completes when nobody waits any longer; the wait ends then
   */
  Future<OrderAnswer> findChanged(
      OrderToken token, Duration wait, Predicate<Order> mayAct, Future<Void> left);

  /** Cancels the order and ends its hold. */
  Future<CommandAnswer> cancel(OrderToken token, Reason reason, Predicate<Order> mayAct);

  /**
   * Confirms the order after its payment.
   *
   * @param paymentRef the shop's name for the payment, or null
   */
  Future<CommandAnswer> confirm(
      OrderToken token, @Nullable String paymentRef, Predicate<Order> mayAct);

  /** Gives the buyer more time to pay. */
  Future<CommandAnswer> extend(OrderToken token, int seconds, Predicate<Order> mayAct);

  /** Refunds a confirmed order, or what is left of it. */
  Future<CommandAnswer> refund(OrderToken token, Predicate<Order> mayAct);

  /** A step of the refund of some units. */
  Future<CommandAnswer> refund(Command.RefundPart part, Predicate<Order> mayAct);
}
