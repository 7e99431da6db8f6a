package io.sluice.explore.run;

import io.sluice.explore.actor.Buyer;
import io.sluice.explore.actor.Front;
import io.sluice.grant.PlacedOrder;
import io.sluice.ledger.BucketRow;
import io.sluice.model.BucketId;
import io.sluice.model.Order;
import io.sluice.model.Refusal;
import io.sluice.stock.StockStore;
import java.util.List;
import java.util.Optional;

/**
 * Sells what is left once all is settled: every unit that the ledger shows as available, to
 * whichever buyer, and nothing of a SKU that has ended.
 */
final class LastUnits {
  private static final long LOOK_EVERY_US = 200_000;

  /** And one more for each unit: a small limit of the backlog lets in one after the other. */
  private static final int BUSY_MAX = 40;

  private final World world;
  private final Scenario scenario;
  private final Front front;
  private int open;
  private long expected;
  private long soldBefore;

  LastUnits(World world, Front front) {
    this.world = world;
    this.scenario = world.scenario();
    this.front = front;
  }

  /** Buyers who have no answer yet. */
  int open() {
    return open;
  }

  void sell() {
    soldBefore = unitsEverSold();
    for (long skuId : Sale.skus(scenario)) {
      long left = 0;
      for (BucketId id : Sale.buckets(scenario, skuId)) {
        BucketRow row = world.ledger().bucket(id).result().orElseThrow();
        left += row.state().isEnded() ? 0 : row.free();
      }
      expected += left;
      for (int i = 0; i < left + 1; i++) {
        open++;
        BucketId id = Sale.lastBucket(scenario, skuId, i, world.chance().of("last", skuId));
        Buyer.OrderRequest wanted = new Buyer.OrderRequest(userOf(id, i), null, 1, List.of(skuId));
        // A unit that has just returned is on sale once the sold-out lease of its bucket is over.
        world.scheduler().after(StockStore.SOLD_OUT_MAX_MS * 1_000L, () -> buyLast(wanted, 0));
      }
    }
  }

  void check() {
    long sold = unitsEverSold() - soldBefore;
    if (sold < expected) {
      world.breach(
          "P3 nothing stranded",
          "Expected to sell the last " + expected + " units, but sold " + sold);
    }
  }

  private long unitsEverSold() {
    return Settlement.orders(world).stream().mapToLong(Order::qty).sum();
  }

  private String userOf(BucketId id, int number) {
    for (int i = 0; ; i++) {
      String user = "last" + number + "-" + i;
      if (BucketId.of(id.skuId(), user, scenario.buckets()).equals(id)) {
        return user;
      }
    }
  }

  private void buyLast(Buyer.OrderRequest wanted, int asked) {
    front.<PlacedOrder>ask(
        wanted.user(),
        asked,
        api -> api.place(wanted),
        answer -> {
          if (isSaid(wanted, answer)) {
            open--;
          } else if (asked > BUSY_MAX + expected) {
            open--;
            checkEnded(wanted, answer);
          } else {
            // Busy, until units of another bucket have come, or the instance knows the next sale.
            world.scheduler().after(LOOK_EVERY_US, () -> buyLast(wanted, asked + 1));
          }
        });
  }

  private void checkEnded(Buyer.OrderRequest wanted, Optional<PlacedOrder> answer) {
    if (hasEnded(wanted)) {
      world.breach(
          "an ended SKU answers the final refusal",
          "Expected it for " + wanted + ", but the answer is " + answer);
    }
  }

  private boolean hasEnded(Buyer.OrderRequest wanted) {
    return world.ledger().sku(wanted.skuIds().get(0)).result().orElseThrow().state().isEnded();
  }

  private boolean isSaid(Buyer.OrderRequest wanted, Optional<PlacedOrder> answer) {
    Refusal last = hasEnded(wanted) ? Refusal.NOT_OPEN : Refusal.SOLD_OUT;
    return answer.isPresent()
        && (answer.get() instanceof PlacedOrder.Accepted
            || ((PlacedOrder.Refused) answer.get()).refusal() == last);
  }
}
