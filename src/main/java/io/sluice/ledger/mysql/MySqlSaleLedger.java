package io.sluice.ledger.mysql;

import io.sluice.db.Database;
import io.sluice.db.SqlSession;
import io.sluice.ledger.LedgerIdentity;
import io.sluice.ledger.SaleLedger;
import io.sluice.ledger.SkuLedger.StateChange;
import io.sluice.ledger.rules.SaleRules;
import io.sluice.model.IfMatch;
import io.sluice.model.Sale;
import io.sluice.model.Sku;
import io.vertx.core.Future;
import java.util.List;
import java.util.Optional;
import java.util.function.BiFunction;
import java.util.function.Predicate;

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
  public Future<ChangeResult> change(String saleId, StateChange change, IfMatch ifMatch) {
    return changed(saleId, sale -> true, change, ifMatch);
  }

  @Override
  public Future<Void> endClosed(String saleId, long closedForMs) {
    return changed(
            saleId,
            seen -> seen.sale().isClosedFor(closedForMs, seen.nowMs()),
            StateChange.END,
            IfMatch.NOTHING)
        .mapEmpty();
  }

  @Override
  public Future<ChangeResult> archive(String saleId, IfMatch ifMatch) {
    return onMatching(
        saleId,
        ifMatch,
        (session, sale) ->
            sale.state().isEnded()
                ? written(session, sale, SaleRules.archiving(sale))
                : Future.succeededFuture(new ChangeResult.NotEnded()));
  }

  /** Changes a sale, unless it is not as expected. */
  private Future<ChangeResult> changed(
      String saleId, Predicate<Seen> expected, StateChange change, IfMatch ifMatch) {
    return onMatching(
        saleId,
        ifMatch,
        (session, sale) ->
            OrderTable.nowMs(session)
                .compose(
                    nowMs ->
                        expected.test(new Seen(sale, nowMs))
                            ? change(session, sale, change, nowMs)
                            : Future.succeededFuture(new ChangeResult.Done(sale))));
  }

  private Future<ChangeResult> onMatching(
      String saleId, IfMatch ifMatch, BiFunction<SqlSession, Sale, Future<ChangeResult>> work) {
    return onLocked(
        saleId,
        new ChangeResult.Unknown(),
        (session, sale) ->
            ifMatch.isMet(Optional.of(sale.tag()))
                ? work.apply(session, sale)
                : Future.succeededFuture(new ChangeResult.Moved()));
  }

  private static Future<ChangeResult> change(
      SqlSession session, Sale sale, StateChange change, long nowMs) {
    if (SaleRules.barredByEnd(sale, change)) {
      return Future.succeededFuture(new ChangeResult.IsEnding());
    }
    return SaleRules.barredByFreeze(sale, change)
        ? Future.succeededFuture(new ChangeResult.IsFrozen())
        : written(session, sale, SaleRules.change(sale, change, nowMs));
  }

  private static Future<ChangeResult> written(SqlSession session, Sale was, Sale now) {
    return (now.equals(was) ? Future.<Void>succeededFuture() : SaleTable.update(session, now))
        .map(new ChangeResult.Done(now));
  }

  @Override
  public Future<Boolean> takeOver(String saleId) {
    return onLocked(saleId, false, (session, sale) -> new SaleStep(session, sale).take());
  }

  /**
   * @param none the result if there is no such sale
   */
  private <T> Future<T> onLocked(
      String saleId, T none, BiFunction<SqlSession, Sale, Future<T>> work) {
    return database.inTransaction(
        session ->
            SaleTable.lock(session, saleId)
                .compose(
                    sale ->
                        sale.isPresent()
                            ? work.apply(session, sale.get())
                            : Future.succeededFuture(none)));
  }

  @Override
  public Future<List<String>> behind(String afterSaleId, int limit) {
    return database.read(session -> SaleTable.behind(session, afterSaleId, limit));
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

  @Override
  public Future<List<Member>> members(String saleId, long afterSkuId, int limit) {
    return database.read(session -> EarlierSaleTable.members(session, saleId, afterSkuId, limit));
  }
}
