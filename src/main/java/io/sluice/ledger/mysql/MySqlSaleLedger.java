package io.sluice.ledger.mysql;

import io.sluice.async.AsyncLoop;
import io.sluice.db.Database;
import io.sluice.db.SqlSession;
import io.sluice.db.SqlStatement;
import io.sluice.ledger.OrderJob;
import io.sluice.ledger.SaleLedger;
import io.sluice.ledger.SkuLedger.StateChange;
import io.sluice.ledger.mysql.SkuTransaction.ChangedSku;
import io.sluice.ledger.rules.SaleRules;
import io.sluice.model.IfMatch;
import io.sluice.model.Sale;
import io.sluice.model.Sku;
import io.sluice.model.SkuState;
import io.vertx.core.Future;
import io.vertx.sqlclient.Tuple;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.BiFunction;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;

/** The sales in MySQL or MariaDB. Each call is one transaction. */
public final class MySqlSaleLedger implements SaleLedger {
  private final LedgerDatabase database;
  private final int partitions;

  /**
   * @param lookups the database for reads; may be the same
   * @param partitions of the order log, as {@link MySqlLedgerIdentity#orderLog} has fixed them
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

  @Override
  public Future<DeleteResult> delete(String saleId) {
    return onLocked(
        saleId,
        new DeleteResult.Unknown(),
        (session, sale) -> new DeleteTransaction(session).sale(sale));
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
    return database.read(
        session ->
            session.select(
                SqlStatement.LIST_SALES_BEHIND,
                Tuple.of(afterSaleId, limit),
                row -> row.getString(0)));
  }

  @Override
  public Future<Optional<Seen>> sale(String saleId) {
    return database.read(session -> SaleTable.read(session, saleId));
  }

  @Override
  public Future<List<Seen>> sales(String afterSaleId, int limit) {
    return database.read(
        session ->
            session.select(
                SqlStatement.LIST_SALES, Tuple.of(afterSaleId, limit), Columns.to(Seen.class)));
  }

  @Override
  public Future<List<StateTotals>> totals(String saleId) {
    return database.read(
        session ->
            session.select(
                SqlStatement.SUM_SALE, Tuple.of(saleId, saleId), Columns.to(StateTotals.class)));
  }

  @Override
  public Future<List<Sku>> skusOf(String saleId, long afterSkuId, int limit) {
    return database.read(session -> SaleTable.skus(session, saleId, afterSkuId, limit));
  }

  @Override
  public Future<List<Member>> members(String saleId, long afterSkuId, int limit) {
    return database.read(session -> SaleTable.members(session, saleId, afterSkuId, limit));
  }

  // ---- jobs

  @Override
  public Future<OrderJob> startJob(OrderJob wanted) {
    return database.inTransaction(
        session ->
            session
                .update(
                    SqlStatement.INSERT_JOB,
                    Columns.of(
                        wanted.jobId(),
                        wanted.action(),
                        wanted.saleId(),
                        wanted.skuId(),
                        wanted.startedBy()))
                .compose(inserted -> readJob(session, wanted.jobId()))
                .map(Optional::orElseThrow));
  }

  @Override
  public Future<Optional<OrderJob>> job(String jobId) {
    return database.read(session -> readJob(session, jobId));
  }

  private static Future<Optional<OrderJob>> readJob(SqlSession session, String jobId) {
    return session.first(SqlStatement.READ_JOB, Tuple.of(jobId), Columns.to(OrderJob.class));
  }

  @Override
  public Future<List<OrderJob>> jobs(OrderJob.State state, int limit) {
    return database.read(
        session ->
            session.select(
                SqlStatement.LIST_JOBS, Columns.of(state, limit), Columns.to(OrderJob.class)));
  }

  @Override
  public Future<Optional<OrderJob>> takeJob(Duration lease) {
    return database.inTransaction(
        session ->
            session
                .first(SqlStatement.LOCK_FREE_JOB, Tuple.tuple(), Columns.to(OrderJob.class))
                .compose(
                    found ->
                        found.isPresent()
                            ? save(session, found.get(), lease)
                            : Future.succeededFuture(Optional.empty())));
  }

  @Override
  public Future<Optional<OrderJob>> saveJob(OrderJob job, Duration lease) {
    return database.inTransaction(session -> save(session, job, lease));
  }

  private static Future<Optional<OrderJob>> save(SqlSession session, OrderJob job, Duration lease) {
    return session
        .update(
            SqlStatement.UPDATE_JOB,
            Columns.of(
                job.state(),
                job.changed(),
                job.refused(),
                job.undone(),
                job.place(),
                lease.toMillis(),
                job.jobId(),
                job.version()))
        .compose(
            found ->
                found == 0
                    ? Future.succeededFuture(Optional.empty())
                    : readJob(session, job.jobId()));
  }

  @Override
  public Future<Optional<OrderJob>> stopJob(String jobId) {
    return database.inTransaction(
        session ->
            session
                .update(SqlStatement.STOP_JOB, Tuple.of(jobId))
                .compose(stopped -> readJob(session, jobId)));
  }

  /**
   * The next step from a change of a sale to its SKUs, in a transaction that has locked the sale.
   * How far it is can be seen in the SKUs alone, so any instance takes the next one.
   */
  private record SaleStep(SqlSession session, Sale sale) {
    /** False if there is nothing to do now. */
    Future<Boolean> take() {
      return SaleTable.skusBehind(session, sale, TAKE_OVER_SKUS_MAX)
          .compose(behind -> behind.isEmpty() ? afterwards() : takeOver(behind).map(true));
    }

    private Future<Void> takeOver(List<Long> behind) {
      List<Long> some =
          sale.isArchiving()
              ? behind.subList(0, Math.min(behind.size(), TAKE_OVER_ARCHIVES_MAX))
              : behind;
      return askArchive(some)
          .compose(asked -> SkuTable.lockEach(session, some))
          .compose(skus -> write(SaleRules.firstStep(skus), sku -> SaleRules.takeOver(sale, sku)));
    }

    /** Of an ended SKU; one that is archived already has nothing to do. */
    private Future<Void> askArchive(List<Long> skuIds) {
      return sale.isArchiving()
          ? AsyncLoop.forEach(
              skuIds,
              skuId -> ArchiveTransaction.ask(session, skuId, Optional.empty()).<Void>mapEmpty())
          : Future.succeededFuture();
    }

    private Future<Void> write(List<Sku> skus, UnaryOperator<Sku> change) {
      List<ChangedSku> changed =
          skus.stream().map(sku -> new ChangedSku(sku, change.apply(sku))).toList();
      return OrderTable.nowMs(session).compose(nowMs -> ChangedSku.write(session, changed, nowMs));
    }

    /** Once all SKUs have the last change. */
    private Future<Boolean> afterwards() {
      if (sale.state() == SkuState.ENDING) {
        return endSome();
      }
      return sale.isArchiving()
          ? askEarlier()
          : SaleTable.takenOver(session, sale.saleId()).map(false);
    }

    /** The archive for SKUs that have left the sale. Their orders of it move beside a later one. */
    private Future<Boolean> askEarlier() {
      return SaleTable.leftToArchive(session, sale.saleId(), TAKE_OVER_ARCHIVES_MAX)
          .compose(
              left ->
                  left.isEmpty()
                      ? archivedIfAll()
                      : AsyncLoop.forEach(
                              left,
                              one ->
                                  ArchiveTransaction.ask(
                                          session, one.skuId(), Optional.of(one.saleNo()))
                                      .<Void>mapEmpty())
                          .map(true));
    }

    private Future<Boolean> endSome() {
      return toEnd()
          .compose(
              found ->
                  found.isEmpty()
                      ? endedIfAll()
                      : SkuTable.lockEach(session, found)
                          .compose(this::stillToEnd)
                          .compose(
                              skus ->
                                  write(SaleRules.firstStep(skus), SaleRules::ending)
                                      .map(!skus.isEmpty())));
    }

    private Future<List<Long>> toEnd() {
      return SaleTable.skusToEnd(session, sale, TAKE_OVER_SKUS_MAX);
    }

    /** A SKU may have changed before it was locked. */
    private Future<List<Sku>> stillToEnd(List<Sku> locked) {
      return toEnd()
          .map(
              found -> {
                Set<Long> still = new HashSet<>(found);
                return locked.stream()
                    .filter(sku -> SaleRules.mayEnd(sku) && still.contains(sku.skuId()))
                    .toList();
              });
    }

    private Future<Boolean> endedIfAll() {
      return SaleTable.ahead(session, sale)
          .compose(ahead -> ahead.unended() > 0 ? stays() : becomes(SaleRules.ended(sale)));
    }

    private Future<Boolean> archivedIfAll() {
      return SaleTable.ahead(session, sale)
          .compose(ahead -> ahead.unarchived() > 0 ? stays() : becomes(SaleRules.archived(sale)));
    }

    /** Looked at again, as long as it is behind. */
    private static Future<Boolean> stays() {
      return Future.succeededFuture(false);
    }

    private Future<Boolean> becomes(Sale now) {
      return SaleTable.update(session, now)
          .compose(done -> SaleTable.takenOver(session, sale.saleId()))
          .map(false);
    }
  }
}
