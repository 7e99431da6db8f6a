package io.sluice.ledger.mysql.table;

import io.sluice.db.SqlSession;
import io.sluice.db.SqlStatement;
import io.sluice.ledger.Audits.Mark;
import io.sluice.ledger.SkuLedger.Audit;
import io.sluice.ledger.StockTxn.Action;
import io.sluice.ledger.TxnSums;
import io.sluice.ledger.TxnSums.Place;
import io.sluice.ledger.mysql.table.LedgerRows.LockedBucket;
import io.vertx.core.Future;
import io.vertx.sqlclient.Row;
import io.vertx.sqlclient.Tuple;
import java.util.List;
import java.util.Optional;
import java.util.function.ToLongFunction;

/** Sums the append-only rows of a SKU: all at once, or in slices. */
public final class AuditTable {
  private static final List<Action> ACTIONS = List.of(Action.values());

  private AuditTable() {}

  /** The audit of a SKU with at most {@code rowsMax} rows; empty where it has more. */
  public static Future<Optional<Audit>> audit(SqlSession session, long skuId, int rowsMax) {
    return session
        .select(SqlStatement.COUNT_TXNS, Tuple.of(skuId, rowsMax + 1), row -> row.getInteger(0))
        .compose(
            counted ->
                counted.get(0) > rowsMax
                    ? Future.succeededFuture(Optional.empty())
                    : audit(session, skuId));
  }

  /** The sums of a SKU against its rows; empty where there is no such SKU. */
  public static Future<Optional<Audit>> audit(SqlSession session, long skuId) {
    return session
        .select(
            SqlStatement.READ_AUDIT,
            Tuple.of(skuId, skuId, skuId),
            row ->
                new Audit(
                    row.getLong(0),
                    row.getLong(1),
                    row.getLong(2),
                    row.getLong(3),
                    row.getLong(4),
                    row.getLong(5),
                    row.getLong(6)))
        .map(audits -> audits.stream().findFirst());
  }

  /** Must run in a transaction: the buckets stay locked until the id of the last row is read. */
  public static Future<Optional<Mark>> mark(SqlSession session, long skuId) {
    return BucketTable.lockAll(session, skuId)
        .compose(
            buckets ->
                session
                    .select(SqlStatement.READ_LAST_TXN, Tuple.tuple(), row -> row.getLong(0))
                    .map(
                        last ->
                            buckets.isEmpty()
                                ? Optional.empty()
                                : Optional.of(
                                    new Mark(
                                        skuId,
                                        last.get(0),
                                        sum(buckets, LockedBucket::allotted),
                                        sum(buckets, LockedBucket::held),
                                        sum(buckets, LockedBucket::sold)))));
  }

  private static long sum(List<LockedBucket> buckets, ToLongFunction<LockedBucket> counter) {
    return buckets.stream().mapToLong(counter).sum();
  }

  /** A group of rows with the same number of units, adjacent in the index. */
  private record Alike(long qty, long rows, long rowsThatCount, long lastId) {
    static Alike of(Row row) {
      return new Alike(row.getLong(0), row.getLong(1), row.getLong(2), row.getLong(3));
    }
  }

  /** Adds up to this many further rows to the sums. */
  public static Future<TxnSums> sum(SqlSession session, Mark mark, TxnSums before, int rowsMax) {
    Place after = before.after().equals(TxnSums.NONE.after()) ? first(0) : before.after();
    return session
        .select(
            SqlStatement.SUM_TXNS,
            Tuple.of(
                mark.lastTxnId(),
                mark.skuId(),
                after.action(),
                after.qty(),
                after.qty(),
                after.id(),
                rowsMax),
            Alike::of)
        .map(slice -> added(before, Action.valueOf(after.action()), slice, rowsMax));
  }

  private static Place first(int action) {
    return new Place(ACTIONS.get(action).name(), Long.MIN_VALUE, 0);
  }

  private static TxnSums added(TxnSums before, Action action, List<Alike> slice, int rowsMax) {
    TxnSums sums = before;
    long rows = 0;
    for (Alike alike : slice) {
      sums =
          sums.plus(action, alike.qty() * alike.rowsThatCount())
              .upTo(new Place(action.name(), alike.qty(), alike.lastId()));
      rows += alike.rows();
    }
    if (rows == rowsMax) {
      return sums;
    }
    int next = ACTIONS.indexOf(action) + 1;
    return next < ACTIONS.size() ? sums.upTo(first(next)) : sums.completed();
  }
}
