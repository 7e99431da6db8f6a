package io.sluice.ledger.mysql;

import io.sluice.db.Database;
import io.sluice.ledger.OrderStories;
import io.sluice.ledger.mysql.table.OrderTable;
import io.sluice.ledger.mysql.table.SaleTable;
import io.sluice.ledger.mysql.table.StoryTable;
import io.sluice.ledger.mysql.table.StoryTable.Placed;
import io.sluice.model.Order;
import io.sluice.model.OrderToken;
import io.vertx.core.Future;
import java.util.List;
import java.util.Optional;

/** The stories of orders in MySQL or MariaDB. */
public final class MySqlOrderStories implements OrderStories {
  private final LedgerDatabase database;

  /**
   * @param lookups connections that owners do not wait for
   */
  public MySqlOrderStories(Database lookups) {
    this.database = new LedgerDatabase(lookups);
  }

  @Override
  public Future<Optional<Story>> story(OrderToken token) {
    if (!token.isCanonical()) {
      return Future.succeededFuture(Optional.empty());
    }
    return database.read(
        session ->
            OrderTable.read(session, List.of(token))
                .compose(
                    found -> {
                      Order order = found.get(token);
                      return order == null
                          ? Future.succeededFuture(Optional.<Story>empty())
                          : StoryTable.chapters(session, token)
                              .map(chapters -> Optional.of(new Story(order, chapters)));
                    }));
  }

  @Override
  public Future<Page> page(long skuId, HoldPlace after, int limit) {
    return database.read(
        session ->
            StoryTable.holds(session, skuId, after, limit)
                .compose(
                    holds ->
                        StoryTable.orders(session, holds)
                            .map(orders -> page(holds, orders, after, limit))));
  }

  @Override
  public Future<Optional<SalePage>> pageOfSale(String saleId, SalePlace after, int limit) {
    return database
        .read(session -> SaleTable.read(session, saleId))
        .compose(
            found ->
                found.isEmpty()
                    ? Future.succeededFuture(Optional.empty())
                    : new SaleWalk(database, after, limit).page(saleId).map(Optional::of));
  }

  private static Page page(List<Placed> holds, List<Order> orders, HoldPlace after, int limit) {
    return new Page(
        orders,
        holds.isEmpty() ? after : holds.get(holds.size() - 1).place(),
        holds.size() < limit);
  }
}
