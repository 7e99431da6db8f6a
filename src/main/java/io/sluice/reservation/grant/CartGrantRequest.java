package io.sluice.reservation.grant;

import io.sluice.model.OrderToken;
import io.sluice.model.Placement.PlacedBucket;
import io.sluice.model.Sku;
import io.sluice.stock.CartRequest;
import io.sluice.stock.CartRequest.Line;
import io.sluice.tracing.TraceContext;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A request for units of several SKUs in progress. */
final class CartGrantRequest extends OpenRequest {
  private final List<Sku> skus;
  private final CartRequest stockRequest;

  /**
   * @param skus of the lines, in their order
   * @param trace the first span of the order's trace; null if it is not traced
   */
  CartGrantRequest(
      List<Sku> skus, CartRequest stockRequest, GrantRoute route, @Nullable TraceContext trace) {
    super(route, trace);
    this.skus = skus;
    this.stockRequest = stockRequest;
  }

  CartRequest stockRequest() {
    return stockRequest;
  }

  List<Line> lines() {
    return stockRequest.lines();
  }

  /** Of the lines, in their order. */
  List<Sku> skus() {
    return skus;
  }

  Sku sku(int line) {
    return skus.get(line);
  }

  PlacedBucket bucket(int line) {
    return sku(line).placed(lines().get(line).bucket().bucket());
  }

  @Override
  OrderToken token() {
    return stockRequest.token();
  }
}
