package io.sluice.ledger;

import io.sluice.db.Database;
import io.sluice.db.SqlSession;
import io.sluice.db.SqlStatement;
import io.sluice.ledger.Ledger.BucketRow;
import io.sluice.ledger.Ledger.RequestKind;
import io.sluice.model.BucketId;
import io.sluice.model.Sku;
import io.vertx.core.Future;
import io.vertx.sqlclient.Tuple;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;

/** The ledger of operators in MySQL or MariaDB: each call one transaction. */
public final class MySqlSkuLedger implements SkuLedger {
  private final LedgerDatabase database;
  private final int partitions;

  /**
   * A ledger for an order log of so many partitions.
   *
   * @param partitions as {@link Foundation#orderLog} has fixed it
   */
  public MySqlSkuLedger(Database database, int partitions) {
    this(database, database, partitions);
  }

  /** The same for those who serve buyers: its single reads have connections of their own. */
  public MySqlSkuLedger(Database database, Database lookups, int partitions) {
    this.database = new LedgerDatabase(database, lookups);
    this.partitions = partitions;
  }

  /** A twin's PUT that came in between is a duplicate key; the transaction then finds the SKU. */
  @Override
  public Future<PutResult> put(NewSku wish) {
    return database.inTransaction(session -> new PutTransaction(session, partitions, wish).run());
  }

  @Override
  public Future<ChangeResult> change(long skuId, StateChange change) {
    return database.inTransaction(
        session ->
            SkuTable.lock(session, skuId)
                .compose(
                    sku ->
                        sku.isPresent()
                            ? StateTransaction.change(session, partitions, sku.get(), change)
                            : Future.succeededFuture(new ChangeResult.Unknown())));
  }

  @Override
  public Future<RestockResult> restock(long skuId, String restockId, long qty) {
    return database.inTransaction(
        session -> new RestockTransaction(session, partitions, restockId, qty).run(skuId));
  }

  @Override
  public Future<Map<Long, Sku>> skus(Collection<Long> skuIds) {
    return database
        .read(session -> SkuTable.read(session, skuIds))
        .map(found -> found.stream().collect(Collectors.toMap(Sku::skuId, Function.identity())));
  }

  @Override
  public Future<List<Sku>> skus(long afterSkuId, int limit) {
    return database.read(session -> SkuTable.page(session, afterSkuId, limit));
  }

  @Override
  public Future<Map<Long, List<BucketRow>>> bucketsOf(Collection<Long> skuIds) {
    return database
        .read(session -> BucketTable.ofSkus(session, skuIds))
        .map(found -> found.stream().collect(Collectors.groupingBy(row -> row.id().skuId())));
  }

  @Override
  public Future<Optional<Audit>> audit(long skuId) {
    return database.read(session -> AuditTable.audit(session, skuId));
  }

  @Override
  public Future<Long> request(RequestKind kind, BucketId bucket) {
    return database.inTransaction(session -> request(session, partitions, kind, bucket));
  }

  /** The id of the open request of this kind for this bucket, which may have been there before. */
  static Future<Long> request(
      SqlSession session, int partitions, RequestKind kind, BucketId bucket) {
    String payload = OutboxPayload.bucketJson(bucket).encode();
    return ask(session, bucket.partition(partitions), kind, payload, kind + ":" + bucket);
  }

  @Override
  public Future<Long> requestReconcile(int partition) {
    return database.inTransaction(session -> askForAll(session, RequestKind.RECONCILE, partition));
  }

  /** The same for a request about all buckets of a partition. */
  static Future<Long> askForAll(SqlSession session, RequestKind kind, int partition) {
    String payload = OutboxPayload.partitionJson(partition).encode();
    return ask(session, partition, kind, payload, openKey(kind, partition));
  }

  private static String openKey(RequestKind kind, int partition) {
    return kind + ":partition " + partition;
  }

  /** Whether that is asked and not answered yet. */
  static Future<Boolean> isAskedForAll(SqlSession session, RequestKind kind, int partition) {
    return session
        .select(
            SqlStatement.FIND_OPEN_REQUEST,
            Tuple.of(openKey(kind, partition)),
            row -> row.getLong(0))
        .map(found -> !found.isEmpty());
  }

  private static Future<Long> ask(
      SqlSession session, int partition, RequestKind kind, String payload, String openKey) {
    return OrderTable.nowMs(session)
        .compose(
            nowMs ->
                session.update(
                    SqlStatement.INSERT_REQUEST,
                    Tuple.of(partition, kind.name(), payload, openKey, nowMs)))
        .compose(
            written ->
                session.select(
                    SqlStatement.FIND_OPEN_REQUEST, Tuple.of(openKey), row -> row.getLong(0)))
        .map(ids -> ids.get(0));
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
