package io.sluice.ledger.mysql;

import io.sluice.db.Database;
import io.sluice.db.SqlSession;
import io.sluice.ledger.LedgerIdentity;
import io.sluice.ledger.SaleLedger;
import io.sluice.ledger.SkuLedger.StateChange;
import io.sluice.ledger.mysql.table.OrderTable;
import io.sluice.ledger.mysql.table.SaleTable;
import io.sluice.ledger.mysql.table.SkuTable;
import io.sluice.ledger.rules.SaleRules;
import io.sluice.model.Sale;
import io.sluice.model.Sku;
import io.vertx.core.Future;
import java.util.List;
import java.util.Optional;

/** The sales in MySQL or MariaDB. Each call is one transaction. */
public final class MySqlSaleLedger implements SaleLedger {
  private final LedgerDatabase database;
  private final int partitions;

  /**
   * @param lookups the database for reads; may be the same
   * @param partitions of the order log, as {@link LedgerIdentity#orderLog} has fixed them
   */
  public MySqlSaleLedger(Database database, Database lookups, int partitions) {
    this.database = new LedgerDatabase(database, lookups);
    this.partitions = partitions;
  }

  /** A concurrent PUT of the same sale or SKU is a duplicate key; the transaction runs again. */
  @Override
  public Future<PutResult> put(NewSale wanted) {
    return database.inTransaction(session -> new SalePut(session, partitions, wanted).run());
  }

  @Override
  public Future<ChangeResult> change(String saleId, StateChange change) {
    return database.inTransaction(
        session ->
            SaleTable.lock(session, saleId)
                .compose(
                    sale ->
                        sale.isPresent()
                            ? change(session, sale.get(), change)
                            : Future.succeededFuture(new ChangeResult.Unknown())));
  }

  private static Future<ChangeResult> change(SqlSession session, Sale sale, StateChange change) {
    if (SaleRules.barredByFreeze(sale, change)) {
      return Future.succeededFuture(new ChangeResult.IsFrozen());
    }
    return OrderTable.nowMs(session)
        .map(nowMs -> SaleRules.change(sale, change, nowMs))
        .compose(
            changed ->
                (changed.equals(sale)
                        ? Future.<Void>succeededFuture()
                        : SaleTable.update(session, changed))
                    .map(new ChangeResult.Done(changed)));
  }

  @Override
  public Future<Boolean> takeOver(String saleId) {
    return database.inTransaction(
        session ->
            SaleTable.lock(session, saleId)
                .compose(
                    sale ->
                        sale.isPresent()
                            ? takeOver(session, sale.get())
                            : Future.succeededFuture(false)));
  }

  private static Future<Boolean> takeOver(SqlSession session, Sale sale) {
    return SaleTable.skusBehind(session, sale, TAKE_OVER_SKUS_MAX)
        .compose(
            behind ->
                behind.isEmpty()
                    ? SaleTable.takenOver(session, sale.saleId()).map(false)
                    : SkuTable.lockEach(session, behind)
                        .compose(skus -> takeOver(session, sale, skus))
                        .map(true));
  }

  private static Future<Void> takeOver(SqlSession session, Sale sale, List<Sku> skus) {
    List<ChangedSku> changed =
        SaleRules.firstStep(skus).stream()
            .map(sku -> new ChangedSku(sku, SaleRules.takeOver(sale, sku)))
            .toList();
    return OrderTable.nowMs(session).compose(nowMs -> ChangedSku.write(session, changed, nowMs));
  }

  @Override
  public Future<List<String>> behind(int limit) {
    return database.read(session -> SaleTable.behind(session, limit));
  }

  @Override
  public Future<Optional<Seen>> sale(String saleId) {
    return database.read(session -> SaleTable.read(session, saleId));
  }

  @Override
  public Future<List<Seen>> sales(String afterSaleId, int limit) {
    return database.read(session -> SaleTable.page(session, afterSaleId, limit));
  }

  @Override
  public Future<List<StateTotals>> totals(String saleId) {
    return database.read(session -> SaleTable.totals(session, saleId));
  }

  @Override
  public Future<List<Sku>> skusOf(String saleId, long afterSkuId, int limit) {
    return database.read(session -> SaleTable.skus(session, saleId, afterSkuId, limit));
  }
}
