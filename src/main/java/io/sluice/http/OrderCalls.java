package io.sluice.http;

import io.sluice.model.Order;
import io.sluice.model.OrderToken;
import io.sluice.model.Reason;
import io.sluice.reservation.grant.PlacedOrder;
import io.sluice.reservation.grant.Reservations;
import io.sluice.reservation.order.CommandAnswer;
import io.sluice.reservation.order.OrderAnswer;
import io.sluice.reservation.order.Orders;
import io.vertx.core.Future;
import java.time.Duration;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** What the routes of orders ask for, one function a call. */
public record OrderCalls(
    Place place, Find find, FindChanged findChanged, Cancel cancel, Act confirm, Act refund) {

  /** {@link Reservations#place}. */
  @FunctionalInterface
  public interface Place {
    Future<PlacedOrder> place(String userId, long skuId, int qty, @Nullable String requestKey);
  }

  /** {@link Orders#find}. */
  @FunctionalInterface
  public interface Find {
    Future<OrderAnswer> find(OrderToken token, Predicate<Order> mayAct);
  }

  /** {@link Orders#findChanged}. */
  @FunctionalInterface
  public interface FindChanged {
    Future<OrderAnswer> find(OrderToken token, Duration wait, Predicate<Order> mayAct);
  }

  /** {@link Orders#cancel}. */
  @FunctionalInterface
  public interface Cancel {
    Future<CommandAnswer> cancel(OrderToken token, Reason reason, Predicate<Order> mayAct);
  }

  /** {@link Orders#confirm} and {@link Orders#refund}. */
  @FunctionalInterface
  public interface Act {
    Future<CommandAnswer> act(OrderToken token, Predicate<Order> mayAct);
  }

  public static OrderCalls of(Reservations reservations, Orders orders) {
    return new OrderCalls(
        reservations::place,
        orders::find,
        orders::findChanged,
        orders::cancel,
        orders::confirm,
        orders::refund);
  }
}
