package io.sluice.reservation.grant;

import io.sluice.ledger.DirectLedger.Line;
import io.sluice.ledger.DirectLedger.Outcome;
import io.sluice.ledger.DirectLedger.Wish;
import io.sluice.model.Refusal;
import io.sluice.model.Sku;
import io.sluice.stock.CartRequest;
import io.sluice.stock.StockStore;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;

/**
 * A request for units of SKUs that sell in the ledger alone, of one or of several.
 *
 * @param sales by the id of each SKU the number of its sale
 * @param refusals makes the answer of a refusal
 */
record DirectRequest(
    OpenRequest open,
    Map<Long, Long> sales,
    Wish wish,
    Function<Outcome.Refused, PlacedOrder> refusals) {

  static DirectRequest of(GrantRequest request) {
    Sku sku = request.sku();
    StockStore.Request wanted = request.stockRequest();
    return new DirectRequest(
        request,
        Map.of(sku.skuId(), sku.saleNo()),
        new Wish(wanted.token(), wanted.userId(), wanted.qty(), wanted.reference()),
        refused ->
            refused.refusal() == Refusal.SOLD_OUT
                ? Refusals.soldOut(wanted.qty(), refused.available())
                : Refusals.of(refused.refusal(), wanted));
  }

  static DirectRequest of(CartGrantRequest request) {
    CartRequest wanted = request.stockRequest();
    Map<Long, Long> sales = new TreeMap<>();
    request.skus().forEach(sku -> sales.put(sku.skuId(), sku.saleNo()));
    List<Line> lines =
        wanted.lines().stream().map(line -> new Line(line.bucket(), line.qty())).toList();
    return new DirectRequest(
        request,
        sales,
        new Wish(wanted.token(), wanted.userId(), wanted.reference(), lines),
        refused -> refusal(wanted, refused));
  }

  private static PlacedOrder refusal(CartRequest wanted, Outcome.Refused refused) {
    return switch (refused.refusal()) {
      case KEY_MISMATCH -> Refusals.otherLines();
      case ORDER_ENDED ->
          Refusals.of(Refusal.ORDER_ENDED, StockStore.Request.ofLine(wanted, refused.line()));
      default ->
          CartBatcher.refusal(wanted, refused.refusal(), refused.line(), refused.available());
    };
  }

  boolean isOpen() {
    return !open.answer().isComplete();
  }

  void answer(PlacedOrder answer) {
    open.answer(answer);
  }

  void refuse(Outcome.Refused refused) {
    open.answer(refusals.apply(refused));
  }

  /** A refusal because of a line, which is named if there are others. */
  void refuse(PlacedOrder.Refused refused, int line) {
    boolean isAlone = wish.lines().size() == 1;
    open.answer(isAlone ? refused : refused.ofLine(wish.lines().get(line).bucket().skuId()));
  }

  int lineOf(long skuId) {
    List<Long> skuIds = wish.lines().stream().map(line -> line.bucket().skuId()).toList();
    return skuIds.indexOf(skuId);
  }

  int weight() {
    return wish.lines().size();
  }
}
