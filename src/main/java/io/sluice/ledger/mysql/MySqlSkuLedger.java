package io.sluice.ledger.mysql;

import io.sluice.db.Database;
import io.sluice.db.SqlSession;
import io.sluice.db.SqlStatement;
import io.sluice.ledger.Audit;
import io.sluice.ledger.BucketRow;
import io.sluice.ledger.Move.Borrow;
import io.sluice.ledger.OwnerRequest.RequestKind;
import io.sluice.ledger.Put;
import io.sluice.ledger.SkuLedger;
import io.sluice.ledger.SkuLedger.ArchiveResult;
import io.sluice.ledger.SkuLedger.Forgotten;
import io.sluice.ledger.SkuLedger.NewSku;
import io.sluice.ledger.SkuLedger.PutResult;
import io.sluice.ledger.SkuLedger.PutResult.TotalChange;
import io.sluice.ledger.rules.SkuRules;
import io.sluice.ledger.rules.SkuRules.Found;
import io.sluice.ledger.rules.SkuRules.Stock;
import io.sluice.model.BucketId;
import io.sluice.model.IfMatch;
import io.sluice.model.Sku;
import io.vertx.core.Future;
import io.vertx.sqlclient.Tuple;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;

/** The ledger for operators, in MySQL or MariaDB. Each call is one transaction. */
public final class MySqlSkuLedger implements SkuLedger {
  private final LedgerDatabase database;
  private final int partitions;

  /**
   * @param partitions of the order log, as {@link MySqlLedgerIdentity#orderLog} has fixed them
   */
  public MySqlSkuLedger(Database database, int partitions) {
    this(database, database, partitions);
  }

  /** The ledger for code that serves buyers: its single reads use connections of their own. */
  public MySqlSkuLedger(Database database, Database lookups, int partitions) {
    this.database = new LedgerDatabase(database, lookups);
    this.partitions = partitions;
  }

  /**
   * A concurrent PUT of the same SKU causes a duplicate key; the transaction runs again and finds
   * the SKU.
   */
  @Override
  public Future<PutResult> put(NewSku wanted) {
    return database.inTransaction(session -> put(session, wanted));
  }

  private Future<PutResult> put(SqlSession session, NewSku wanted) {
    return SkuTable.lock(session, wanted.skuId())
        .compose(
            was -> was.isPresent() ? change(session, was.get(), wanted) : create(session, wanted))
        .compose(result -> named(session, wanted.put(), result).map(result));
  }

  private Future<PutResult> create(SqlSession session, NewSku wanted) {
    return OrderTable.nowMs(session)
        .compose(
            nowMs ->
                SkuTable.shapes(session, List.of(wanted.skuId()))
                    .map(
                        deleted ->
                            new Found(Optional.empty(), Stock.NONE, deleted.get(wanted.skuId())))
                    .map(found -> SkuRules.put(found, wanted, partitions, nowMs))
                    .compose(
                        result ->
                            result instanceof PutResult.Done done
                                ? create(session, done.sku(), nowMs)
                                    .map(sku -> new PutResult.Done(sku, true))
                                : Future.succeededFuture(result)));
  }

  /** Looks at the buckets of a SKU only if the PUT has another total, or changes something. */
  private Future<PutResult> change(SqlSession session, Sku was, NewSku wanted) {
    return SkuRules.asksForTotal(was, wanted)
        ? SkuTransaction.on(session, was)
            .compose(
                held ->
                    held.stock()
                        .map(stock -> new Found(Optional.of(was), stock, null))
                        .map(found -> SkuRules.put(found, wanted, partitions, held.nowMs()))
                        .compose(result -> write(held, result)))
        : RestockTable.working(session, was.skuId())
            .map(id -> new Found(Optional.of(was), Stock.NONE.restocking(id), null))
            .compose(
                found ->
                    OrderTable.nowMs(session)
                        .map(nowMs -> SkuRules.put(found, wanted, partitions, nowMs)))
            .compose(
                result ->
                    isChange(was, result)
                        ? SkuTransaction.on(session, was).compose(held -> write(held, result))
                        : Future.succeededFuture(result));
  }

  private static boolean isChange(Sku was, PutResult result) {
    return result instanceof PutResult.Done done
        && (!done.sku().equals(was) || done.restock() != null);
  }

  private static Future<PutResult> write(SkuTransaction held, PutResult result) {
    if (!(result instanceof PutResult.Done done) || !isChange(held.sku(), result)) {
      return Future.succeededFuture(result);
    }
    TotalChange restock = done.restock();
    return restock == null
        ? held.write(done.sku()).map(result)
        : RestockTransaction.put(held, done.sku(), restock)
            .map(sku -> new PutResult.Done(sku, false, done.changed(), restock));
  }

  /** Another transaction may have named the SKU while this one has waited for it. */
  private static Future<Void> named(SqlSession session, Put put, PutResult result) {
    return result instanceof PutResult.Done done && !put.leaves("name")
        ? SkuTable.keepNames(
            session, Collections.singletonMap(done.sku().skuId(), done.sku().name()))
        : Future.succeededFuture();
  }

  private static Future<Sku> create(SqlSession session, Sku sku, long nowMs) {
    return SkuTransaction.create(session, List.of(sku), nowMs)
        .compose(
            created ->
                OutboxTable.insert(session, SkuTransaction.ChangedSku.ceilings(created), nowMs)
                    .map(created.get(0)));
  }

  @Override
  public Future<ChangeResult> change(long skuId, StateChange change, IfMatch ifMatch) {
    return database.inTransaction(
        session ->
            change == StateChange.FOLLOW
                ? StateTransaction.follow(session, skuId, ifMatch)
                : SkuTable.onLocked(
                    session,
                    skuId,
                    new ChangeResult.Unknown(),
                    sku -> StateTransaction.change(session, sku, change, ifMatch)));
  }

  @Override
  public Future<DeleteResult> delete(long skuId) {
    return database.inTransaction(session -> new DeleteTransaction(session).sku(skuId));
  }

  @Override
  public Future<RestockResult> restock(long skuId, String restockId, long qty, IfMatch ifMatch) {
    return database.inTransaction(
        session -> new RestockTransaction(session, restockId, qty, ifMatch).run(skuId));
  }

  @Override
  public Future<ArchiveResult> archive(long skuId) {
    return database.inTransaction(
        session -> ArchiveTransaction.ask(session, skuId, Optional.empty()));
  }

  @Override
  public Future<Forgotten> forget(String userId, String pseudonym) {
    return database.inTransaction(session -> ForgetTransaction.ask(session, userId, pseudonym));
  }

  @Override
  public Future<Map<Long, Sku>> skus(Collection<Long> skuIds) {
    return database
        .read(session -> SkuTable.read(session, skuIds))
        .map(found -> found.stream().collect(Collectors.toMap(Sku::skuId, Function.identity())));
  }

  @Override
  public Future<List<Sku>> skus(long afterSkuId, int limit) {
    return database.read(
        session ->
            session.select(
                SqlStatement.LIST_SKUS, Tuple.of(afterSkuId, limit), Columns.to(Sku.class)));
  }

  @Override
  public Future<Map<Long, List<BucketRow>>> bucketsOf(Collection<Long> skuIds) {
    return database.read(session -> BucketTable.ofSkus(session, skuIds));
  }

  @Override
  public Future<Optional<Audit>> audit(long skuId) {
    return database.read(session -> AuditTable.audit(session, skuId));
  }

  @Override
  public Future<Long> request(RequestKind kind, BucketId bucket) {
    return database.inTransaction(
        session ->
            BucketTable.read(session, bucket)
                .compose(row -> RequestTable.ask(session, kind, row.orElseThrow().placed())));
  }

  @Override
  public Future<Set<BucketId>> borrow(List<Borrow> borrows) {
    return borrows.isEmpty() || borrows.size() > BORROWS_MAX
        ? Future.failedFuture(
            new IllegalArgumentException(
                "Expected 1 to " + BORROWS_MAX + " requests, but got " + borrows.size()))
        : database.inTransactionOfReads(
            session ->
                OrderTable.nowMs(session)
                    .compose(nowMs -> RequestTable.borrow(session, borrows, UNSERVED_MAX, nowMs)));
  }

  @Override
  public Future<Long> requestReconcile(int partition) {
    return database.inTransaction(
        session -> RequestTable.askForAll(session, RequestKind.RECONCILE, partition));
  }

  @Override
  public Future<Map<Integer, String>> reports() {
    return database
        .read(
            session ->
                session.select(
                    SqlStatement.LIST_REPORTS,
                    Tuple.tuple(),
                    row -> Map.entry(row.getInteger(0), row.getString(1))))
        .map(
            reports ->
                reports.stream().collect(Collectors.toMap(Map.Entry::getKey, Map.Entry::getValue)));
  }

  @Override
  public Future<Optional<String>> answer(long requestId) {
    return database
        .read(
            session ->
                session.select(
                    SqlStatement.READ_ANSWER,
                    Tuple.of(requestId),
                    row -> Optional.ofNullable(row.getString(0))))
        .map(answers -> answers.isEmpty() ? Optional.empty() : answers.get(0));
  }
}
