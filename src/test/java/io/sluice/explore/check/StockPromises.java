package io.sluice.explore.check;

import io.sluice.explore.actor.Operator;
import io.sluice.explore.run.Sale;
import io.sluice.explore.run.World;
import io.sluice.ledger.BucketRow;
import io.sluice.model.BucketId;
import io.sluice.model.Order;
import io.sluice.model.OrderToken;
import io.sluice.model.Sku;
import io.sluice.model.SkuState;
import io.sluice.stock.Recorded;
import io.sluice.stock.StockStore.Snapshot;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;

/** The promises about stock that must hold once everything has settled. */
final class StockPromises {
  private final World world;
  private final Operator operator;
  private final Map<OrderToken, Order> orders;

  StockPromises(World world, Operator operator, Map<OrderToken, Order> orders) {
    this.world = world;
    this.operator = operator;
    this.orders = orders;
  }

  void check() {
    Sale.skus(world.scenario()).forEach(this::checkSku);
    checkLimit();
    Sale.buckets(world.scenario()).forEach(this::checkBucket);
  }

  private void expect(boolean holds, String rule, Supplier<String> detail) {
    if (!holds) {
      world.breach(rule, detail.get());
    }
  }

  private void checkSku(long skuId) {
    Sku sku = world.ledger().sku(skuId).result().orElseThrow();
    expect(
        sku.state() == SkuState.OPEN || (sku.state().isEnded() && world.scenario().ends()),
        "no alarm freezes the SKU",
        () -> "Expected an open SKU, but it is " + sku);
    long units =
        world.scenario().units()
            + operator.restocked(skuId, sku.saleNo())
            - withdrawn(skuId).getOrDefault(sku.saleNo(), 0);
    expect(
        sku.stockNow() == units,
        "a restock counts once, and so does a unit that has left the stock",
        () -> "Expected " + units + " units, but got " + sku);
    Map<Long, Integer> taken = withdrawn(skuId);
    for (Order order : orders.values()) {
      if (order.token().skuId() == skuId) {
        taken.merge(order.saleNo(), unitsLeft(order), Integer::sum);
      }
    }
    taken.forEach(
        (saleNo, sold) ->
            expect(
                sold <= world.scenario().units() + operator.restocked(skuId, saleNo),
                "P1 never oversold",
                () -> "Expected fewer in sale " + saleNo + ", but sold " + sold + " of " + sku));
  }

  /**
   * Units of a SKU that have left the stock within their sale, by its number. An order of several
   * is read as a whole by the token of its lead.
   */
  private Map<Long, Integer> withdrawn(long skuId) {
    Map<Long, Integer> withdrawn = new HashMap<>();
    for (Order order : orders.values()) {
      if (order.token().skuId() == skuId) {
        int units = order.notes().withdrawnQty();
        if (order.cart() != null && !order.isFollower()) {
          for (OrderToken line : order.lineTokens()) {
            Order follower = line.equals(order.token()) ? null : orders.get(line);
            units -= follower == null ? 0 : follower.notes().withdrawnQty();
          }
        }
        withdrawn.merge(order.saleNo(), units, Integer::sum);
      }
    }
    return withdrawn;
  }

  private void checkLimit() {
    int limit = world.scenario().limitPerUser();
    Map<String, Integer> units = new HashMap<>();
    for (Order order : orders.values()) {
      if (world.restored().mayExceed(order)) {
        continue;
      }
      String buyer = order.userId() + " of " + order.token().skuId() + " in " + order.saleNo();
      units.merge(buyer, unitsLeft(order), Integer::sum);
    }
    units.forEach(
        (user, held) ->
            expect(
                limit == 0 || held <= limit,
                "the limit per buyer holds",
                () -> "Expected at most " + limit + ", but " + user + " has " + held));
  }

  /** Of its own SKU; an order of several is read as a whole by the token of its lead. */
  private static int unitsLeft(Order order) {
    if (order.cart() == null || order.isFollower()) {
      return order.unitsLeft();
    }
    return order.status().isLive() ? order.qty() - order.cart().lead().refundedQty() : 0;
  }

  private void checkBucket(BucketId id) {
    BucketRow row = world.ledger().bucket(id).result().orElseThrow();
    if (row.state().isEnded()) {
      expect(row.held() == 0, "nothing is held in an ended bucket", row::toString);
      return;
    }
    List<OrderToken> tokens =
        orders.keySet().stream().filter(token -> token.bucketId().equals(id)).toList();
    Snapshot seen = world.redis().stock().snapshot(id, tokens, 0).result();
    Supplier<String> both = () -> "Expected " + row + ", but Redis has " + seen;
    expect(
        seen.total() == row.total() && seen.state() == row.state(), "Redis is as the ledger", both);
    expect(
        seen.available() == row.free(),
        seen.available() < row.free() ? "P3 nothing stranded" : "Redis offers what the ledger has",
        both);
    Map<OrderToken, Recorded> recorded =
        world.redis().stock().lookup(id, tokens).result().recorded();
    for (OrderToken token : tokens) {
      Recorded known = recorded.get(token);
      Order order = orders.get(token);
      int left = unitsLeft(order);
      boolean isEarlier = order.saleNo() < row.saleNo();
      expect(
          isEarlier
              ? known == null
              : known != null && known.live() == left > 0 && known.left() == left,
          isEarlier ? "Redis knows orders of this sale only" : "Redis knows every order",
          () -> "Expected " + order + ", but Redis has " + known);
    }
  }
}
