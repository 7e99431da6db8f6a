package io.sluice.ledger.mysql;

import io.micrometer.core.instrument.Timer;
import io.sluice.db.Database;
import io.sluice.db.SqlStatement;
import io.sluice.ledger.Fence;
import io.sluice.ledger.Instances;
import io.sluice.ledger.Instances.InstanceSettings;
import io.sluice.ledger.Ledger;
import io.sluice.ledger.SkuLedger;
import io.sluice.ledger.StillBucket;
import io.sluice.ledger.TxnSums;
import io.sluice.ledger.mysql.table.AuditTable;
import io.sluice.ledger.mysql.table.BucketTable;
import io.sluice.ledger.mysql.table.CorrectionTable;
import io.sluice.ledger.mysql.table.OrderTable;
import io.sluice.ledger.mysql.table.RequestTable;
import io.sluice.ledger.mysql.table.SkuTable;
import io.sluice.ledger.rules.BatchSnapshot;
import io.sluice.ledger.rules.DeadCause;
import io.sluice.metrics.Meters;
import io.sluice.model.BucketId;
import io.sluice.model.Command;
import io.sluice.model.Grant;
import io.sluice.model.Order;
import io.sluice.model.OrderToken;
import io.vertx.core.Future;
import io.vertx.sqlclient.Tuple;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * The ledger in MySQL or MariaDB. Each call is one transaction; the larger ones have a class of
 * their own.
 */
public final class MySqlLedger extends MySqlMoves implements Ledger {
  private final Instances instances;
  private final CartLines carts;
  private final Freshness freshness = new Freshness(System::nanoTime);

  public MySqlLedger(Database database, Meters meters) {
    this(database, database, meters);
  }

  /** The ledger for code that serves buyers: its single reads use connections of their own. */
  public MySqlLedger(Database database, Database lookups, Meters meters) {
    super(new LedgerDatabase(database, lookups), meters);
    this.carts = new CartLines(this.database);
    this.instances = new MySqlInstances(database);
    for (DeadCause cause : DeadCause.values()) {
      // So that the first one of a cause is an increase.
      meters.booking().deadLettered(cause.word(), 0);
    }
  }

  @Override
  public Future<Result> apply(Step step, List<Command> commands) {
    Timer.Sample begun = meters.booking().begin();
    return carts
        .apply(step, commands)
        .onSuccess(
            outcome -> {
              if (outcome.result() instanceof Result.Applied && !commands.isEmpty()) {
                meters.booking().applied(begun, commands.size());
                meters
                    .booking()
                    .booked(outcome.orders(), outcome.repeated(), outcome.bookedLagMs());
              }
            })
        .map(this::counted);
  }

  private Result counted(BatchTransaction.Outcome outcome) {
    if (outcome.result() instanceof Result.Applied applied) {
      count(applied, outcome.dead());
      outcome.timeoutLagsMs().forEach(meters::timedOut);
    }
    return outcome.result();
  }

  private void count(Result.Applied applied, Map<DeadCause, Integer> dead) {
    dead.forEach((cause, commands) -> meters.booking().deadLettered(cause.word(), commands));
    meters.staleGrantsDropped(applied.stale().size());
    meters.gateFoundFull(applied.full().size());
  }

  @Override
  public Future<Booked> book(Supplier<List<Grant>> grants) {
    return carts
        .applyUnfenced(() -> BatchSnapshot.reservesOf(grants.get()), freshness)
        .onSuccess(done -> count(done.changes().applied(), done.changes().dead()))
        .map(done -> done.changes().booked(done.snapshot()));
  }

  @Override
  public Future<Void> rehearse(Step step, List<Command> commands) {
    return carts.rehearse(step, commands).mapEmpty();
  }

  @Override
  public Future<Long> nowMs() {
    return database.read(OrderTable::nowMs);
  }

  @Override
  public Future<InstanceSettings> longestSettings() {
    return instances.longest();
  }

  @Override
  public Future<DuePage> due(int partition, DuePlace after, long dueMs, int limit) {
    return database.read(session -> OrderTable.due(session, partition, after, dueMs, limit));
  }

  @Override
  public Future<Map<OrderToken, Order>> orders(Collection<OrderToken> tokens) {
    return database.read(session -> OrderTable.readWhole(session, tokens));
  }

  @Override
  public Future<Integer> purgeRequests(int partition, long beforeMs, int limit) {
    return database.read(session -> RequestTable.purge(session, partition, beforeMs, limit));
  }

  @Override
  public Future<List<BucketRow>> buckets(int partition, Optional<BucketId> after, int limit) {
    return database.read(session -> BucketTable.page(session, partition, after, limit));
  }

  @Override
  public Future<List<BucketId>> goneBuckets(int partition, Optional<BucketId> after, int limit) {
    return database.read(session -> BucketTable.gonePage(session, partition, after, limit));
  }

  @Override
  public Future<Void> endClosed(long skuId, long closedForMs) {
    return database.inTransaction(session -> EndTransaction.endClosed(session, skuId, closedForMs));
  }

  @Override
  public Future<Map<Long, List<BucketRow>>> bucketsOf(Collection<Long> skuIds) {
    return database.read(session -> BucketTable.ofSkus(session, skuIds));
  }

  @Override
  public Future<Optional<BucketRow>> bucket(BucketId id) {
    return database.read(session -> BucketTable.read(session, id));
  }

  @Override
  public Future<List<BucketId>> ofSameSale(
      int partition, long skuId, Optional<BucketId> after, int limit) {
    return database.read(
        session -> BucketTable.ofSameSale(session, partition, skuId, after, limit));
  }

  @Override
  public Future<Optional<BucketRow>> raiseEpoch(Fence fence, BucketId id, long epochSeen) {
    return database
        .inTransaction(session -> EndTransaction.raiseEpoch(session, fence, id, epochSeen))
        .onSuccess(
            raised -> {
              if (raised.isPresent()) {
                meters.booking().rebuildBegun();
              }
            });
  }

  @Override
  public Future<List<LoadRow>> loadRows(BucketRow bucket, Optional<LoadRow> after, int limit) {
    return database.read(session -> OrderTable.loadRows(session, bucket, after, limit));
  }

  @Override
  public Future<Optional<SkuLedger.Audit>> audit(long skuId, int rowsMax) {
    return database.read(session -> AuditTable.audit(session, skuId, rowsMax));
  }

  @Override
  public Future<Optional<Mark>> mark(long skuId) {
    return database.inTransaction(session -> AuditTable.mark(session, skuId));
  }

  @Override
  public Future<TxnSums> sum(Mark mark, TxnSums before, int rowsMax) {
    return database.read(session -> AuditTable.sum(session, mark, before, rowsMax));
  }

  @Override
  public Future<Void> freezeSku(long skuId, String why) {
    return database
        .inTransaction(
            session ->
                SkuTable.lock(session, skuId)
                    .compose(
                        sku ->
                            sku.isPresent()
                                ? StateTransaction.freeze(session, sku.get(), why)
                                : Future.succeededFuture(false)))
        .onSuccess(
            frozen -> {
              if (frozen) {
                meters.skuFrozen();
              }
            })
        .mapEmpty();
  }

  @Override
  public Future<Void> correct(Correction correction) {
    return database
        .inTransaction(
            session ->
                OrderTable.nowMs(session)
                    .compose(nowMs -> CorrectionTable.insert(session, correction, nowMs)))
        .onSuccess(written -> meters.corrected());
  }

  @Override
  public Future<List<Correction>> corrections(int limit) {
    return database.read(session -> CorrectionTable.last(session, limit));
  }

  @Override
  public <T> Future<Optional<T>> compare(
      Fence fence, BucketId id, Function<StillBucket, Future<T>> look) {
    return database.inTransaction(
        session ->
            HeldBucket.hold(session, fence, id)
                .compose(
                    held ->
                        held.isPresent()
                            ? look.apply(held.get()).map(Optional::of)
                            : Future.succeededFuture(Optional.empty())));
  }

  @Override
  public Future<Void> reported(int partition, String report) {
    return database
        .read(
            session ->
                session.update(SqlStatement.KEEP_REPORT, Tuple.of(partition, report, report)))
        .mapEmpty();
  }

  @Override
  public Future<List<OwnerRequest>> openRequests(
      Collection<Integer> partitionNumbers, long afterId, int limit) {
    return database.read(session -> RequestTable.open(session, partitionNumbers, afterId, limit));
  }

  @Override
  public Future<Void> answerRequests(Collection<Long> ids, String answer) {
    return database.read(session -> RequestTable.answer(session, ids, answer));
  }
}
