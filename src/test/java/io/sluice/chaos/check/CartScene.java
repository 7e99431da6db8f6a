package io.sluice.chaos.check;

import io.sluice.chaos.buyer.OrderStory;
import io.sluice.chaos.buyer.OrderStory.Ask;
import io.sluice.chaos.buyer.OrderStory.BookedMark;
import io.sluice.chaos.buyer.OrderStory.OrderRequest;
import io.sluice.chaos.buyer.OrderStory.Units;
import io.sluice.chaos.check.BookedOrder.Txn;
import io.sluice.model.BucketId;
import io.sluice.model.Cart;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** One order of two SKUs, written line by line. */
final class CartScene {
  static final String LEAD = "7.0.AAAAAAAAAAAAAAAAAAAAAA";
  static final String FOLLOWER = "8.1.AAAAAAAAAAAAAAAAAAAAAA";
  private static final Cart CART =
      new Cart(
          List.of(
              new Cart.Line(new BucketId(7, 0), 1, 1, 5, 1),
              new Cart.Line(new BucketId(8, 1), 2, 3, 9, 1)));

  private final Map<String, BookedOrder> orders = new TreeMap<>();
  private final OrderStory story =
      new OrderStory(new OrderRequest("alice", "k", List.of(new Units(8, 2), new Units(7, 1))));

  /** Adds both lines, each with a row for each of these actions. */
  CartScene booked(String status, String... actions) {
    lead(status, actions);
    follower(status, actions);
    return this;
  }

  CartScene lead(String status, String... actions) {
    orders.put(LEAD, line(LEAD, 0, CART.text(), status, actions));
    return this;
  }

  CartScene follower(String status, String... actions) {
    orders.put(FOLLOWER, line(FOLLOWER, 1, CART.text(), status, actions));
    return this;
  }

  /** Its second line says that there is a third. */
  CartScene followerOfMore() {
    String more = CART.text() + ",9.0.1.1.1.1";
    orders.put(FOLLOWER, line(FOLLOWER, 1, more, "PENDING", "HOLD"));
    return this;
  }

  CartScene without(String token) {
    orders.remove(token);
    return this;
  }

  CartScene told(Ask ask, String answer) {
    boolean yes = answer.startsWith("20");
    story.asking(ask, 0);
    story.heard(
        new BookedMark(
            0, 1, ask, 0, answer, yes ? LEAD : "", yes ? orders.get(LEAD).granted() : List.of()));
    return this;
  }

  List<String> breaches() {
    return CartCheck.breaches(orders, List.of(story));
  }

  BookedOrder whole() {
    return CartCheck.wholes(orders).get(LEAD);
  }

  OrderStory story() {
    return story;
  }

  private static BookedOrder line(
      String token, int index, String cart, String status, String... actions) {
    Cart.Line line = CART.lines().get(index);
    BucketId id = line.bucket();
    List<Txn> txns = new ArrayList<>();
    for (String action : actions) {
      long atMs = 1_000L * (txns.size() + 1);
      txns.add(new Txn(txns.size(), token, id.skuId(), id.bucket(), line.qty(), action, atMs));
    }
    return new BookedOrder(
        token,
        id.skuId(),
        id.bucket(),
        "alice",
        line.qty(),
        line.epoch(),
        line.seq(),
        status,
        status.equals("CANCELED") ? "BUYER" : "",
        Math.max(1, txns.size()),
        0,
        0,
        0,
        txns,
        cart,
        0);
  }
}
