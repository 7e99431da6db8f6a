package io.sluice.explore.mutant;

import io.sluice.explore.store.Intercept;
import io.sluice.ledger.Ledger;
import io.sluice.ledger.Ledger.Batch;
import io.sluice.ledger.Step;
import io.sluice.model.Command;
import io.sluice.model.Order;
import io.sluice.model.OrderStatus;
import io.sluice.model.OrderToken;
import io.sluice.stock.StockStore;
import io.sluice.stock.StockStore.Release;
import io.vertx.core.Future;
import java.util.List;

/** Units go back on sale before the end of their order is known to be committed. */
final class ReleaseFirst implements Defect {
  @Override
  public Ledger ledgerAbove(Ledger wired, StockStore stock) {
    return Intercept.of(
        Ledger.class,
        wired,
        "apply",
        call -> {
          List<Batch> round = call.argument(0);
          List<OrderToken> ending =
              round.stream()
                  .flatMap(batch -> batch.commands().stream())
                  .filter(Command.Cancel.class::isInstance)
                  .map(command -> ((Command.Cancel) command).token())
                  .toList();
          return ending.isEmpty()
              ? wired.apply(round)
              : wired
                  .orders(ending)
                  .compose(
                      orders -> release(stock, round.get(0).step(), List.copyOf(orders.values())))
                  .transform(released -> wired.apply(round));
        });
  }

  private static Future<Void> release(StockStore stock, Step step, List<Order> orders) {
    Future<Void> all = Future.succeededFuture();
    for (Order order : orders) {
      if (order.status() == OrderStatus.PENDING) {
        Release release = new Release(order.token(), order.epoch(), order.seq(), 0);
        all =
            all.compose(
                before ->
                    stock
                        .release(order.token().bucketId(), step.term(), List.of(release))
                        .mapEmpty());
      }
    }
    return all;
  }
}
