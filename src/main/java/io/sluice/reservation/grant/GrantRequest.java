package io.sluice.reservation.grant;

import io.sluice.model.PlacedBucket;
import io.sluice.model.Sku;
import io.sluice.stock.StockStore;
import io.vertx.core.Future;
import io.vertx.core.Promise;

/**
 * A request for an order in progress. It is answered once; if more becomes known later, the next
 * request with its key gets it.
 */
final class GrantRequest {
  private final Sku sku;
  private final PlacedBucket bucket;
  private final StockStore.Request stockRequest;
  private final GrantRoute route;
  private final Promise<PlacedOrder> answer = Promise.promise();
  private PlacedOrder atDeadline = Refusals.unavailable();

  GrantRequest(Sku sku, PlacedBucket bucket, StockStore.Request stockRequest, GrantRoute route) {
    this.sku = sku;
    this.bucket = bucket;
    this.stockRequest = stockRequest;
    this.route = route;
  }

  Sku sku() {
    return sku;
  }

  PlacedBucket bucket() {
    return bucket;
  }

  StockStore.Request stockRequest() {
    return stockRequest;
  }

  /** How its grant is made durable. */
  GrantRoute route() {
    return route;
  }

  Future<PlacedOrder> answer() {
    return answer.future();
  }

  void answer(PlacedOrder order) {
    answer.tryComplete(order);
  }

  /** Sets the answer for the case that nothing better is known at the deadline. */
  void otherwise(PlacedOrder order) {
    atDeadline = order;
  }

  /** The deadline has passed. */
  void giveUp() {
    answer(atDeadline);
  }
}
