package io.sluice.ledger;

import io.sluice.model.BucketId;
import io.sluice.model.Order;
import io.sluice.model.OrderStatus;
import io.sluice.model.Reason;
import io.vertx.core.Future;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * What happened to the orders of an {@link InMemoryLedger}. It keeps only the time of an order's
 * last change, so all that happened to it happened then.
 */
final class InMemoryHistory implements SaleHistory {
  private static final Comparator<Step> IN_ORDER =
      Comparator.comparingLong((Step step) -> step.place().skuId())
          .thenComparingInt(step -> step.place().bucket())
          .thenComparingLong(step -> step.place().epoch())
          .thenComparingLong(step -> step.place().seq())
          .thenComparingInt(step -> step.place().step());

  private final InMemoryTables tables;

  InMemoryHistory(InMemoryTables tables) {
    this.tables = tables;
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
    return new Step(
        place(order, step),
        new Group(
            order.token().skuId(),
            order.saleNo(),
            kind,
            atMs - atMs % intervalMs,
            waited,
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
