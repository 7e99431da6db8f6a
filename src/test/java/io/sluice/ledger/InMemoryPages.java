package io.sluice.ledger;

import io.sluice.ledger.SaleLedger.Member;
import io.sluice.model.Order;
import io.sluice.model.OrderStatus;
import io.vertx.core.Future;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/** The booked orders of an {@link InMemoryLedger}. */
final class InMemoryPages implements OrderPages {
  private static final Comparator<HoldPlace> IN_ORDER =
      Comparator.comparingInt(HoldPlace::bucket)
          .thenComparingLong(HoldPlace::epoch)
          .thenComparingLong(HoldPlace::seq);

  private final InMemoryTables tables;
  private final SaleLedger sales;

  InMemoryPages(InMemoryTables tables, SaleLedger sales) {
    this.tables = tables;
    this.sales = sales;
  }

  @Override
  public Future<Page> page(long skuId, HoldPlace after, int limit) {
    List<Order> found = behind(new SalePlace(skuId, after)).limit(limit).toList();
    HoldPlace last = found.isEmpty() ? after : place(found.get(found.size() - 1));
    return Future.succeededFuture(new Page(found, last, found.size() < limit));
  }

  @Override
  public Future<Optional<SalePage>> pageOfSale(String saleId, SalePlace after, int limit) {
    return Future.succeededFuture(
        tables.sales.containsKey(saleId)
            ? Optional.of(ofSale(saleId, after, limit))
            : Optional.empty());
  }

  private SalePage ofSale(String saleId, SalePlace after, int limit) {
    List<Member> members = sales.members(saleId, after.skuId() - 1, SALE_PAGE_SKUS_MAX).result();
    Map<Long, Long> saleNos = new HashMap<>();
    members.forEach(member -> saleNos.put(member.sku().skuId(), member.sku().saleNo()));
    List<Order> looked =
        members.stream()
            .map(member -> member.sku().skuId())
            .map(skuId -> skuId == after.skuId() ? after : SalePlace.begin(skuId))
            .flatMap(this::behind)
            .limit(limit)
            .toList();
    boolean full = looked.size() == limit;
    return new SalePage(
        looked.stream()
            .filter(order -> order.saleNo() == saleNos.get(order.token().skuId()))
            .toList(),
        full ? place(looked) : end(members, looked, after),
        !full && members.size() < SALE_PAGE_SKUS_MAX);
  }

  /** Where the page has looked at all of its SKUs. */
  private static SalePlace end(List<Member> members, List<Order> looked, SalePlace after) {
    if (members.isEmpty()) {
      return after;
    }
    long lastSku = members.get(members.size() - 1).sku().skuId();
    if (!looked.isEmpty() && place(looked).skuId() == lastSku) {
      return place(looked);
    }
    return lastSku == after.skuId() ? after : SalePlace.begin(lastSku);
  }

  private Stream<Order> behind(SalePlace after) {
    return tables.orders.values().stream()
        .filter(order -> order.token().skuId() == after.skuId())
        .filter(order -> order.status() != OrderStatus.REJECTED)
        .filter(order -> IN_ORDER.compare(place(order), after.hold()) > 0)
        .sorted(Comparator.comparing(InMemoryPages::place, IN_ORDER));
  }

  private static SalePlace place(List<Order> looked) {
    Order last = looked.get(looked.size() - 1);
    return new SalePlace(last.token().skuId(), place(last));
  }

  private static HoldPlace place(Order order) {
    return new HoldPlace(order.token().bucket(), order.epoch(), order.seq());
  }
}
