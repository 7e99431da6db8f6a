package io.sluice.chaos.check;

import io.sluice.chaos.check.BookedOrder.Txn;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * Checks an order's rows against the table of status changes. A step that the table does not have,
 * a final status that the rows do not lead to, a refund of more than is left, and a late payment of
 * an order that had not ended: each is a breach.
 */
final class OrderWalk {
  private static final String BEGIN = "no row";

  /** The allowed steps: from a status by a row's action to the next status. */
  private static final Map<String, Map<String, String>> STEPS =
      Map.of(
          "HOLD", Map.of(BEGIN, "PENDING"),
          "CONFIRM", Map.of("PENDING", "CONFIRMED"),
          "CANCEL", Map.of("PENDING", "CANCELED"),
          "REFUND", Map.of("CONFIRMED", "REFUNDED"));

  private final BookedOrder order;
  private final List<String> breaches = new ArrayList<>();

  private OrderWalk(BookedOrder order) {
    this.order = order;
  }

  /** One line per breach. */
  static List<String> breaches(BookedOrder order) {
    var walk = new OrderWalk(order);
    walk.end(walk.walk());
    return walk.breaches;
  }

  private String walk() {
    String status = BEGIN;
    long left = order.qty();
    for (Txn txn : order.txns()) {
      boolean refunds = txn.action().equals("REFUND");
      left -= refunds ? txn.qty() : 0;
      String next = STEPS.getOrDefault(txn.action(), Map.of()).get(status);
      if (next == null) {
        found("%s where it was %s".formatted(txn.action(), status));
      } else if (!refunds || left == 0) {
        status = next;
      }
      if ((refunds ? left < 0 : txn.qty() != order.qty())
          || txn.skuId() != order.skuId()
          || txn.bucket() != order.bucket()) {
        found("its row is of other units: " + txn);
      }
    }
    return status;
  }

  private void end(String status) {
    boolean rejected = order.status().equals("REJECTED");
    if (!order.status().equals(rejected && status.equals(BEGIN) ? "REJECTED" : status)) {
      found("it is %s, but its rows lead to %s".formatted(order.status(), status));
    }
    boolean late = order.latePaidAtMs() > 0;
    if (late && !rejected && !order.status().equals("CANCELED")) {
      found("it is %s and was paid too late".formatted(order.status()));
    }
    long changes = (rejected ? 1L : order.txns().size()) + (late ? 1 : 0) + order.notes();
    if (order.version() != changes) {
      found("its version is %d after %d changes".formatted(order.version(), changes));
    }
  }

  private void found(String breach) {
    breaches.add(order.token() + ": " + breach);
  }
}
