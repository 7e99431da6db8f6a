package io.sluice.ledger.mysql;

import io.sluice.db.Database;
import io.sluice.db.SqlSession;
import io.sluice.db.SqlStatement;
import io.sluice.ledger.Audit;
import io.sluice.ledger.BucketRow;
import io.sluice.ledger.LedgerIdentity;
import io.sluice.ledger.Move.Borrow;
import io.sluice.ledger.OwnerRequest.RequestKind;
import io.sluice.ledger.Put;
import io.sluice.ledger.SkuLedger;
import io.sluice.ledger.SkuLedger.ArchiveResult;
import io.sluice.ledger.SkuLedger.Forgotten;
import io.sluice.ledger.SkuLedger.NewSku;
import io.sluice.ledger.SkuLedger.PutResult;
import io.sluice.ledger.rules.SkuRules;
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
   * @param partitions of the order log, as {@link LedgerIdentity#orderLog} has fixed them
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
            was ->
                OrderTable.nowMs(session)
                    .compose(
                        nowMs ->
                            put(session, was, SkuRules.put(was, wanted, partitions, nowMs), nowMs)))
        .compose(result -> named(session, wanted.put(), result).map(result));
  }

  /** Another transaction may have named the SKU while this one has waited for it. */
  private static Future<Void> named(SqlSession session, Put put, PutResult result) {
    return result instanceof PutResult.Done done && !put.leaves("name")
        ? SkuTable.keepNames(
            session, Collections.singletonMap(done.sku().skuId(), done.sku().name()))
        : Future.succeededFuture();
  }

  private static Future<PutResult> put(
      SqlSession session, Optional<Sku> was, PutResult result, long nowMs) {
    if (!(result instanceof PutResult.Done done)) {
      return Future.succeededFuture(result);
    }
    if (was.isEmpty()) {
      Sku wanted = done.sku();
      return SkuTable.shapes(session, List.of(wanted.skuId()))
          .map(shapes -> Optional.ofNullable(shapes.get(wanted.skuId())))
          .map(found -> found.flatMap(one -> one.conflict(wanted.buckets(), wanted.mode())))
          .compose(
              conflict ->
                  conflict.isPresent()
                      ? Future.succeededFuture(conflict.get())
                      : create(session, wanted, nowMs)
                          .map(sku -> new PutResult.Done(sku, done.created(), done.changed())));
    }
    return done.sku().equals(was.get())
        ? Future.succeededFuture(result)
        : SkuTransaction.on(session, was.get()).compose(held -> held.write(done.sku())).map(result);
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
  public Future<ArchiveResult> archiveSale(long skuId, long saleNo) {
    return database.inTransaction(
        session -> ArchiveTransaction.ask(session, skuId, Optional.of(saleNo)));
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
