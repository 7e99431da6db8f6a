package io.sluice.reservation.grant;

import io.sluice.model.Refusal;
import io.sluice.reservation.grant.PlacedOrder.Refused;
import io.sluice.stock.StockStore;

/** What buyers are told with a no, and when to come back. */
final class Refusals {
  private static final int SOON_S = 1;

  /** A rebuild takes seconds, an answer to everybody at the same second helps nobody. */
  private static final int LOADING_S = 2;

  private static final Refused NONE_LEFT = soldOutOf(1, 0);

  private Refusals() {}

  static Refused unavailable() {
    return new Refused(
        Refusal.UNAVAILABLE,
        "Expected a durable grant in time, but a part of the service is down or slow;"
            + " the same request with the same key finds out what became of it.",
        SOON_S);
  }

  static Refused overloaded() {
    return new Refused(
        Refusal.BUSY, "Expected room in the queue of orders, but it is full.", SOON_S);
  }

  /** The memory of Redis is. */
  static Refused full() {
    return new Refused(
        Refusal.BUSY, "Expected room for one more order in the stock, but it is full.", SOON_S);
  }

  /** The log is away or too far behind, and the ledger's budget for direct bookings is spent. */
  static Refused noRoute() {
    return new Refused(
        Refusal.BUSY,
        "Expected room for an order on its way to the ledger, but there is none for now.",
        SOON_S);
  }

  static Refused loading() {
    return new Refused(
        Refusal.BUSY, "Expected loaded stock, but it is being loaded; come back soon.", LOADING_S);
  }

  static Refused frozen() {
    return new Refused(
        Refusal.BUSY, "Expected the sale to run, but it is stopped for now; come back.", LOADING_S);
  }

  /** The buyer's own bucket is empty, and it is not known that all others are. */
  static Refused emptyBucket() {
    return new Refused(
        Refusal.BUSY,
        "Expected units in this buyer's part of the stock, but only other parts may have some.",
        SOON_S);
  }

  static Refused unknownSku(long skuId) {
    return new Refused(
        Refusal.UNKNOWN_SKU, "Expected a SKU on sale, but there is no SKU " + skuId + ".", 0);
  }

  /** With nothing left it is said a great many times. */
  static Refused soldOut(int qty, long available) {
    return available == 0 && qty == 1 ? NONE_LEFT : soldOutOf(qty, available);
  }

  private static Refused soldOutOf(int qty, long available) {
    return new Refused(
        Refusal.SOLD_OUT,
        "Expected "
            + units(qty)
            + ", but "
            + available
            + (available == 1 ? " is" : " are")
            + " left.",
        0);
  }

  /** The refusals that are about the request itself. */
  static Refused of(Refusal refusal, StockStore.Request request) {
    return switch (refusal) {
      case UNAVAILABLE -> unavailable();
      case BUSY -> frozen();
      case UNKNOWN_SKU -> unknownSku(request.token().skuId());
      case SOLD_OUT -> soldOut(request.qty(), 0);
      case KEY_MISMATCH ->
          new Refused(
              refusal,
              "Expected the quantity of the first request with this key, but it was "
                  + request.qty()
                  + ".",
              0);
      case ORDER_ENDED ->
          new Refused(
              refusal,
              "Expected a live order, but the order of this key has ended; another key orders anew.",
              0);
      case NOT_OPEN ->
          new Refused(
              refusal,
              "Expected SKU " + request.token().skuId() + " to be open, but it is not.",
              0);
      case LIMIT_REACHED ->
          new Refused(
              refusal,
              "Expected to stay within the limit per buyer, but "
                  + units(request.qty())
                  + " more would pass it.",
              0);
    };
  }

  private static String units(int qty) {
    return qty + (qty == 1 ? " unit" : " units");
  }
}
