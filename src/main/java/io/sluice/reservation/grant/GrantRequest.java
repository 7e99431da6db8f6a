package io.sluice.reservation.grant;

import io.sluice.model.OrderToken;
import io.sluice.model.Placement.PlacedBucket;
import io.sluice.model.Sku;
import io.sluice.stock.StockStore;
import io.sluice.tracing.TraceContext;
import org.jspecify.annotations.Nullable;

/** A request for units of one SKU in progress. */
final class GrantRequest extends OpenRequest {
  private final Sku sku;
  private final PlacedBucket bucket;
  private final StockStore.Request stockRequest;

  /**
   * @param trace the first span of the order's trace; null if it is not traced
   */
  GrantRequest(
      Sku sku,
      PlacedBucket bucket,
      StockStore.Request stockRequest,
      GrantRoute route,
      @Nullable TraceContext trace) {
    super(route, trace);
    this.sku = sku;
    this.bucket = bucket;
    this.stockRequest = stockRequest;
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

  @Override
  OrderToken token() {
    return stockRequest.token();
  }
}
