package io.sluice.reservation.order;

import io.sluice.model.Command;
import io.sluice.model.Order;
import io.sluice.model.OrderToken;
import io.sluice.model.Reason;
import io.vertx.core.Future;
import java.time.Duration;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** The calls on existing orders: {@link Orders}, or what a test puts behind the public port. */
public interface OrderCalls {
  /** {@link Orders#find}. */
  Future<OrderAnswer> find(OrderToken token, Predicate<Order> mayAct);

  /** {@link Orders#findChanged}. */
  Future<OrderAnswer> findChanged(
      OrderToken token, Duration wait, Predicate<Order> mayAct, Future<Void> left);

  /** {@link Orders#cancel}. */
  Future<CommandAnswer> cancel(OrderToken token, Reason reason, Predicate<Order> mayAct);

  /** {@link Orders#confirm}. */
  Future<CommandAnswer> confirm(
      OrderToken token, @Nullable String paymentRef, Predicate<Order> mayAct);

  /** {@link Orders#extend}. */
  Future<CommandAnswer> extend(OrderToken token, int seconds, Predicate<Order> mayAct);

  /** {@link Orders#refund}. */
  Future<CommandAnswer> refund(OrderToken token, Predicate<Order> mayAct);

  /** {@link Orders#refund}. */
  Future<CommandAnswer> refund(Command.RefundPart part, Predicate<Order> mayAct);
}
