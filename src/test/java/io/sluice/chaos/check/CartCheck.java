package io.sluice.chaos.check;

import io.sluice.chaos.buyer.OrderStory;
import io.sluice.chaos.buyer.OrderStory.Ask;
import io.sluice.chaos.check.BookedOrder.Txn;
import io.sluice.model.Cart.Line;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * Checks that every cart is one order (P8): each of its lines is booked as the list in all of them
 * says, for one buyer, paid or ended with the others in one transaction, and paid back alone only
 * where that was asked for.
 */
public final class CartCheck {
  private final Map<String, BookedOrder> orders;
  private final List<String> breaches = new ArrayList<>();

  private CartCheck(Map<String, BookedOrder> orders) {
    this.orders = orders;
  }

  /** The orders as callers know them, by token: a cart is one. */
  public static Map<String, BookedOrder> wholes(Map<String, BookedOrder> orders) {
    return BookedCart.wholes(orders);
  }

  /**
   * One line per breach.
   *
   * @param orders by token, each line of a cart for itself
   */
  public static List<String> breaches(Map<String, BookedOrder> orders, List<OrderStory> stories) {
    var check = new CartCheck(orders);
    orders.values().stream().filter(BookedOrder::isLine).forEach(check::line);
    for (OrderStory story : stories) {
      if (story.wanted().isCart() && !story.tokens().isEmpty()) {
        check.refunds(story);
      }
    }
    return check.breaches;
  }

  private void line(BookedOrder line) {
    for (String token : line.lines()) {
      BookedOrder other = orders.get(token);
      if (other == null) {
        breaches.add("%s is booked without its line %s".formatted(line, token));
      } else if (!isOneWith(line, other)) {
        breaches.add("lines of an order have parted: %s, %s".formatted(line, other));
      }
    }
    Line said = line.parsed().lineOf(line.skuId());
    if (said == null
        || said.bucket().bucket() != line.bucket()
        || said.qty() != line.qty()
        || said.epoch() != line.epoch()
        || said.seq() != line.seq()) {
      breaches.add("it is not what its cart says: " + line);
    }
  }

  private static boolean isOneWith(BookedOrder line, BookedOrder other) {
    return line.cart().equals(other.cart())
        && line.userId().equals(other.userId())
        && fate(line).equals(fate(other))
        && line.reason().equals(other.reason());
  }

  /** The status without refunds, and when it came about. */
  private static String fate(BookedOrder line) {
    List<String> steps =
        line.txns().stream()
            .filter(txn -> !isRefund(txn))
            .map(txn -> txn.action() + " " + txn.createdAtMs())
            .toList();
    return (line.status().equals("REFUNDED") ? "CONFIRMED" : line.status()) + steps;
  }

  private static boolean isRefund(Txn txn) {
    return txn.action().equals("REFUND");
  }

  private void refunds(OrderStory story) {
    boolean whole = story.asked(Ask.REFUND);
    boolean part = story.asked(Ask.COMPLETE_PART);
    boolean toldPart = story.answersTo(Ask.COMPLETE_PART).anyMatch(told -> told.startsWith("200"));
    long partSku = story.wanted().part().skuId();
    BookedOrder lead = orders.get(story.tokens().get(0));
    if (lead == null) {
      return;
    }
    for (BookedOrder line : BookedCart.of(lead, orders).lines()) {
      boolean isPart = line.skuId() == partSku;
      boolean isRefunded = line.txns().stream().anyMatch(CartCheck::isRefund);
      if (isRefunded && !whole && !(isPart && part)) {
        breaches.add("refunded without a request: " + line);
      }
      if (isPart && toldPart && !line.status().equals("REFUNDED")) {
        breaches.add("its refund was told to be completed: " + line);
      }
    }
  }
}
