package io.sluice.model;

import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Makes one order of the orders of its lines, as callers see it. */
public final class WholeOrder {
  private WholeOrder() {}

  /**
   * The order of which these are all the lines: confirmed while any of its lines is. Its version
   * rises with that of each line.
   *
   * @param lines the orders of all its lines, the lead's first; one alone if it has one SKU
   */
  public static Order of(List<Order> lines) {
    Order lead = lines.get(0);
    Cart cart = lead.cart();
    if (cart == null) {
      return lead;
    }
    if (lines.size() != cart.lines().size()) {
      throw new IllegalArgumentException("Expected all lines of an order, but got " + lines);
    }
    Order shown =
        lines.stream()
            .filter(line -> line.status() == OrderStatus.CONFIRMED)
            .findFirst()
            .orElse(lead);
    return new Order(
        lead.token(),
        lead.userId(),
        lead.qty(),
        lead.seq(),
        lead.epoch(),
        shown.status(),
        shown.reason(),
        lines.stream().mapToLong(Order::version).sum(),
        lead.payBeforeMs(),
        lead.latePaidAtMs(),
        lead.createdAtMs(),
        lines.stream().mapToLong(Order::updatedAtMs).max().orElse(lead.updatedAtMs()),
        lead.saleNo(),
        lead.reference(),
        notesOf(lines),
        lines.stream().anyMatch(Order::archived),
        cart.refunded(lines.stream().map(line -> line.notes().refundedQty()).toList()));
  }

  /** The notes of the lead, with those of the refunds of all lines. */
  private static OrderNotes notesOf(List<Order> lines) {
    Map<String, Refund> refunds = new HashMap<>();
    int refundedQty = 0;
    for (Order line : lines) {
      long skuId = line.token().skuId();
      line.notes().refunds().forEach((id, refund) -> refunds.put(id, refund.of(skuId)));
      refundedQty += line.notes().refundedQty();
    }
    OrderNotes told = lines.get(0).notes();
    return new OrderNotes(
        told.count(), told.extended(), told.paymentRef(), told.payments(), refunds, refundedQty);
  }

  /**
   * Whether nothing is under way that is told under the token of the order later: no payment, no
   * end of a refund. In the archive no refund ends any more.
   *
   * @param lines the orders of all its lines
   */
  public static boolean hasEnded(List<Order> lines) {
    boolean archived = lines.stream().anyMatch(Order::archived);
    return lines.stream()
        .noneMatch(
            line ->
                line.status() == OrderStatus.PENDING
                    || (!archived && line.notes().requestedQty() > 0));
  }

  /**
   * Whether the refund of so many units of a line fits together with those that are requested.
   *
   * @param order a whole, or of one SKU
   * @param skuId of the line; 0 if it has one SKU
   */
  public static boolean hasRoomToRefund(Order order, int units, long skuId) {
    Cart cart = order.cart();
    if (cart == null) {
      return order.hasRoomToRefund(units);
    }
    Cart.Line line = cart.lineOf(skuId);
    return line != null
        && order.status().isLive()
        && order.notes().requestedQty(skuId) + units <= line.qty() - line.refundedQty()
        && order.notes().refunds().size() < OrderNotes.REFUNDS_MAX;
  }
}
