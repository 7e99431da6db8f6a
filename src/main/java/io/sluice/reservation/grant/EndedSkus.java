package io.sluice.reservation.grant;

import io.sluice.async.TimerQueue;
import io.sluice.ledger.Ledger;
import io.sluice.model.BucketId;
import io.sluice.model.Cart;
import io.sluice.model.Order;
import io.sluice.model.OrderStatus;
import io.sluice.model.Refusal;
import io.sluice.model.Sku;
import io.sluice.reservation.grant.PlacedOrder.Accepted;
import io.sluice.reservation.grant.PlacedOrder.Refused;
import io.sluice.reservation.order.BookedOrders;
import io.sluice.reservation.sku.BucketEnds;
import io.sluice.stock.CartRequest;
import io.sluice.stock.StockStore;
import io.vertx.core.Future;
import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;

/**
 * Requests for SKUs whose sale has ended, or for a bucket that has ended while others of its SKU
 * still have orders. Nothing of them is in Redis, and nothing on its way. So the ledger alone
 * answers, as Redis did before.
 */
final class EndedSkus {
  private static final Set<OrderStatus> LIVE =
      EnumSet.of(OrderStatus.PENDING, OrderStatus.CONFIRMED);

  private final BookedOrders booked;
  private final BucketEnds ends;
  private final TimerQueue deadlines;
  private final Duration deadline;

  EndedSkus(Ledger buckets, BookedOrders booked, TimerQueue deadlines, Duration deadline) {
    this.booked = booked;
    this.ends = new BucketEnds(buckets);
    this.deadlines = deadlines;
    this.deadline = deadline;
  }

  /** The Future never fails. */
  Future<PlacedOrder> place(StockStore.Request request) {
    return deadlines
        .within(deadline, booked.readBooked(request.token()))
        .map(found -> answer(request, found))
        .otherwise(Refusals::whenUnread);
  }

  /**
   * The same of a request for several SKUs. The Future never fails.
   *
   * @param endedSkuId the first of them that has ended
   */
  Future<PlacedOrder> place(CartRequest request, long endedSkuId) {
    return deadlines
        .within(deadline, booked.readBooked(request.token()))
        .map(found -> answer(request, endedSkuId, found))
        .otherwise(Refusals::whenUnread);
  }

  /** Answers a request for a bucket that Redis does not have. */
  void answer(GrantRequest request) {
    BucketId bucket = request.bucket().id();
    List<Sku> asked = List.of(request.sku());
    answer(request, asked, bucket, Refusals.loading(), () -> place(request.stockRequest()));
  }

  /** The same of a request for several SKUs, one of whose buckets Redis does not have. */
  void answer(CartGrantRequest request, BucketId bucket) {
    Refused loading = Refusals.loading().ofLine(bucket.skuId());
    answer(
        request,
        request.skus(),
        bucket,
        loading,
        () -> place(request.stockRequest(), bucket.skuId()));
  }

  /**
   * Answers a request for several SKUs of whose order a line has ended, as Redis says. The order
   * may go on without that line, if it was refunded: the ledger knows.
   */
  void answerEnded(CartGrantRequest request) {
    request.otherwise(Refusals.unavailable());
    CartRequest wanted = request.stockRequest();
    deadlines
        .within(deadline, booked.readBooked(wanted.token()))
        .map(found -> found.isEmpty() ? orderEnded(wanted) : answer(wanted, found.get()))
        .otherwise(Refusals::whenUnread)
        .onSuccess(request::answer);
  }

  private static PlacedOrder orderEnded(CartRequest request) {
    return Refusals.of(Refusal.ORDER_ENDED, StockStore.Request.ofLine(request, 0));
  }

  private void answer(
      OpenRequest request,
      List<Sku> asked,
      BucketId bucket,
      Refused loading,
      Supplier<Future<PlacedOrder>> ofLedger) {
    if (asked.stream().noneMatch(sku -> isEnding(sku, bucket))) {
      request.answer(loading);
      return;
    }
    request.otherwise(loading);
    deadlines
        .within(deadline, ends.hasEnded(bucket))
        .otherwise(false)
        .compose(ended -> ended ? ofLedger.get() : Future.<PlacedOrder>succeededFuture(loading))
        .onSuccess(request::answer);
  }

  private static boolean isEnding(Sku sku, BucketId bucket) {
    return sku.skuId() == bucket.skuId() && BucketEnds.mayHaveEnded(sku);
  }

  private static PlacedOrder answer(CartRequest request, long endedSkuId, Optional<Order> found) {
    return found.isEmpty()
        ? Refusals.notOpen(endedSkuId).ofLine(endedSkuId)
        : answer(request, found.get());
  }

  private static PlacedOrder answer(CartRequest request, Order order) {
    if (!order.userId().equals(request.userId()) || !isOf(request, order)) {
      return Refusals.otherLines();
    }
    return LIVE.contains(order.status()) ? new Accepted(order, false) : orderEnded(request);
  }

  private static boolean isOf(CartRequest request, Order order) {
    Cart cart = order.cart();
    if (cart == null || cart.lines().size() != request.lines().size()) {
      return false;
    }
    for (int i = 0; i < cart.lines().size(); i++) {
      Cart.Line line = cart.lines().get(i);
      CartRequest.Line asked = request.lines().get(i);
      if (!line.bucket().equals(asked.bucket()) || line.qty() != asked.qty()) {
        return false;
      }
    }
    return true;
  }

  private static PlacedOrder answer(StockStore.Request request, Optional<Order> found) {
    if (found.isEmpty()) {
      return Refusals.of(Refusal.NOT_OPEN, request);
    }
    Order order = found.get();
    if (order.qty() != request.qty()
        || !order.userId().equals(request.userId())
        || order.cart() != null) {
      return Refusals.of(Refusal.KEY_MISMATCH, request);
    }
    return LIVE.contains(order.status())
        ? new Accepted(order, false)
        : Refusals.of(Refusal.ORDER_ENDED, request);
  }
}
