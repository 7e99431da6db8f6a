package io.sluice.grant;

import io.sluice.async.TimerQueue;
import io.sluice.grant.PlacedOrder.Accepted;
import io.sluice.grant.PlacedOrder.Refused;
import io.sluice.model.BucketId;
import io.sluice.model.Order;
import io.sluice.model.OrderStatus;
import io.sluice.model.Refusal;
import io.sluice.order.OrderFinder;
import io.sluice.stock.GrantOutcome;
import io.sluice.stock.StockStore;
import io.vertx.core.Future;
import java.time.Duration;
import java.util.EnumSet;
import java.util.Set;

/**
 * Requests for SKUs whose sale has ended, or for a bucket that has ended while others of its SKU
 * still have orders. Nothing of them is in Redis, and nothing on its way. So the ledger alone
 * answers, as Redis did before.
 */
record EndedSkus(OrderFinder booked, TimerQueue deadlines, Duration deadline) {
  private static final Set<OrderStatus> LIVE =
      EnumSet.of(OrderStatus.PENDING, OrderStatus.CONFIRMED);

  /**
   * What the ledger has of a request. The Future never fails.
   *
   * @param endedLine the first line whose SKU has ended
   */
  Future<PlacedOrder> place(StockStore.Request asked, int endedLine) {
    return ofLedger(asked, Refusals.of(Refusal.NOT_OPEN, asked, endedLine, 0));
  }

  /** Answers a request, a bucket of which Redis does not have. */
  void answer(GrantRequest request, BucketId bucket) {
    int line = request.lineOf(bucket.skuId());
    Refused loading = Refusals.ofLine(Refusals.LOADING, request.asked(), line);
    if (!OrderFinder.mayHaveEnded(request.sku(line))) {
      request.answer(loading);
      return;
    }
    request.otherwise(loading);
    deadlines
        .within(deadline, booked.hasEnded(bucket))
        .otherwise(false)
        .compose(
            ended ->
                ended ? place(request.asked(), line) : Future.<PlacedOrder>succeededFuture(loading))
        .onSuccess(request::answer);
  }

  /**
   * Answers a request for several SKUs of whose order a line has ended, as Redis says. The order
   * may go on without that line, if it was refunded: the ledger knows.
   */
  void answerEnded(GrantRequest request) {
    request.otherwise(Refusals.UNAVAILABLE);
    ofLedger(request.asked(), refused(Refusal.ORDER_ENDED, request.asked()))
        .onSuccess(request::answer);
  }

  private Future<PlacedOrder> ofLedger(StockStore.Request asked, Refused ifNone) {
    return deadlines
        .within(deadline, booked.readBooked(asked.token()))
        .map(found -> found.map(order -> ofOrder(asked, order)).orElse(ifNone))
        .otherwise(Refusals::whenUnread);
  }

  private static PlacedOrder ofOrder(StockStore.Request asked, Order order) {
    if (!DirectPlacing.wish(asked).isFor(order.userId(), order.qty(), order.cart())) {
      return refused(Refusal.KEY_MISMATCH, asked);
    }
    return LIVE.contains(order.status())
        ? new Accepted(order, false)
        : refused(Refusal.ORDER_ENDED, asked);
  }

  private static Refused refused(Refusal refusal, StockStore.Request asked) {
    return Refusals.of(refusal, asked, GrantOutcome.Refused.NO_LINE, 0);
  }
}
