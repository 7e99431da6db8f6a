package io.sluice.ledger;

import io.sluice.ledger.Audits.Mark;
import io.sluice.ledger.Buckets.BucketRow;
import io.sluice.ledger.Buckets.LoadRow;
import io.sluice.ledger.InMemoryTables.StoredOutbox;
import io.sluice.ledger.InMemoryTables.StoredRequest;
import io.sluice.ledger.Outbox.OutboxKind;
import io.sluice.ledger.Outbox.OutboxRow;
import io.sluice.ledger.OwnerRequests.OwnerRequest;
import io.sluice.ledger.SkuLedger.Audit;
import io.sluice.ledger.StockTxn.Action;
import io.sluice.ledger.TxnSums.Place;
import io.sluice.ledger.rules.PendingOutbox;
import io.sluice.model.BucketId;
import io.sluice.model.Grant;
import io.sluice.model.Order;
import io.sluice.model.OrderStatus;
import io.sluice.model.OrderToken;
import io.sluice.model.Sku;
import io.vertx.core.Future;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** Queries on the tables of an {@link InMemoryLedger}. */
final class InMemoryQueries {
  private static final Comparator<Place> BY_INDEX =
      Comparator.comparing(Place::action).thenComparing(Place::qty).thenComparing(Place::id);

  private final InMemoryTables tables;

  InMemoryQueries(InMemoryTables tables) {
    this.tables = tables;
  }

  List<OrderToken> due(int partition, long dueMs, int limit) {
    return tables.orders.values().stream()
        .filter(order -> order.status() == OrderStatus.PENDING)
        .filter(order -> order.payBeforeMs() <= dueMs)
        .filter(order -> tables.bucket(order.token().bucketId()).partition() == partition)
        .sorted(Comparator.comparingLong(Order::payBeforeMs))
        .limit(limit)
        .map(Order::token)
        .toList();
  }

  List<BucketRow> buckets(int partition, Optional<BucketId> after, int limit) {
    return tables.buckets.keySet().stream()
        .filter(id -> after.isEmpty() || id.compareTo(after.get()) > 0)
        .filter(id -> tables.sku(id.skuId()).mode() == Sku.Mode.FAST)
        .map(tables::bucketRow)
        .filter(row -> row.partition() == partition)
        .limit(limit)
        .toList();
  }

  List<LoadRow> loadRows(BucketId id, Optional<OrderToken> after, int limit) {
    return tables.orders.values().stream()
        .filter(order -> order.token().bucketId().equals(id))
        .filter(
            order -> after.isEmpty() || order.token().value().compareTo(after.get().value()) > 0)
        .limit(limit)
        .map(order -> new LoadRow(grantOf(order), order.status().isLive()))
        .toList();
  }

  private static Grant grantOf(Order order) {
    return new Grant(
        order.token(),
        order.userId(),
        order.qty(),
        order.seq(),
        order.epoch(),
        order.createdAtMs(),
        order.payBeforeMs());
  }

  List<OutboxRow> pending(int partition, OutboxKind kind, long afterId, int limit) {
    return tables.outbox.values().stream()
        .filter(stored -> !stored.sent())
        .map(StoredOutbox::row)
        .filter(row -> row.partition() == partition && row.kind() == kind && row.id() > afterId)
        .limit(limit)
        .toList();
  }

  List<OwnerRequest> openRequests(Collection<Integer> partitions, long afterId, int limit) {
    return tables.requests.values().stream()
        .filter(stored -> stored.answer() == null)
        .map(StoredRequest::request)
        .filter(request -> partitions.contains(request.partition()) && request.id() > afterId)
        .limit(limit)
        .toList();
  }

  Map<Long, Sku> skus(Collection<Long> skuIds) {
    Map<Long, Sku> found = new HashMap<>(tables.skus);
    found.keySet().retainAll(skuIds);
    return found;
  }

  Map<Long, List<BucketRow>> bucketsOf(Collection<Long> skuIds) {
    return skuIds.stream()
        .flatMap(skuId -> tables.bucketsOf(skuId).stream())
        .map(tables::bucketRow)
        .collect(Collectors.groupingBy(row -> row.id().skuId()));
  }

  List<Sku> skus(long afterSkuId, int limit) {
    return tables.skus.values().stream()
        .filter(sku -> sku.skuId() > afterSkuId)
        .limit(limit)
        .toList();
  }

  StillBucket still(BucketId id) {
    BucketRow row = tables.bucketRow(id);
    List<OutboxRow> restocks = pending(row.partition(), OutboxKind.RESTOCK, 0, Integer.MAX_VALUE);
    List<OutboxRow> releases = pending(row.partition(), OutboxKind.RELEASE, 0, Integer.MAX_VALUE);
    return new Still(
        tables,
        row,
        PendingOutbox.isRestocking(id, restocks),
        PendingOutbox.unreleased(id, releases));
  }

  private record Still(
      InMemoryTables tables,
      BucketRow row,
      boolean restocking,
      Optional<List<OrderToken>> unreleased)
      implements StillBucket {
    @Override
    public Future<Set<OrderToken>> booked(Collection<OrderToken> tokens) {
      return Future.succeededFuture(Set.copyOf(tables.found(tokens).keySet()));
    }
  }

  int purge(int partition, long beforeMs, int limit) {
    List<Long> ids =
        tables.outbox.values().stream()
            .filter(stored -> stored.sent() && stored.createdAtMs() < beforeMs)
            .filter(stored -> stored.row().partition() == partition)
            .map(stored -> stored.row().id())
            .limit(limit)
            .toList();
    ids.forEach(tables.outbox::remove);
    return ids.size();
  }

  int purgeRequests(int partition, long beforeMs, int limit) {
    List<Long> ids =
        tables.requests.values().stream()
            .filter(stored -> stored.answer() != null && stored.createdAtMs() < beforeMs)
            .filter(stored -> stored.request().partition() == partition)
            .map(stored -> stored.request().id())
            .limit(limit)
            .toList();
    ids.forEach(tables.requests::remove);
    return ids.size();
  }

  long txns(long skuId) {
    return tables.rows.stream().filter(row -> row.bucket().skuId() == skuId).count();
  }

  Audit audit(long skuId) {
    long holds = sum(skuId, Action.HOLD);
    long confirms = sum(skuId, Action.CONFIRM);
    long held = holds - confirms - sum(skuId, Action.CANCEL);
    long sold = confirms - sum(skuId, Action.REFUND);
    long[] counters = new long[3];
    for (BucketId id : tables.bucketsOf(skuId)) {
      InMemoryTables.Bucket bucket = tables.bucket(id);
      counters[0] += bucket.allotted();
      counters[1] += bucket.held();
      counters[2] += bucket.sold();
    }
    return new Audit(
        skuId, sum(skuId, Action.RESTOCK), held, sold, counters[0], counters[1], counters[2]);
  }

  private long sum(long skuId, Action action) {
    return tables.rows.stream()
        .filter(row -> row.bucket().skuId() == skuId && row.action() == action)
        .mapToLong(StockTxn::qty)
        .sum();
  }

  Optional<Mark> mark(long skuId) {
    Audit now = audit(skuId);
    return tables.bucketsOf(skuId).isEmpty()
        ? Optional.empty()
        : Optional.of(
            new Mark(
                skuId,
                tables.rows.size(),
                now.countersTotal(),
                now.countersHeld(),
                now.countersSold()));
  }

  TxnSums sum(Mark mark, TxnSums before, int rowsMax) {
    List<Integer> slice =
        IntStream.range(0, tables.rows.size())
            .boxed()
            .filter(index -> tables.rows.get(index).bucket().skuId() == mark.skuId())
            .filter(index -> BY_INDEX.compare(place(index), before.after()) > 0)
            .sorted(Comparator.comparing(this::place, BY_INDEX))
            .limit(rowsMax)
            .toList();
    TxnSums sums = before;
    for (int index : slice) {
      StockTxn row = tables.rows.get(index);
      long units = index < mark.lastTxnId() ? row.qty() : 0;
      sums = sums.plus(row.action(), units).upTo(place(index));
    }
    return slice.size() < rowsMax ? sums.completed() : sums;
  }

  private Place place(int index) {
    StockTxn row = tables.rows.get(index);
    return new Place(row.action().name(), row.qty(), index + 1L);
  }
}
