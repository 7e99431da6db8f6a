package io.sluice.ledger.mysql;

import io.sluice.db.SqlSession;
import io.sluice.db.SqlSession.Items;
import io.sluice.db.SqlStatement;
import io.sluice.ledger.Audit;
import io.sluice.ledger.Audit.Mark;
import io.sluice.ledger.Audit.TxnSums;
import io.sluice.ledger.Audit.TxnSums.Kind;
import io.sluice.ledger.Audit.TxnSums.Place;
import io.sluice.ledger.StockTxn.Action;
import io.sluice.ledger.mysql.BucketTable.LockedBucket;
import io.sluice.ledger.rules.BatchChanges.OrderMove;
import io.vertx.core.Future;
import io.vertx.sqlclient.Tuple;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.function.ToLongFunction;

/** Sums the append-only rows of a SKU: all at once, or in slices. */
final class AuditTable {
  private AuditTable() {}

  /** The audit of a SKU with at most {@code rowsMax} rows; empty if it has more. */
  static Future<Optional<Audit>> audit(SqlSession session, long skuId, int rowsMax) {
    return session
        .only(
            SqlStatement.COUNT_TXNS,
            Tuple.of(skuId, rowsMax + 1, skuId, rowsMax + 1, skuId, rowsMax + 1),
            row -> row.getInteger(0))
        .compose(
            counted ->
                counted > rowsMax
                    ? Future.succeededFuture(Optional.empty())
                    : audit(session, skuId));
  }

  /** The sums of a SKU against its rows; empty if there is no such SKU. */
  static Future<Optional<Audit>> audit(SqlSession session, long skuId) {
    return session.first(
        SqlStatement.READ_AUDIT,
        Tuple.of(skuId, skuId, skuId, skuId, skuId, skuId),
        Columns.to(Audit.class));
  }

  /** Must run in a transaction: the buckets are locked until it ends. */
  static Future<Optional<Mark>> mark(SqlSession session, long skuId) {
    return BucketTable.lockAll(session, skuId)
        .map(
            buckets ->
                buckets.isEmpty()
                    ? Optional.empty()
                    : Optional.of(
                        new Mark(
                            skuId,
                            buckets.stream().map(LockedBucket::writes).toList(),
                            sum(buckets, LockedBucket::allotted),
                            sum(buckets, LockedBucket::held),
                            sum(buckets, LockedBucket::sold),
                            sum(buckets, LockedBucket::archived))));
  }

  private static long sum(List<LockedBucket> buckets, ToLongFunction<LockedBucket> counter) {
    return buckets.stream().mapToLong(counter).sum();
  }

  /** Adds up to this many further rows to the sums. */
  static Future<TxnSums> sum(SqlSession session, Mark mark, TxnSums before, int rowsMax) {
    return switch (before.after().kind()) {
      case RESTOCK -> restocks(session, mark, before, rowsMax);
      case HOLD -> orders(session, SqlStatement.SUM_HOLDS, mark, before, rowsMax);
      case MOVE -> orders(session, SqlStatement.SUM_MOVES, mark, before, rowsMax);
      case ARCHIVE -> archive(session, mark, before);
    };
  }

  private static Items items(Mark mark, Tuple after) {
    return new Items(Tuple.tuple(), Items.ofEach(mark.writes()).items(), after);
  }

  private static Future<TxnSums> restocks(
      SqlSession session, Mark mark, TxnSums before, int rowsMax) {
    return session
        .selectEach(
            SqlStatement.SUM_RESTOCKS,
            items(mark, Tuple.of(mark.skuId(), before.after().token(), rowsMax)),
            row -> {
              TxnSums sums = before.plus(Action.RESTOCK, row.getLong(1));
              return row.getLong(0) == rowsMax
                  ? sums.upTo(new Place(Kind.RESTOCK, row.getString(2), -1, 0, 0, 0))
                  : sums.upTo(Place.beginOf(Kind.HOLD));
            })
        .map(slices -> slices.get(0));
  }

  /**
   * Rows of one bucket and epoch, adjacent in the key, with the same action.
   *
   * @param units of the rows that count
   */
  private record Group(
      int bucket, long epoch, int step, String action, long rows, long units, long lastSeq) {
    static final Comparator<Group> BY_LAST =
        Comparator.comparingInt(Group::bucket)
            .thenComparingLong(Group::epoch)
            .thenComparingLong(Group::lastSeq)
            .thenComparingInt(Group::step);

    /** No unit moves if a payment came late. */
    TxnSums addTo(TxnSums sums) {
      return action.equals(OrderMove.Kind.LATE.name())
          ? sums
          : sums.plus(Action.valueOf(action), units);
    }

    Place last(Kind kind) {
      return new Place(kind, "", bucket, epoch, lastSeq, step);
    }
  }

  private static Future<TxnSums> orders(
      SqlSession session, SqlStatement statement, Mark mark, TxnSums before, int rowsMax) {
    Place after = before.after();
    List<Object> from = new ArrayList<>();
    from.addAll(List.of(mark.skuId(), after.bucket(), after.bucket()));
    from.addAll(List.of(after.epoch(), after.epoch(), after.seq()));
    if (after.kind() == Kind.MOVE) {
      from.addAll(List.of(after.seq(), after.step()));
    }
    from.add(rowsMax);
    return session
        .selectEach(statement, items(mark, Tuple.wrap(from)), Columns.to(Group.class))
        .map(groups -> added(before, groups, rowsMax));
  }

  private static TxnSums added(TxnSums before, List<Group> groups, int rowsMax) {
    Kind kind = before.after().kind();
    TxnSums sums = before;
    long rows = 0;
    for (Group group : groups) {
      sums = group.addTo(sums);
      rows += group.rows();
    }
    if (rows == rowsMax) {
      return sums.upTo(groups.stream().max(Group.BY_LAST).orElseThrow().last(kind));
    }
    return sums.upTo(Place.beginOf(kind == Kind.HOLD ? Kind.MOVE : Kind.ARCHIVE));
  }

  /** Read last: if no row was moved until now, each one was read where it is. */
  private static Future<TxnSums> archive(SqlSession session, Mark mark, TxnSums before) {
    return session.only(
        SqlStatement.SUM_ARCHIVE,
        Tuple.of(mark.skuId(), mark.skuId()),
        row ->
            row.getLong(0) == mark.archived()
                ? before
                    .plus(Action.HOLD, row.getLong(1))
                    .plus(Action.CONFIRM, row.getLong(2))
                    .plus(Action.CANCEL, row.getLong(3))
                    .plus(Action.REFUND, row.getLong(4))
                    .completed()
                : TxnSums.NONE);
  }
}
