package io.sluice.ledger.mysql.table;

import static java.util.stream.Collectors.groupingBy;

import io.sluice.async.AsyncLoop;
import io.sluice.db.SqlSession;
import io.sluice.db.SqlSession.Items;
import io.sluice.db.SqlStatement;
import io.sluice.ledger.Buckets.LoadRow;
import io.sluice.ledger.StockTxn;
import io.sluice.ledger.rules.BatchChanges.Change;
import io.sluice.ledger.rules.OverdueHolds;
import io.sluice.model.BucketId;
import io.sluice.model.Order;
import io.sluice.model.OrderStatus;
import io.sluice.model.OrderToken;
import io.sluice.model.Reason;
import io.vertx.core.Future;
import io.vertx.sqlclient.Tuple;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The orders and the append-only rows. Written only while the order's bucket is locked. */
public final class OrderTable {
  private OrderTable() {}

  /** Reads and locks these orders; those that do not exist are left out. */
  public static Future<Map<OrderToken, Order>> lock(
      SqlSession session, Collection<OrderToken> tokens) {
    return find(session, SqlStatement.LOCK_ORDERS, tokens);
  }

  /** Reads these orders without a lock; those that do not exist are left out. */
  public static Future<Map<OrderToken, Order>> read(
      SqlSession session, Collection<OrderToken> tokens) {
    return find(session, SqlStatement.READ_ORDERS, tokens);
  }

  private static Future<Map<OrderToken, Order>> find(
      SqlSession session, SqlStatement statement, Collection<OrderToken> tokens) {
    List<Tuple> items = tokens.stream().map(token -> Tuple.of(token.value())).toList();
    return session
        .selectEach(statement, Items.of(items), LedgerRows::order)
        .map(
            orders ->
                // A token that is in two chunks of the list is found twice.
                orders.stream()
                    .collect(Collectors.toMap(Order::token, Function.identity(), (a, b) -> a)));
  }

  /** Adds new orders. */
  public static Future<Void> insert(SqlSession session, int partition, List<Order> orders) {
    List<Tuple> rows = orders.stream().map(order -> row(partition, order)).toList();
    return session.insert(SqlStatement.INSERT_ORDERS, rows);
  }

  private static Tuple row(int partition, Order order) {
    return Tuple.of(
        order.token().value(),
        order.userId(),
        order.token().skuId(),
        order.token().bucket(),
        partition,
        order.qty(),
        order.seq(),
        order.epoch(),
        order.status().name(),
        nameOf(order.reason()),
        order.version(),
        order.payBeforeMs(),
        stored(order.latePaidAtMs()),
        order.createdAtMs(),
        order.updatedAtMs());
  }

  /** A change that several orders have in common; they share one statement. */
  private record Move(
      OrderStatus from,
      OrderStatus to,
      @Nullable Reason reason,
      long versions,
      long latePaidAtMs,
      long updatedAtMs) {
    static Move of(Change<Order> change) {
      Order after = change.after();
      return new Move(
          change.before().status(),
          after.status(),
          after.reason(),
          after.version() - change.before().version(),
          after.latePaidAtMs(),
          after.updatedAtMs());
    }
  }

  /** Changes locked orders; fails where one has not the status that it had before. */
  public static Future<Void> update(SqlSession session, List<Change<Order>> changes) {
    Map<Move, List<Change<Order>>> moves =
        changes.stream().collect(groupingBy(Move::of, LinkedHashMap::new, Collectors.toList()));
    return AsyncLoop.forEach(
        moves.entrySet(), move -> update(session, move.getKey(), move.getValue()));
  }

  private static Future<Void> update(SqlSession session, Move move, List<Change<Order>> changes) {
    Tuple set =
        Tuple.of(
            move.to().name(),
            nameOf(move.reason()),
            move.versions(),
            stored(move.latePaidAtMs()),
            move.updatedAtMs());
    List<Tuple> tokens =
        changes.stream().map(change -> Tuple.of(change.before().token().value())).toList();
    SqlStatement statement = SqlStatement.UPDATE_ORDERS;
    return session
        .updateEach(statement, new Items(set, tokens, Tuple.of(move.from().name())))
        .compose(found -> session.expectRows(statement, tokens.size(), found));
  }

  /** Adds rows to stock_txn. */
  public static Future<Void> append(SqlSession session, List<StockTxn> rows, long nowMs) {
    List<Tuple> values =
        rows.stream()
            .map(
                row ->
                    Tuple.of(
                        row.token(),
                        row.bucket().skuId(),
                        row.bucket().bucket(),
                        row.qty(),
                        row.action().name(),
                        nowMs))
            .toList();
    return session.insert(SqlStatement.INSERT_STOCK_TXN, values);
  }

  /** Orders of a partition that are PENDING and were due by this time, the oldest first. */
  public static Future<List<OrderToken>> due(
      SqlSession session, int partition, long dueMs, int limit) {
    return session.select(
        SqlStatement.LIST_DUE,
        Tuple.of(partition, dueMs, limit),
        row -> LedgerRows.token(row.getString(0)));
  }

  /**
   * Holds of a bucket that may be overdue by the payment deadline that Redis gave them, the oldest
   * first.
   */
  public static Future<List<Order>> overdue(
      SqlSession session, BucketId id, OverdueHolds.Demand demand) {
    String stem = id.skuId() + "." + id.bucket();
    return session.select(
        SqlStatement.LIST_OVERDUE,
        Tuple.of(stem + ".", stem + "/", demand.beforeMs(), demand.holds()),
        LedgerRows::order);
  }

  /**
   * The tokens of a bucket begin with {@code <sku>.<bucket>.}; the slash is the character after the
   * dot, which ends the range.
   */
  public static Future<List<LoadRow>> loadRows(
      SqlSession session, BucketId id, Optional<OrderToken> after, int limit) {
    String stem = id.skuId() + "." + id.bucket();
    String from = after.map(OrderToken::value).orElse(stem + ".");
    return session.select(
        SqlStatement.LIST_LOAD_ROWS, Tuple.of(from, stem + "/", limit), LedgerRows::loadRow);
  }

  /** The clock of the database, in milliseconds. */
  public static Future<Long> nowMs(SqlSession session) {
    return session
        .select(SqlStatement.READ_CLOCK, Tuple.tuple(), row -> row.getLong(0))
        .map(rows -> rows.get(0));
  }

  private static @Nullable String nameOf(@Nullable Reason reason) {
    return reason == null ? null : reason.name();
  }

  private static @Nullable Long stored(long latePaidAtMs) {
    return latePaidAtMs == 0 ? null : latePaidAtMs;
  }
}
