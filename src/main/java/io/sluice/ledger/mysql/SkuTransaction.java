package io.sluice.ledger.mysql;

import io.sluice.async.AsyncLoop;
import io.sluice.db.SqlSession;
import io.sluice.ledger.OwnerRequest.RequestKind;
import io.sluice.ledger.StockTxn;
import io.sluice.ledger.mysql.BucketTable.LockedBucket;
import io.sluice.ledger.mysql.BucketTable.NewBucket;
import io.sluice.ledger.mysql.SkuTable.DeletedSku;
import io.sluice.ledger.rules.OutboxPayload;
import io.sluice.ledger.rules.OutboxPayload.OutboxDraft;
import io.sluice.ledger.rules.RestockPlan;
import io.sluice.ledger.rules.SaleRules;
import io.sluice.ledger.rules.SkuRules;
import io.sluice.ledger.rules.SkuRules.Stock;
import io.sluice.model.BucketId;
import io.sluice.model.Placement.PlacedBucket;
import io.sluice.model.Sku;
import io.vertx.core.Future;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.function.IntFunction;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * A transaction about one SKU that has locked the SKU and all its buckets, or those that it
 * changes; shared by operators' changes, restocks and moves.
 */
record SkuTransaction(SqlSession session, long nowMs, Sku sku, Map<Integer, LockedBucket> buckets) {
  /** Locks the buckets of a SKU that is locked already. */
  static Future<SkuTransaction> on(SqlSession session, Sku sku) {
    return of(session, sku, BucketTable.lockAll(session, sku.skuId()));
  }

  /**
   * Locks only these buckets of a SKU that is locked already, so that it does not wait until orders
   * of others are booked. It cannot change the whole SKU.
   */
  static Future<SkuTransaction> on(SqlSession session, Sku sku, Set<Integer> some) {
    return of(
        session,
        sku,
        BucketTable.lock(
            session,
            some.stream().sorted().map(bucket -> new BucketId(sku.skuId(), bucket)).toList()));
  }

  private static Future<SkuTransaction> of(
      SqlSession session, Sku sku, Future<List<LockedBucket>> locked) {
    return locked.compose(
        buckets ->
            OrderTable.nowMs(session)
                .map(nowMs -> new SkuTransaction(session, nowMs, sku, byNumber(buckets))));
  }

  private static Map<Integer, LockedBucket> byNumber(List<LockedBucket> buckets) {
    return buckets.stream().collect(Collectors.toMap(each -> each.id().bucket(), each -> each));
  }

  LockedBucket bucket(int bucket) {
    return Objects.requireNonNull(buckets.get(bucket));
  }

  /** Units of each bucket that are neither held nor sold, with these changes of allotment added. */
  long[] freeAfter(Map<Integer, Long> changes) {
    return IntStream.range(0, sku.buckets())
        .mapToLong(i -> bucket(i).free() + changes.getOrDefault(i, 0L))
        .toArray();
  }

  /** The same with what the SKU becomes in it. */
  SkuTransaction with(Sku changed) {
    return new SkuTransaction(session, nowMs, changed, buckets);
  }

  Future<Stock> stock() {
    long taken = 0;
    long versions = 0;
    for (LockedBucket bucket : buckets.values()) {
      taken += bucket.held() + bucket.sold() - bucket.base() + bucket.withdrawn();
      versions += bucket.version();
    }
    Stock idle = new Stock(taken, versions, Optional.empty());
    return RestockTable.working(session, sku.skuId()).map(idle::restocking);
  }

  /** Writes the SKU, and outbox rows that update its buckets in Redis. */
  Future<Sku> write(Sku changed) {
    return SkuTable.update(session, changed)
        .compose(done -> BucketTable.raiseVersions(session, List.of(sku.skuId())))
        .compose(done -> leave(ceilings()))
        .map(changed);
  }

  /** Writes the total after the allotments of its buckets have changed by {@code units}. */
  Future<Sku> writeTotal(long units) {
    Sku changed = sku.withTotal(sku.totalStock() + units);
    return SkuTable.update(session, changed).map(changed);
  }

  /**
   * For each of these buckets: appends a ledger row, changes the allotment, and writes the outbox
   * row that updates Redis.
   */
  Future<Void> allot(Map<Integer, Long> changes, IntFunction<String> token) {
    return allot(changes, token, id -> OutboxPayload.ceiling(bucket(id.bucket()).partition(), id));
  }

  /** The same for units that move from a bucket to others. */
  Future<Void> move(Map<Integer, Long> changes, IntFunction<String> token) {
    return allot(
        changes,
        token,
        id -> {
          int partition = bucket(id.bucket()).partition();
          return changes.getOrDefault(id.bucket(), 0L) > 0
              ? OutboxPayload.received(partition, id)
              : OutboxPayload.ceiling(partition, id);
        });
  }

  private Future<Void> allot(
      Map<Integer, Long> changes,
      IntFunction<String> token,
      Function<BucketId, OutboxDraft> draft) {
    List<StockTxn> rows = new ArrayList<>();
    List<OutboxDraft> drafts = new ArrayList<>();
    for (Map.Entry<Integer, Long> change : changes.entrySet()) {
      BucketId id = new BucketId(sku.skuId(), change.getKey());
      rows.add(StockTxn.restock(token.apply(id.bucket()), id, change.getValue()));
      drafts.add(draft.apply(id));
    }
    return AsyncLoop.forEach(
            changes.entrySet(),
            change ->
                BucketTable.changeAllotment(
                    session, new BucketId(sku.skuId(), change.getKey()), change.getValue()))
        .compose(
            then ->
                RestockTable.append(
                    session, rows, bucket -> bucket(bucket.bucket()).nextWrite(), nowMs))
        .compose(then -> leave(drafts));
  }

  /** Writes take-back intents for the owners of these buckets. */
  Future<Void> intend(String restockId, int round, Map<Integer, Long> units) {
    List<OutboxDraft> drafts = new ArrayList<>();
    units.forEach(
        (bucket, part) -> {
          BucketId id = new BucketId(sku.skuId(), bucket);
          OutboxPayload.Take take = new OutboxPayload.Take(id, restockId, round, part);
          drafts.add(OutboxPayload.take(bucket(bucket).partition(), take));
        });
    return RestockTable.insertParts(session, sku.skuId(), restockId, round, units)
        .compose(done -> leave(drafts));
  }

  /**
   * Tells all buckets of a SKU that has several the total of the SKU, which has changed with the
   * allotments of some.
   */
  Future<Void> tellTotal() {
    return sku.buckets() == 1
        ? Future.succeededFuture()
        : BucketTable.raiseVersions(session, List.of(sku.skuId()))
            .compose(done -> leave(ceilings()));
  }

  Future<Void> leave(List<OutboxDraft> drafts) {
    return OutboxTable.insert(session, drafts, nowMs);
  }

  private List<OutboxDraft> ceilings() {
    return buckets.values().stream()
        .map(bucket -> OutboxPayload.ceiling(bucket.partition(), bucket.id()))
        .toList();
  }

  // ---- several SKUs

  /**
   * Creates SKUs, of which there may be none: with their buckets, their first stock, and for each
   * bucket a request to its owner to load it into Redis. One that has the id of a deleted SKU
   * begins behind that, as one does in its next sale.
   *
   * @return the SKUs as they are written
   */
  static Future<List<Sku>> create(SqlSession session, List<Sku> skus, long nowMs) {
    return SkuTable.insert(session, skus)
        .compose(done -> SkuTable.deleted(session, skus.stream().map(Sku::skuId).toList()))
        .compose(
            deleted -> {
              List<Sku> behind =
                  skus.stream()
                      .filter(sku -> deleted.containsKey(sku.skuId()))
                      .map(sku -> behind(sku, deleted))
                      .toList();
              List<Sku> all = skus.stream().map(sku -> behind(sku, deleted)).toList();
              return SkuTable.rejoin(session, behind)
                  .compose(done -> createBuckets(session, all, deleted, nowMs))
                  .map(all);
            });
  }

  private static Sku behind(Sku sku, Map<Long, DeletedSku> deleted) {
    DeletedSku before = deleted.get(sku.skuId());
    return before == null ? sku : SkuRules.behind(before.saleNo(), sku);
  }

  private static Future<Void> createBuckets(
      SqlSession session, List<Sku> skus, Map<Long, DeletedSku> deleted, long nowMs) {
    List<NewBucket> buckets = new ArrayList<>();
    List<StockTxn> rows = new ArrayList<>();
    for (Sku sku : skus) {
      DeletedSku before = deleted.getOrDefault(sku.skuId(), DeletedSku.none(sku));
      long[] allotted = RestockPlan.spread(sku.totalStock(), sku.buckets());
      for (int bucket = 0; bucket < allotted.length; bucket++) {
        BucketId id = new BucketId(sku.skuId(), bucket);
        String token = RestockPlan.token(RestockPlan.INITIAL, bucket, 1);
        buckets.add(NewBucket.of(sku.placed(bucket), allotted[bucket], before));
        rows.add(StockTxn.restock(token, id, allotted[bucket]));
      }
    }
    return BucketTable.insert(session, buckets)
        .compose(done -> RestockTable.append(session, rows, id -> BucketTable.FIRST_WRITE, nowMs))
        .compose(
            done ->
                RequestTable.askForEach(
                    session,
                    RequestKind.LOAD,
                    buckets.stream().map(NewBucket::placed).toList(),
                    nowMs));
  }

  /** A locked SKU, and what its sale makes of it. */
  record ChangedSku(Sku before, Sku after) {

    /**
     * Writes these SKUs, and for those that sell otherwise now the outbox rows that update their
     * buckets in Redis.
     */
    static Future<Void> write(SqlSession session, List<ChangedSku> skus, long nowMs) {
      List<Sku> written =
          skus.stream()
              .filter(sku -> !sku.after().equals(sku.before()))
              .map(ChangedSku::after)
              .toList();
      List<Sku> differing =
          skus.stream()
              .filter(sku -> SaleRules.differs(sku.before(), sku.after()))
              .map(ChangedSku::after)
              .sorted(Comparator.comparingLong(Sku::skuId))
              .toList();
      return SkuTable.update(session, written)
          .compose(
              done ->
                  BucketTable.raiseVersions(session, differing.stream().map(Sku::skuId).toList()))
          .compose(done -> OutboxTable.insert(session, ceilings(differing), nowMs));
    }

    /** The outbox rows that update all buckets of these SKUs. */
    static List<OutboxDraft> ceilings(List<Sku> skus) {
      List<OutboxDraft> drafts = new ArrayList<>();
      for (Sku sku : skus) {
        for (int bucket = 0; bucket < sku.buckets(); bucket++) {
          PlacedBucket placed = sku.placed(bucket);
          drafts.add(OutboxPayload.ceiling(placed.partition(), placed.id()));
        }
      }
      return drafts;
    }
  }
}
