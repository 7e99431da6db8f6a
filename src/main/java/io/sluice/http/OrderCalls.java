package io.sluice.http;

import io.sluice.model.Command;
import io.sluice.model.Order;
import io.sluice.model.OrderToken;
import io.sluice.model.Reason;
import io.sluice.reservation.grant.CartWish;
import io.sluice.reservation.grant.OrderWish;
import io.sluice.reservation.grant.PlacedOrder;
import io.sluice.reservation.grant.Reservations;
import io.sluice.reservation.grant.SkuEntry;
import io.sluice.reservation.order.CommandAnswer;
import io.sluice.reservation.order.OrderAnswer;
import io.sluice.reservation.order.Orders;
import io.vertx.core.Future;
import java.time.Duration;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** The operations behind the routes of orders: {@link Reservations} and {@link Orders}. */
public interface OrderCalls {
  /** {@link Reservations#place}. */
  Future<PlacedOrder> place(OrderWish wish, SkuEntry entry);

  /** {@link Reservations#place}. */
  Future<PlacedOrder> place(CartWish wish, SkuEntry entry);

  /** {@link Reservations#isFull}. */
  boolean isFull();

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

  /** The operations of one event loop. */
  record OfLoop(Reservations reservations, Orders orders) implements OrderCalls {
    @Override
    public Future<PlacedOrder> place(OrderWish wish, SkuEntry entry) {
      return reservations.place(wish, entry);
    }

    @Override
    public Future<PlacedOrder> place(CartWish wish, SkuEntry entry) {
      return reservations.place(wish, entry);
    }

    @Override
    public boolean isFull() {
      return reservations.isFull();
    }

    @Override
    public Future<OrderAnswer> find(OrderToken token, Predicate<Order> mayAct) {
      return orders.find(token, mayAct);
    }

    @Override
    public Future<OrderAnswer> findChanged(
        OrderToken token, Duration wait, Predicate<Order> mayAct, Future<Void> left) {
      return orders.findChanged(token, wait, mayAct, left);
    }

    @Override
    public Future<CommandAnswer> cancel(OrderToken token, Reason reason, Predicate<Order> mayAct) {
      return orders.cancel(token, reason, mayAct);
    }

    @Override
    public Future<CommandAnswer> confirm(
        OrderToken token, @Nullable String paymentRef, Predicate<Order> mayAct) {
      return orders.confirm(token, paymentRef, mayAct);
    }

    @Override
    public Future<CommandAnswer> extend(OrderToken token, int seconds, Predicate<Order> mayAct) {
      return orders.extend(token, seconds, mayAct);
    }

    @Override
    public Future<CommandAnswer> refund(Command.RefundPart part, Predicate<Order> mayAct) {
      return orders.refund(part, mayAct);
    }

    @Override
    public Future<CommandAnswer> refund(OrderToken token, Predicate<Order> mayAct) {
      return orders.refund(token, mayAct);
    }
  }
}
