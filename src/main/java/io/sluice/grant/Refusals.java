package io.sluice.grant;

import io.sluice.async.BatchReader.QueueFullException;
import io.sluice.grant.PlacedOrder.Refused;
import io.sluice.model.OrderToken;
import io.sluice.model.Refusal;
import io.sluice.model.Sku;
import io.sluice.stock.StockStore;
import org.jspecify.annotations.Nullable;

/** The refusals, with their text for the buyer and the time after which to retry. */
final class Refusals {
  private static final int SOON_S = 1;

  /** A rebuild takes seconds; a shorter time would only add load. */
  private static final int LOADING_S = 2;

  private static final Refused NONE_LEFT = soldOutOf(1, 0);

  static final Refused UNAVAILABLE = unavailable(null);

  static final Refused OVERLOADED =
      busy("Expected room in the queue of orders, but it is full.", SOON_S);

  /** The memory of Redis is full. */
  static final Refused FULL =
      busy("Expected room for one more order in the stock, but it is full.", SOON_S);

  /** The log is unavailable or too far behind, and the budget of bookings past the log is spent. */
  static final Refused NO_ROUTE =
      busy(
          "Expected capacity to record one more order, but there is none now; retry soon.", SOON_S);

  static final Refused LOADING =
      busy("Expected the stock to be loaded, but it is being loaded; retry soon.", LOADING_S);

  static final Refused FROZEN =
      busy("Expected the sale to run, but it is stopped for now; retry later.", LOADING_S);

  /** The buyer's bucket is empty, and the others are not known to be empty. */
  static final Refused EMPTY_BUCKET =
      busy(
          "Expected units in this buyer's part of the stock, but only other parts may have some.",
          SOON_S);

  /** Enough buyers ask for the last units already. */
  static final Refused LAST_UNITS =
      busy(
          "Expected few buyers for the last units, but enough are asking already; retry soon.",
          SOON_S);

  /** The outcome of its lines is being determined. */
  static final Refused TORN =
      busy("Expected all lines of this order, but some are being restored; retry soon.", LOADING_S);

  private Refusals() {}

  private static Refused busy(String detail, int retryAfterS) {
    return new Refused(Refusal.BUSY, detail, retryAfterS);
  }

  private static Refused certain(Refusal refusal, String detail) {
    return new Refused(refusal, detail, 0);
  }

  /**
   * @param token of the order that there may be
   */
  static Refused unavailable(@Nullable OrderToken token) {
    return new Refused(
            Refusal.UNAVAILABLE,
            "Expected a durable grant in time, but a part of the service is down or slow;"
                + " repeat the request with the same key to learn the outcome.",
            SOON_S)
        .of(token);
  }

  /** The SKU or the order could not be read for this reason. */
  static Refused whenUnread(Throwable cause) {
    return QueueFullException.isWhy(cause) ? OVERLOADED : UNAVAILABLE;
  }

  static Refused unknownSku(long skuId) {
    return certain(
        Refusal.UNKNOWN_SKU, "Expected a SKU on sale, but there is no SKU " + skuId + ".");
  }

  static Refused notOpen(long skuId) {
    return certain(Refusal.NOT_OPEN, "Expected SKU " + skuId + " to be open, but it is not.");
  }

  /** The most frequent refusal is created once. */
  static Refused soldOut(int qty, long available) {
    return available == 0 && qty == 1 ? NONE_LEFT : soldOutOf(qty, available);
  }

  private static Refused soldOutOf(int qty, long available) {
    return certain(
        Refusal.SOLD_OUT,
        "Expected "
            + units(qty)
            + ", but "
            + available
            + (available == 1 ? " is" : " are")
            + " left.");
  }

  /**
   * Refusals that Redis or the ledger gives for a request.
   *
   * @param line that it is refused for; negative: none alone
   * @param available the units that are left, if it is sold out
   */
  static Refused of(Refusal refusal, StockStore.Request request, int line, long available) {
    StockStore.Request asked = request.line(Math.max(0, line));
    return switch (refusal) {
      case UNAVAILABLE -> UNAVAILABLE;
      case BUSY -> ofLine(FROZEN, request, line);
      case UNKNOWN_SKU -> unknownSku(asked.token().skuId());
      case TICKET_REQUIRED, TOO_EARLY, NOT_TOGETHER ->
          throw new IllegalArgumentException("Expected a refusal by a store, but got " + refusal);
      case SOLD_OUT -> ofLine(soldOut(asked.qty(), available), request, line);
      case KEY_MISMATCH -> request.cart() == null ? otherQuantity(asked.qty()) : otherLines();
      case ORDER_ENDED -> orderEnded();
      case NOT_OPEN -> ofLine(notOpen(asked.token().skuId()), request, line);
      case LIMIT_REACHED -> ofLine(limitReached(asked.qty()), request, line);
    };
  }

  /** The same, with the line that it is for if there are others. */
  static Refused ofLine(Refused refused, StockStore.Request request, int line) {
    return request.cart() == null || line < 0
        ? refused
        : refused.ofLine(request.cart().get(line).bucket().skuId());
  }

  private static Refused otherQuantity(int qty) {
    return certain(
        Refusal.KEY_MISMATCH,
        "Expected the quantity of the first request with this key, but it was " + qty + ".");
  }

  private static Refused orderEnded() {
    return certain(
        Refusal.ORDER_ENDED,
        "Expected a live order, but the order of this key has ended; use another key.");
  }

  private static Refused limitReached(int qty) {
    return certain(
        Refusal.LIMIT_REACHED,
        "Expected to stay within the limit per buyer, but " + units(qty) + " more would pass it.");
  }

  // ---- orders of several SKUs

  /** Not all of the SKUs are in one sale that takes carts. */
  static Refused notTogether(long skuId) {
    return certain(
            Refusal.NOT_TOGETHER,
            "Expected SKUs of one sale with carts, but SKU " + skuId + " is not in it.")
        .ofLine(skuId);
  }

  /** Nothing sells in Redis and in the ledger at once. */
  static Refused otherMode(Sku sku) {
    String modes = sku.isDirect() ? "fast, but SKU %d is direct." : "direct, but SKU %d is fast.";
    return certain(Refusal.NOT_TOGETHER, "Expected SKUs of mode " + modes.formatted(sku.skuId()))
        .ofLine(sku.skuId());
  }

  /** Other lines than those of the first request with this key. */
  static Refused otherLines() {
    return certain(
        Refusal.KEY_MISMATCH,
        "Expected the SKUs and quantities of the first request with this key, but got others.");
  }

  private static String units(int qty) {
    return qty + (qty == 1 ? " unit" : " units");
  }
}
