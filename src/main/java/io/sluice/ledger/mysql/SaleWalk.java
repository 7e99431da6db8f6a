package io.sluice.ledger.mysql;

import io.sluice.async.AsyncLoop;
import io.sluice.ledger.OrderPages;
import io.sluice.ledger.OrderPages.HoldPlace;
import io.sluice.ledger.OrderPages.SalePage;
import io.sluice.ledger.OrderPages.SalePlace;
import io.sluice.ledger.SaleLedger.Member;
import io.sluice.ledger.mysql.table.EarlierSaleTable;
import io.sluice.ledger.mysql.table.StoryTable;
import io.sluice.ledger.mysql.table.StoryTable.Placed;
import io.sluice.model.Order;
import io.vertx.core.Future;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * Reads a page of a sale's orders, from SKU to SKU. It looks at the orders of all sales of a SKU
 * and leaves out those of others. So the rows it looks at are as bounded as those it returns. Each
 * SKU is a call of its own, so others get the connection in between, and the time limit is that of
 * a SKU.
 */
final class SaleWalk {
  private final LedgerDatabase database;
  private final SalePlace after;
  private final int limit;
  private final List<Placed> holds = new ArrayList<>();
  private SalePlace last;
  private boolean full;

  SaleWalk(LedgerDatabase database, SalePlace after, int limit) {
    this.database = database;
    this.after = after;
    this.limit = limit;
    this.last = after;
  }

  Future<SalePage> page(String saleId) {
    int skusMax = OrderPages.SALE_PAGE_SKUS_MAX;
    return database
        .read(session -> EarlierSaleTable.members(session, saleId, after.skuId() - 1, skusMax))
        .compose(
            members ->
                lookAt(members)
                    .compose(looked -> orders())
                    .map(
                        orders ->
                            new SalePage(
                                ofSale(orders, members), last, !full && members.size() < skusMax)));
  }

  private Future<Void> lookAt(List<Member> members) {
    var left = members.iterator();
    return AsyncLoop.whileTrue(
        () ->
            full || !left.hasNext()
                ? Future.succeededFuture(false)
                : lookAt(left.next().sku().skuId()).map(true));
  }

  private Future<Void> lookAt(long skuId) {
    SalePlace from = skuId == after.skuId() ? after : SalePlace.begin(skuId);
    int room = limit - holds.size();
    return database
        .read(session -> StoryTable.holds(session, skuId, from.hold(), room))
        .map(
            found -> {
              holds.addAll(found);
              HoldPlace place = found.isEmpty() ? from.hold() : found.get(found.size() - 1).place();
              last = new SalePlace(skuId, place);
              full = found.size() == room;
              return null;
            });
  }

  private Future<List<Order>> orders() {
    return database.read(session -> StoryTable.orders(session, holds));
  }

  private static List<Order> ofSale(List<Order> orders, List<Member> members) {
    Map<Long, Long> saleNos = new HashMap<>();
    members.forEach(member -> saleNos.put(member.sku().skuId(), member.sku().saleNo()));
    return orders.stream()
        .filter(order -> Objects.equals(saleNos.get(order.token().skuId()), order.saleNo()))
        .toList();
  }
}
