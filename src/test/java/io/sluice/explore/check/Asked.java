package io.sluice.explore.check;

import io.sluice.explore.actor.Buyer;
import io.sluice.explore.run.World;
import io.sluice.model.Cart;
import io.sluice.model.Order;
import io.sluice.model.Sku;
import java.util.List;

/**
 * A request for an order, and what was true when it was made.
 *
 * @param skus in their order
 * @param toldYes whether the same request was told yes in the same sale
 */
public record Asked(Buyer.OrderRequest wanted, long atUs, List<Sku> skus, boolean toldYes) {

  /** A request in one of the sales of its SKUs: only so it has one answer. */
  record InSale(Buyer.OrderRequest wanted, List<Long> saleNos) {
    static InSale now(Buyer.OrderRequest wanted, World world) {
      return new InSale(wanted, skus(wanted, world).stream().map(Sku::saleNo).toList());
    }

    static InSale of(Buyer.OrderRequest wanted, Order order) {
      return new InSale(
          wanted,
          order.cart() == null
              ? List.of(order.saleNo())
              : order.cart().lines().stream().map(Cart.Line::saleNo).toList());
    }
  }

  static List<Sku> skus(Buyer.OrderRequest wanted, World world) {
    return wanted.skuIds().stream()
        .map(skuId -> world.ledger().sku(skuId).result().orElseThrow())
        .toList();
  }

  /** Whether its SKUs are still in the sales that they were in. */
  boolean isOfNow(World world) {
    return InSale.now(wanted, world)
        .equals(new InSale(wanted, skus.stream().map(Sku::saleNo).toList()));
  }

  /** Whether this SKU had ended before. */
  boolean hasEnded(long skuId) {
    return skus.stream().anyMatch(sku -> sku.skuId() == skuId && sku.state().isEnded());
  }
}
