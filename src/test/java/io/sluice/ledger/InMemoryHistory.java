package io.sluice.ledger;

import io.sluice.ledger.SaleLedger.Member;
import io.sluice.model.BucketId;
import io.sluice.model.Order;
import io.sluice.model.OrderNotes.Refund;
import io.sluice.model.OrderStatus;
import io.sluice.model.Reason;
import io.vertx.core.Future;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * What happened to the orders of an {@link InMemoryLedger}. It keeps only the time of an order's
 * last change, so all that happened to it happened then.
 */
final class InMemoryHistory extends InMemoryCounts {
  private static final Comparator<HoldPlace> BY_PLACE =
      Comparator.comparingInt(HoldPlace::bucket)
          .thenComparingLong(HoldPlace::epoch)
          .thenComparingLong(HoldPlace::seq);

  private static final Comparator<Step> IN_ORDER =
      Comparator.comparingLong((Step step) -> step.place().skuId())
          .thenComparingInt(step -> step.place().bucket())
          .thenComparingLong(step -> step.place().epoch())
          .thenComparingLong(step -> step.place().seq())
          .thenComparingInt(step -> step.place().step());

  private final InMemoryTables tables;
  private final SaleLedger sales;

  InMemoryHistory(InMemoryTables tables, SaleLedger sales) {
    this.tables = tables;
    this.sales = sales;
  }

  @Override
  public Future<Page> page(long skuId, HoldPlace after, int limit) {
    List<Order> found = behind(new SalePlace(skuId, after)).limit(limit).toList();
    HoldPlace last = found.isEmpty() ? after : place(found.get(found.size() - 1));
    List<Order> wholes = found.stream().map(this::whole).toList();
    return Future.succeededFuture(new Page(wholes, last, found.size() < limit));
  }

  private Order whole(Order line) {
    return Order.whole(line.lineTokens().stream().map(tables.orders::get).toList());
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
            .filter(order -> !order.isFollower())
            .map(this::whole)
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
        .filter(order -> BY_PLACE.compare(place(order), after.hold()) > 0)
        .sorted(Comparator.comparing(InMemoryHistory::place, BY_PLACE));
  }

  private static SalePlace place(List<Order> looked) {
    Order last = looked.get(looked.size() - 1);
    return new SalePlace(last.token().skuId(), place(last));
  }

  private static HoldPlace place(Order order) {
    return new HoldPlace(order.token().bucket(), order.epoch(), order.seq());
  }

  private record Step(Place place, Group group) {}

  @Override
  public Future<Slice> granted(Rest rest, long intervalMs, int limit) {
    List<Step> steps = new ArrayList<>();
    orders().forEach(order -> steps.add(granted(order, intervalMs)));
    return Future.succeededFuture(slice(steps, rest, limit));
  }

  @Override
  public Future<Slice> ended(Rest rest, long intervalMs, int limit) {
    List<Step> steps = new ArrayList<>();
    orders().forEach(order -> addEnds(steps, order, intervalMs));
    return Future.succeededFuture(slice(steps, rest, limit));
  }

  private List<Order> orders() {
    return tables.orders.values().stream()
        .filter(order -> order.status() != OrderStatus.REJECTED)
        .toList();
  }

  private static Slice slice(List<Step> steps, Rest rest, int limit) {
    Place after = rest.after();
    List<Step> found =
        steps.stream()
            .filter(
                step ->
                    after == null
                        ? rest.skuIds().contains(step.place().skuId())
                        : step.place().skuId() == after.skuId()
                            && IN_ORDER.compare(step, new Step(after, step.group())) > 0)
            .sorted(IN_ORDER)
            .limit(limit)
            .toList();
    Place reached = found.size() < limit ? null : found.get(found.size() - 1).place();
    return new Slice(found.stream().map(Step::group).toList(), rest.behind(reached));
  }

  private static Step granted(Order order, long intervalMs) {
    long atMs = order.createdAtMs();
    return new Step(
        place(order, 0),
        new Group(
            order.token().skuId(),
            order.saleNo(),
            Kind.GRANTED,
            atMs - atMs % intervalMs,
            0,
            order.isFollower() ? 0 : 1,
            1,
            order.qty(),
            atMs,
            order.payBeforeMs()));
  }

  private static void addEnds(List<Step> steps, Order order, long intervalMs) {
    OrderStatus status = order.status();
    int step = 1;
    if (status == OrderStatus.CONFIRMED || status == OrderStatus.REFUNDED) {
      steps.add(step(order, step++, Kind.PAID, order.qty(), intervalMs));
    }
    if (status == OrderStatus.CANCELED) {
      Kind kind = order.reason() == Reason.TIMEOUT ? Kind.TIMED_OUT : Kind.CANCELED;
      steps.add(step(order, step++, kind, order.qty(), intervalMs));
    }
    if (order.notes().refundedQty() > 0) {
      steps.add(step(order, step++, Kind.REFUNDED, order.notes().refundedQty(), intervalMs));
    }
    if (order.latePaidAtMs() != 0) {
      steps.add(step(order, step, Kind.PAID_LATE, order.qty(), intervalMs));
    }
  }

  private static Step step(Order order, int step, Kind kind, long units, long intervalMs) {
    long atMs = order.updatedAtMs();
    long waitedMs = atMs - order.createdAtMs();
    int waited =
        kind == Kind.PAID ? (int) WAITS_MS.stream().filter(bound -> bound <= waitedMs).count() : 0;
    boolean isRefundOfLine =
        kind == Kind.REFUNDED
            && order.notes().refunds().values().stream()
                .anyMatch(refund -> refund.state() == Refund.State.COMPLETED);
    return new Step(
        place(order, step),
        new Group(
            order.token().skuId(),
            order.saleNo(),
            kind,
            atMs - atMs % intervalMs,
            waited,
            !order.isFollower() || isRefundOfLine ? 1 : 0,
            1,
            units,
            atMs,
            atMs));
  }

  private static Place place(Order order, int step) {
    BucketId bucket = order.token().bucketId();
    return new Place(bucket.skuId(), bucket.bucket(), order.epoch(), order.seq(), step);
  }
}
