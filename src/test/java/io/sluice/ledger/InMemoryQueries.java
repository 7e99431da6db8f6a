package io.sluice.ledger;

import io.sluice.ledger.Audit.Mark;
import io.sluice.ledger.Audit.TxnSums;
import io.sluice.ledger.Audit.TxnSums.Kind;
import io.sluice.ledger.Audit.TxnSums.Place;
import io.sluice.ledger.BucketRow.LoadRow;
import io.sluice.ledger.DuePage.DuePlace;
import io.sluice.ledger.InMemoryTables.StoredOutbox;
import io.sluice.ledger.InMemoryTables.StoredRequest;
import io.sluice.ledger.Ledger.StillBucket;
import io.sluice.ledger.OutboxRow.OutboxKind;
import io.sluice.ledger.StockTxn.Action;
import io.sluice.ledger.rules.OutboxPayload;
import io.sluice.ledger.rules.PendingReleases;
import io.sluice.ledger.rules.Wholes;
import io.sluice.model.BucketId;
import io.sluice.model.Order;
import io.sluice.model.OrderStatus;
import io.sluice.model.OrderToken;
import io.sluice.model.Sku;
import io.vertx.core.Future;
import java.util.Collection;
import java.util.Collections;
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
  private static final Comparator<LoadRow> AS_LOADED =
      Comparator.comparing(LoadRow::rejected)
          .thenComparing(row -> row.rejected() ? 0 : row.grant().epoch())
          .thenComparing(row -> row.rejected() ? 0 : row.grant().seq())
          .thenComparing(row -> row.grant().token().value());

  private final InMemoryTables tables;

  InMemoryQueries(InMemoryTables tables) {
    this.tables = tables;
  }

  DuePage due(int partition, DuePlace after, long dueMs, int limit) {
    List<Order> holds =
        tables.orders.values().stream()
            .filter(order -> order.status() != OrderStatus.REJECTED && !order.archived())
            .filter(order -> order.payBeforeMs() <= dueMs && placeOf(order).compareTo(after) > 0)
            .filter(order -> tables.bucket(order.token().bucketId()).partition() == partition)
            .sorted(Comparator.comparing(InMemoryQueries::placeOf))
            .limit(limit)
            .toList();
    return new DuePage(
        holds.stream()
            .filter(order -> order.status() == OrderStatus.PENDING && !order.isFollower())
            .map(Order::token)
            .toList(),
        holds.isEmpty() ? after : placeOf(holds.get(holds.size() - 1)),
        holds.size() < limit);
  }

  private static DuePlace placeOf(Order order) {
    return new DuePlace(order.payBeforeMs(), order.token().bucketId(), order.epoch(), order.seq());
  }

  List<BucketRow> buckets(int partition, Optional<BucketId> after, int limit) {
    return tables.buckets.keySet().stream()
        .filter(id -> after.isEmpty() || id.compareTo(after.get()) > 0)
        .filter(id -> !tables.gone.ended.contains(id))
        .map(tables::bucketRow)
        .filter(row -> row.partition() == partition)
        .limit(limit)
        .toList();
  }

  List<BucketId> ofSameSale(int partition, long skuId, Optional<BucketId> after, int limit) {
    Sku one = tables.skus.get(skuId);
    String saleId = one == null ? null : one.membership().saleId();
    return tables.buckets.keySet().stream()
        .sorted()
        .filter(id -> after.isEmpty() || id.compareTo(after.get()) > 0)
        .filter(id -> saleId != null)
        .filter(id -> saleId.equals(tables.sku(id.skuId()).membership().saleId()))
        .filter(id -> !tables.gone.ended.contains(id))
        .filter(id -> tables.bucket(id).partition() == partition)
        .limit(limit)
        .toList();
  }

  Map<OrderToken, Order> orders(Collection<OrderToken> tokens) {
    Map<OrderToken, Order> found = new HashMap<>(tables.found(tokens));
    found.putAll(tables.found(Wholes.missing(found)));
    return Wholes.of(found);
  }

  List<LoadRow> loadRows(BucketRow bucket, Optional<LoadRow> after, int limit) {
    return tables.orders.values().stream()
        .filter(order -> order.token().bucketId().equals(bucket.id()) && !order.archived())
        .filter(order -> isOfThisSale(order, bucket))
        .map(InMemoryQueries::loadRow)
        .sorted(AS_LOADED)
        .filter(row -> after.isEmpty() || AS_LOADED.compare(row, after.get()) > 0)
        .limit(limit)
        .toList();
  }

  private static boolean isOfThisSale(Order order, BucketRow bucket) {
    return order.status() == OrderStatus.REJECTED
        ? bucket.sinceEpoch() == 0 || order.saleNo() >= bucket.saleNo()
        : !bucket.isEarlier(order.epoch());
  }

  private static LoadRow loadRow(Order order) {
    return new LoadRow(
        order.grant(),
        order.unitsLeft(),
        order.notes().withdrawnQty(),
        order.status() == OrderStatus.REJECTED);
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
    boolean restocking =
        pending(row.partition(), OutboxKind.RESTOCK, 0, Integer.MAX_VALUE).stream()
            .anyMatch(pending -> OutboxPayload.bucketOf(pending.payload()).equals(id));
    PendingReleases releases = new PendingReleases();
    releases.add(pending(row.partition(), OutboxKind.RELEASE, 0, Integer.MAX_VALUE));
    return new StillBucket(
        row,
        restocking,
        releases.of(id),
        tokens -> Future.succeededFuture(Set.copyOf(tables.found(tokens).keySet())));
  }

  int purge(int partition, long beforeMs, int limit) {
    List<Long> ids =
        tables.outbox.values().stream()
            .filter(stored -> stored.sent() && stored.row().createdAtMs() < beforeMs)
            .filter(stored -> stored.row().partition() == partition)
            .filter(stored -> stored.row().kind() != OutboxKind.EVENT)
            .map(stored -> stored.row().id())
            .limit(limit)
            .toList();
    ids.forEach(tables.outbox::remove);
    return ids.size();
  }

  boolean noteSent(int partition) {
    tables
        .outbox
        .values()
        .removeIf(
            stored ->
                stored.sent()
                    && stored.row().partition() == partition
                    && stored.row().kind() == OutboxKind.EVENT);
    return false;
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
        skuId,
        tables.bucketsOf(skuId).size(),
        sum(skuId, Action.RESTOCK),
        held,
        sold,
        counters[0],
        counters[1],
        counters[2]);
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
                Collections.nCopies(now.buckets(), (long) tables.rows.size()),
                now.countersTotal(),
                now.countersHeld(),
                now.countersSold(),
                tables.folded));
  }

  /** The rows are in one list here, and the number of a write is the number of rows before. */
  TxnSums sum(Mark mark, TxnSums before, int rowsMax) {
    if (mark.archived() != tables.folded) {
      return TxnSums.NONE;
    }
    List<Integer> slice =
        IntStream.range((int) before.after().seq(), tables.rows.size())
            .boxed()
            .filter(index -> tables.rows.get(index).bucket().skuId() == mark.skuId())
            .limit(rowsMax)
            .toList();
    TxnSums sums = before;
    for (int index : slice) {
      StockTxn row = tables.rows.get(index);
      long units = index < mark.writes().get(0) ? row.qty() : 0;
      sums = sums.plus(row.action(), units).upTo(new Place(Kind.HOLD, "", 0, 0, index + 1L, 0));
    }
    return slice.size() < rowsMax ? sums.completed() : sums;
  }
}
