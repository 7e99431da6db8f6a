package io.sluice.ledger.mysql;

import io.sluice.db.Database;
import io.sluice.db.SqlSession;
import io.sluice.db.SqlStatement;
import io.sluice.ledger.DirectLedger;
import io.sluice.ledger.DirectLedger.NumberedEvent;
import io.sluice.ledger.OutboxRow;
import io.sluice.ledger.OutboxRow.OutboxKind;
import io.sluice.ledger.Reading;
import io.sluice.ledger.rules.OutboxList;
import io.sluice.metrics.Meters;
import io.sluice.metrics.ProcessMeters.Rare;
import io.sluice.model.BucketId;
import io.sluice.model.Command;
import io.sluice.model.Order;
import io.sluice.model.OrderToken;
import io.sluice.model.Placement;
import io.vertx.core.Future;
import io.vertx.sqlclient.Tuple;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.stream.IntStream;

/** The SKUs that sell in the ledger alone, in MySQL or MariaDB. */
public final class MySqlDirectLedger implements DirectLedger {
  private final LedgerDatabase database;
  private final Meters meters;
  private final Freshness freshness = new Freshness(System::nanoTime);
  private final SaleIds sales = new SaleIds();
  private final RepeatedBatches batches;

  /**
   * @param lookups the database for single reads; may be the same
   */
  public MySqlDirectLedger(Database database, Database lookups, Meters meters) {
    this.database = new LedgerDatabase(database, lookups);
    this.meters = meters;
    this.batches = new RepeatedBatches(this.database, sales);
  }

  @Override
  public Future<List<Outcome>> place(Map<Long, Long> saleNos, Supplier<List<Wish>> wishes) {
    return database
        .inTransaction(
            session ->
                new DirectTransaction(
                        session, saleNos, sales, wishes.get(), freshness.isLikely(session))
                    .place())
        .onSuccess(outcomes -> outcomes.forEach(this::remember));
  }

  private void remember(Outcome outcome) {
    if (outcome instanceof Outcome.Booked booked) {
      batches.remember(booked.order());
    }
  }

  @Override
  public Future<Boolean> gather(BucketId bucket, int qty) {
    return database.inTransaction(session -> MoveTransaction.gather(session, bucket, qty));
  }

  @Override
  public Future<Map<OrderToken, Order>> apply(List<Command> commands) {
    return batches
        .applyDirect(commands)
        .onSuccess(done -> done.changes().timeoutLagsMs().forEach(meters::timedOut))
        .map(done -> done.changes().booked(done.snapshot()).orders());
  }

  @Override
  public Future<Boolean> keepReading(long since, Reading reading, boolean outage) {
    return database
        .inTransaction(
            session ->
                lock(session, Duty.READING)
                    .compose(locked -> PartitionTable.reading(session, Placement.DIRECT))
                    .compose(
                        kept ->
                            kept.map(Reading::readAtMs).orElse(0L) == since
                                ? PartitionTable.keepReadingAlone(
                                        session, Placement.DIRECT, reading)
                                    .map(true)
                                : Future.succeededFuture(false)))
        .onSuccess(
            kept -> {
              if (kept && outage) {
                meters.count(Rare.PAYMENTS_INTERRUPTED);
              }
            });
  }

  @Override
  public Future<Void> crossMarks(long afterSkuId, int limit) {
    return database.inTransaction(
        session ->
            lock(session, Duty.MARKS)
                .compose(
                    locked ->
                        WatermarkTransaction.crossAlone(
                            session, Placement.DIRECT, afterSkuId, limit)));
  }

  /** No order is booked while its SKU is ENDING, so the buyers that are left only become fewer. */
  @Override
  public Future<Boolean> endBucket(BucketId bucket, int buyersMax) {
    return database
        .inTransaction(session -> BucketTransaction.forgetDirect(session, bucket, buyersMax))
        .compose(
            forgotten ->
                forgotten == buyersMax
                    ? Future.succeededFuture(true)
                    : database
                        .inTransaction(session -> BucketTransaction.endDirect(session, bucket))
                        .map(false));
  }

  @Override
  public Future<Boolean> numberEvents(int rowsMax) {
    return database.inTransaction(
        session ->
            PartitionTable.byPartition(session)
                .compose(
                    fences ->
                        fences.isEmpty()
                            ? number(session, rowsMax)
                            : Future.succeededFuture(false)));
  }

  private static Future<Boolean> number(SqlSession session, int rowsMax) {
    return lock(session, Duty.EVENTS)
        .compose(
            last ->
                OutboxTable.pending(session, Placement.DIRECT, OutboxKind.EVENT, 0, rowsMax)
                    .compose(
                        rows ->
                            rows.isEmpty()
                                ? Future.succeededFuture(false)
                                : number(session, last, rows).map(rows.size() == rowsMax)));
  }

  private static Future<Void> number(SqlSession session, long last, List<OutboxRow> rows) {
    List<String> payloads = OutboxList.allEntries(rows).toList();
    long after = last + payloads.size();
    return OrderTable.nowMs(session)
        .compose(
            nowMs ->
                session.insert(
                    SqlStatement.INSERT_DIRECT_EVENTS,
                    IntStream.range(0, payloads.size())
                        .mapToObj(i -> Tuple.of(last + 1 + i, payloads.get(i), nowMs))
                        .toList()))
        .compose(
            done ->
                session.updateOne(SqlStatement.UPDATE_DUTY, Tuple.of(after, Duty.EVENTS.name())))
        .compose(done -> OutboxTable.sent(session, rows));
  }

  @Override
  public Future<List<NumberedEvent>> events(long after, int limit) {
    return database.read(
        session ->
            session.select(
                SqlStatement.LIST_DIRECT_EVENTS,
                Tuple.of(after, limit),
                Columns.to(NumberedEvent.class)));
  }

  @Override
  public Future<EventNumbers> eventNumbers() {
    return database.read(
        session ->
            session.only(
                SqlStatement.READ_EVENT_NUMBERS,
                Tuple.of(Duty.EVENTS.name()),
                Columns.to(EventNumbers.class)));
  }

  @Override
  public Future<Integer> purgeEvents(long olderThanMs, int limit) {
    return database.inTransaction(
        session ->
            OrderTable.nowMs(session)
                .compose(
                    nowMs ->
                        session.only(
                            SqlStatement.LIST_PURGEABLE_EVENTS,
                            Tuple.of(limit, nowMs - olderThanMs),
                            row -> Optional.ofNullable(row.getLong(0))))
                .compose(
                    last ->
                        last.isEmpty()
                            ? Future.succeededFuture(0)
                            : session.update(
                                SqlStatement.DELETE_DIRECT_EVENTS, Tuple.of(last.get()))));
  }

  // ---- statements

  /** The tasks that instances do in turn; the names of the rows. */
  private enum Duty {
    EVENTS,
    MARKS,
    READING
  }

  /** The value of a duty, which is locked until the transaction ends. */
  private static Future<Long> lock(SqlSession session, Duty duty) {
    return session.only(SqlStatement.LOCK_DUTY, Tuple.of(duty.name()), row -> row.getLong(0));
  }
}
