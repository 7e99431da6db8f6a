package io.sluice.ledger.mysql;

import io.sluice.async.AsyncLoop;
import io.sluice.db.SqlSession;
import io.sluice.db.SqlSession.Items;
import io.sluice.db.SqlStatement;
import io.sluice.ledger.SaleLedger;
import io.sluice.ledger.SkuLedger;
import io.sluice.ledger.rules.SaleRules;
import io.sluice.model.Sale;
import io.sluice.model.Sku;
import io.vertx.core.Future;
import io.vertx.sqlclient.Tuple;
import java.util.List;
import java.util.Optional;

/**
 * Deletes SKUs that have ended without an order, and their sales. An end has proven that all that
 * was granted is booked, and has raised the epochs, so that nothing is booked any more. So what has
 * no row of an order now never gets one. The SKUs and all their buckets are locked, as by
 * everything else that reads or writes their rows.
 */
record DeleteTransaction(SqlSession session) {
  /** The statements that delete what is kept by SKU, the SKUs last. */
  private static final List<SqlStatement> PARTS =
      List.of(
          SqlStatement.KEEP_DELETED_PLACES,
          SqlStatement.KEEP_DELETED_SKUS,
          SqlStatement.DELETE_SKU_BUCKETS,
          SqlStatement.DELETE_SKU_RESTOCK_ROWS,
          SqlStatement.DELETE_SKU_RESTOCKS,
          SqlStatement.DELETE_SKU_SALES,
          SqlStatement.DELETE_SKUS);

  Future<SkuLedger.DeleteResult> sku(long skuId) {
    return SkuTable.onLocked(session, skuId, new SkuLedger.DeleteResult.Unknown(), this::sku);
  }

  /** That it has orders comes first: an end, which cannot be undone, would be for nothing. */
  private Future<SkuLedger.DeleteResult> sku(Sku sku) {
    return lockBuckets(List.of(sku))
        .compose(
            locked ->
                session.selectEach(
                    SqlStatement.FIND_USED_SKU,
                    Items.ofEach(List.of(sku.skuId())),
                    row -> row.getLong(0)))
        .compose(
            used ->
                !used.isEmpty()
                    ? Future.succeededFuture(new SkuLedger.DeleteResult.HasOrders())
                    : sku.state().isEnded()
                        ? delete(List.of(sku)).map(new SkuLedger.DeleteResult.Done())
                        : Future.succeededFuture(new SkuLedger.DeleteResult.NotEnded()));
  }

  /**
   * All SKUs are looked at before the first one is deleted, but after those are locked that are to
   * be deleted now: none of these can go on to another sale meanwhile.
   *
   * @param sale locked, so that no SKU joins it
   */
  Future<SaleLedger.DeleteResult> sale(Sale sale) {
    if (!sale.state().isEnded()) {
      return Future.succeededFuture(new SaleLedger.DeleteResult.NotEnded());
    }
    String saleId = sale.saleId();
    return SaleTable.skus(session, saleId, 0, SaleLedger.TAKE_OVER_SKUS_MAX)
        .compose(
            page ->
                lockThoseOf(saleId, SaleRules.firstStep(page))
                    .compose(
                        locked ->
                            keeps(saleId)
                                .compose(
                                    kept ->
                                        kept.isPresent()
                                            ? Future.succeededFuture(kept.get())
                                            : lockBuckets(locked)
                                                .compose(done -> delete(locked))
                                                .compose(
                                                    done ->
                                                        isLast(page, locked)
                                                            ? deleteSale(saleId)
                                                            : working()))));
  }

  /** One of them may be in another sale by now, or deleted, and even made again. */
  private Future<List<Sku>> lockThoseOf(String saleId, List<Sku> skus) {
    return SkuTable.lockEach(session, skus.stream().map(Sku::skuId).toList())
        .map(
            locked ->
                locked.stream().filter(sku -> saleId.equals(sku.membership().saleId())).toList());
  }

  /** What the sale must stay for. */
  private Future<Optional<SaleLedger.DeleteResult>> keeps(String saleId) {
    return session
        .<SaleLedger.DeleteResult>first(
            SqlStatement.FIND_SKU_GONE_ON,
            Tuple.of(saleId),
            row -> new SaleLedger.DeleteResult.GoneOn(row.getLong(0), row.getString(1)))
        .compose(
            gone ->
                gone.isPresent()
                    ? Future.succeededFuture(gone)
                    : session.first(
                        SqlStatement.FIND_USED_SKU_OF_SALE,
                        Tuple.of(saleId),
                        row -> new SaleLedger.DeleteResult.HasOrders(row.getLong(0))));
  }

  private static boolean isLast(List<Sku> page, List<Sku> deleted) {
    return page.size() == deleted.size() && page.size() < SaleLedger.TAKE_OVER_SKUS_MAX;
  }

  private static Future<SaleLedger.DeleteResult> working() {
    return Future.succeededFuture(new SaleLedger.DeleteResult.Working());
  }

  private Future<SaleLedger.DeleteResult> deleteSale(String saleId) {
    return session
        .update(SqlStatement.DELETE_COUNTS_OF_SALE, Tuple.of(saleId))
        .compose(done -> session.updateOne(SqlStatement.DELETE_SALE, Tuple.of(saleId)))
        .map(new SaleLedger.DeleteResult.Done());
  }

  private Future<Void> lockBuckets(List<Sku> skus) {
    return AsyncLoop.forEach(skus, sku -> BucketTable.lockAll(session, sku.skuId()));
  }

  private Future<Void> delete(List<Sku> skus) {
    Items ids = Items.ofEach(skus.stream().map(Sku::skuId).toList());
    return AsyncLoop.forEach(PARTS, part -> session.updateEach(part, ids));
  }
}
