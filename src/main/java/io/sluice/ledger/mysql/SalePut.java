package io.sluice.ledger.mysql;

import io.sluice.db.SqlSession;
import io.sluice.ledger.OwnerRequest.RequestKind;
import io.sluice.ledger.SaleLedger.Joined;
import io.sluice.ledger.SaleLedger.Member;
import io.sluice.ledger.SaleLedger.NewSale;
import io.sluice.ledger.SaleLedger.PutResult;
import io.sluice.ledger.SaleLedger.SaleSku;
import io.sluice.ledger.StockTxn;
import io.sluice.ledger.mysql.BucketTable.LockedBucket;
import io.sluice.ledger.mysql.BucketTable.Rejoined;
import io.sluice.ledger.mysql.SkuTransaction.ChangedSku;
import io.sluice.ledger.rules.RestockPlan;
import io.sluice.ledger.rules.SaleRules;
import io.sluice.model.BucketId;
import io.sluice.model.Sale;
import io.sluice.model.Sku;
import io.vertx.core.Future;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The transaction of a PUT of a sale: its row, the SKUs that join, and those of the body that are
 * in it already. Statements are for all SKUs at once.
 */
final class SalePut {
  private final SqlSession session;
  private final int partitions;

  /** Fields that it leaves out of an existing sale are filled in as soon as that is locked. */
  private NewSale wanted;

  SalePut(SqlSession session, int partitions, NewSale wanted) {
    this.session = session;
    this.partitions = partitions;
    this.wanted = wanted;
  }

  Future<PutResult> run() {
    return SaleTable.lock(session, wanted.saleId())
        .compose(
            was -> {
              wanted = SaleRules.whole(was, wanted);
              return refused(was).map(Future::succeededFuture).orElseGet(() -> lockSkus(was));
            });
  }

  private Optional<PutResult> refused(Optional<Sale> was) {
    if (!wanted.put().ifMatch().isMet(was.map(Sale::tag))) {
      return Optional.of(new PutResult.Moved(was.isPresent()));
    }
    if (was.isEmpty()) {
      return SaleRules.missing(wanted).map(missing -> missing);
    }
    if (was.get().state().isEnding()) {
      return Optional.of(new PutResult.IsEnding());
    }
    return was.get().carts() == wanted.carts()
        ? Optional.empty()
        : Optional.of(new PutResult.CartsFixed(was.get().carts()));
  }

  private Future<PutResult> lockSkus(Optional<Sale> was) {
    List<Long> ids = wanted.skus().stream().map(SaleSku::skuId).sorted().toList();
    return SkuTable.lockEach(session, ids)
        .map(found -> found.stream().collect(Collectors.toMap(Sku::skuId, Function.identity())))
        .compose(
            known -> {
              wanted = SaleRules.whole(wanted, known);
              return left(known)
                  .compose(
                      left ->
                          OrderTable.nowMs(session)
                              .compose(nowMs -> checked(was, known, left, nowMs)));
            });
  }

  private Future<PutResult> checked(
      Optional<Sale> was, Map<Long, Sku> known, Set<Long> left, long nowMs) {
    Optional<PutResult.Invalid> invalid = SaleRules.invalid(was, wanted, known, nowMs);
    if (invalid.isPresent()) {
      return Future.succeededFuture(invalid.get());
    }
    List<Long> created =
        wanted.skus().stream().map(SaleSku::skuId).filter(id -> !known.containsKey(id)).toList();
    return SkuTable.shapes(session, created)
        .map(deleted -> SaleRules.faults(wanted, known, left, deleted, partitions))
        .compose(
            faults ->
                faults.isEmpty()
                    ? withRoom(was, known, nowMs)
                    : Future.succeededFuture(new PutResult.Refused(faults)));
  }

  /** Those that would come back into the sale. */
  private Future<Set<Long>> left(Map<Long, Sku> known) {
    return SaleTable.left(
        session,
        wanted.saleId(),
        known.values().stream()
            .filter(sku -> SaleRules.rejoins(wanted.saleId(), sku))
            .map(Sku::skuId)
            .sorted()
            .toList());
  }

  private Future<PutResult> withRoom(Optional<Sale> was, Map<Long, Sku> known, long nowMs) {
    return SaleTable.countSkus(session, wanted.saleId())
        .compose(
            count -> {
              Sale sale =
                  was.isPresent()
                      ? SaleRules.changed(was.get(), wanted, nowMs)
                      : SaleRules.create(wanted, nowMs);
              long all = count + wanted.skus().size() - members(known);
              return all > sale.skusMax()
                  ? Future.succeededFuture(new PutResult.Full(sale.skusMax(), all))
                  : write(was, sale, known, nowMs);
            });
  }

  private long members(Map<Long, Sku> known) {
    return known.values().stream()
        .filter(sku -> wanted.saleId().equals(sku.membership().saleId()))
        .count();
  }

  private Future<PutResult> write(Optional<Sale> was, Sale sale, Map<Long, Sku> known, long nowMs) {
    Map<Long, Joined> joined = new LinkedHashMap<>();
    List<Sku> created = new ArrayList<>();
    List<ChangedSku> changed = new ArrayList<>();
    Map<SaleSku, Sku> again = new LinkedHashMap<>();
    for (SaleSku one : wanted.skus()) {
      Sku before = known.get(one.skuId());
      if (before == null) {
        created.add(SaleRules.member(sale, one, partitions));
        joined.put(one.skuId(), Joined.CREATED);
        continue;
      }
      if (SaleRules.rejoins(sale.saleId(), before)) {
        again.put(one, before);
        joined.put(one.skuId(), Joined.JOINED);
        continue;
      }
      Sku after = SaleRules.takeOver(sale, SaleRules.withOwn(before, one));
      changed.add(new ChangedSku(before, after));
      joined.put(one.skuId(), SaleRules.isChanged(before, after) ? Joined.CHANGED : Joined.KEPT);
    }
    return writeSale(was, sale)
        .compose(done -> SkuTransaction.create(session, created, nowMs))
        .compose(done -> rejoin(sale, again, nowMs))
        .compose(done -> ChangedSku.write(session, changed, nowMs))
        .compose(done -> SkuTable.keepNames(session, named()))
        .map(
            done ->
                new PutResult.Done(
                    sale, was.isEmpty(), joined, SaleRules.changes(was, wanted, known)));
  }

  /** The SKUs that the PUT names, or takes a name from, with that. */
  private Map<Long, @Nullable String> named() {
    Map<Long, @Nullable String> names = new TreeMap<>();
    wanted.skus().stream()
        .filter(sku -> !sku.leaves().contains("name"))
        .forEach(sku -> names.put(sku.skuId(), sku.name()));
    return names;
  }

  private Future<Void> writeSale(Optional<Sale> was, Sale sale) {
    if (was.isEmpty()) {
      return SaleTable.insert(session, sale);
    }
    return sale.equals(was.get()) ? Future.succeededFuture() : SaleTable.update(session, sale);
  }

  // ---- SKUs that have ended and begin their next sale

  /**
   * The units that these SKUs have sold so far are noted, for the sale that they leave as well. A
   * restock row brings each bucket to its share of the new stock, and its owner is asked to load
   * it. The SKUs are locked; they ended with all of their buckets.
   */
  private Future<Void> rejoin(Sale sale, Map<SaleSku, Sku> skus, long nowMs) {
    if (skus.isEmpty()) {
      return Future.succeededFuture();
    }
    return BucketTable.lockEnded(
            session, skus.keySet().stream().map(SaleSku::skuId).sorted().toList())
        .compose(locked -> rejoin(sale, skus, locked, nowMs));
  }

  private Future<Void> rejoin(
      Sale sale, Map<SaleSku, Sku> skus, List<LockedBucket> locked, long nowMs) {
    Map<Long, List<LockedBucket>> bySku =
        locked.stream().collect(Collectors.groupingBy(bucket -> bucket.id().skuId()));
    List<Member> leaving = new ArrayList<>();
    List<Sku> after = new ArrayList<>();
    List<Rejoined> buckets = new ArrayList<>();
    List<StockTxn> rows = new ArrayList<>();
    skus.forEach(
        (wanted, was) -> {
          List<LockedBucket> ended = bySku.getOrDefault(was.skuId(), List.of());
          long base = ended.stream().mapToLong(bucket -> bucket.held() + bucket.sold()).sum();
          Sku now = again(sale, was, wanted, ended, base);
          Member.leaving(was, base).ifPresent(leaving::add);
          after.add(now);
          rejoin(now, ended, buckets, rows);
        });
    Map<BucketId, Long> writes = new HashMap<>();
    locked.forEach(bucket -> writes.put(bucket.id(), bucket.nextWrite()));
    return SaleTable.keepLeft(session, leaving)
        .compose(done -> SkuTable.rejoin(session, after))
        .compose(done -> BucketTable.rejoin(session, buckets))
        .compose(
            done ->
                RestockTable.append(
                    session, rows, id -> Objects.requireNonNull(writes.get(id)), nowMs))
        .compose(
            done ->
                RequestTable.askForEach(
                    session,
                    RequestKind.LOAD,
                    buckets.stream().map(Rejoined::placed).toList(),
                    nowMs));
  }

  private Sku again(Sale sale, Sku was, SaleSku wanted, List<LockedBucket> ended, long base) {
    if (ended.size() != was.buckets()) {
      throw new IllegalStateException(
          "Expected all %d buckets of SKU %d to have ended, but %d have"
              .formatted(was.buckets(), was.skuId(), ended.size()));
    }
    return SaleRules.again(sale, was, wanted, base, partitions);
  }

  private static void rejoin(
      Sku now, List<LockedBucket> ended, List<Rejoined> buckets, List<StockTxn> rows) {
    long[] shares = RestockPlan.spread(now.stockNow(), now.buckets());
    String id = RestockPlan.saleId(now.saleNo());
    for (LockedBucket before : ended) {
      int bucket = before.id().bucket();
      Rejoined one = new Rejoined(before, now.placed(bucket), shares[bucket]);
      buckets.add(one);
      rows.add(StockTxn.restock(RestockPlan.token(id, bucket, 1), before.id(), one.added()));
    }
  }
}
