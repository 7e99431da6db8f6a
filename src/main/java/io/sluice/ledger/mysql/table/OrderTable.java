package io.sluice.ledger.mysql.table;

import io.sluice.db.SqlSession;
import io.sluice.db.SqlSession.Items;
import io.sluice.db.SqlStatement;
import io.sluice.ledger.Buckets.LoadRow;
import io.sluice.ledger.OrderReads.DuePage;
import io.sluice.ledger.OrderReads.DuePlace;
import io.sluice.ledger.mysql.table.OrderRows.Due;
import io.sluice.ledger.mysql.table.OrderRows.Held;
import io.sluice.ledger.mysql.table.OrderRows.Rejected;
import io.sluice.ledger.rules.Claims;
import io.sluice.ledger.rules.OverdueHolds;
import io.sluice.model.BucketId;
import io.sluice.model.Order;
import io.sluice.model.OrderToken;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import io.vertx.sqlclient.Tuple;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Reads orders: holds with what happened to them, and rejected orders. Nothing about an order
 * changes while its bucket is locked.
 */
public final class OrderTable {
  /** Below every id. */
  private static final Buffer NO_ID = Buffer.buffer();

  private OrderTable() {}

  /** Reads these orders; those that do not exist are left out. */
  public static Future<Map<OrderToken, Order>> read(
      SqlSession session, Collection<OrderToken> tokens) {
    return read(session, tokens, bucket -> true);
  }

  /**
   * Reads these orders; those that do not exist are left out.
   *
   * @param hasRejects whether a bucket has rejected orders
   */
  public static Future<Map<OrderToken, Order>> read(
      SqlSession session, Collection<OrderToken> tokens, Predicate<BucketId> hasRejects) {
    return session
        .selectEach(SqlStatement.READ_ORDERS, Items.of(TokenBytes.tuples(tokens)), Held::of)
        .map(OrderRows::orders)
        .compose(
            found -> {
              List<OrderToken> others =
                  tokens.stream()
                      .filter(
                          token -> !found.containsKey(token) && hasRejects.test(token.bucketId()))
                      .toList();
              return rejected(session, others)
                  .map(
                      rejected -> {
                        found.putAll(rejected);
                        return found;
                      });
            });
  }

  private static Future<Map<OrderToken, Order>> rejected(
      SqlSession session, Collection<OrderToken> tokens) {
    return session
        .selectEach(SqlStatement.READ_REJECTS, Items.of(TokenBytes.tuples(tokens)), Rejected::of)
        .map(OrderRows::rejected);
  }

  /** Which of these places an order has. */
  public static Future<Claims> claims(SqlSession session, Collection<Claims.Place> places) {
    List<Tuple> items =
        places.stream()
            .map(
                place ->
                    Tuple.of(
                        place.bucket().skuId(),
                        place.bucket().bucket(),
                        place.epoch(),
                        place.seq()))
            .toList();
    Map<Claims.Place, OrderToken> taken = new HashMap<>();
    return session
        .selectEach(
            SqlStatement.READ_CLAIMS,
            Items.of(items),
            row -> {
              OrderToken token = TokenBytes.token(row);
              taken.put(new Claims.Place(token.bucketId(), row.getLong(3), row.getLong(4)), token);
              return token;
            })
        .map(read -> Claims.of(taken));
  }

  /** The next holds of a partition by payment deadline, up to this time. */
  public static Future<DuePage> due(
      SqlSession session, int partition, DuePlace after, long dueMs, int limit) {
    BucketId bucket = after.bucket();
    List<@Nullable Object> parameters = new ArrayList<>();
    parameters.addAll(List.of(partition, dueMs, after.payBeforeMs(), after.payBeforeMs()));
    parameters.addAll(
        List.of(bucket.skuId(), bucket.skuId(), bucket.bucket(), bucket.bucket(), after.epoch()));
    parameters.addAll(List.of(after.epoch(), after.seq(), limit));
    return session
        .select(SqlStatement.LIST_DUE, Tuple.wrap(parameters), Due::of)
        .map(
            holds -> {
              List<Due> sorted = holds.stream().sorted().toList();
              return new DuePage(
                  sorted.stream().map(Due::token).filter(Objects::nonNull).toList(),
                  sorted.isEmpty() ? after : sorted.get(sorted.size() - 1).place(),
                  sorted.size() < limit);
            });
  }

  /**
   * Holds of a bucket that may be overdue by the payment deadline that Redis gave them, the oldest
   * first.
   */
  public static Future<Collection<Order>> overdue(
      SqlSession session, BucketId id, OverdueHolds.Demand demand) {
    return session
        .select(
            SqlStatement.LIST_OVERDUE,
            Tuple.of(id.skuId(), id.bucket(), demand.beforeMs(), demand.holds()),
            Held::of)
        .map(rows -> OrderRows.orders(rows).values());
  }

  /** A page of the orders of a bucket, holds first. */
  public static Future<List<LoadRow>> loadRows(
      SqlSession session, BucketId id, Optional<LoadRow> after, int limit) {
    if (after.isPresent() && after.get().rejected()) {
      return rejects(session, id, TokenBytes.of(after.get().grant().token()), limit);
    }
    long epoch = after.map(row -> row.grant().epoch()).orElse(0L);
    long seq = after.map(row -> row.grant().seq()).orElse(0L);
    return session
        .select(
            SqlStatement.LIST_LOAD_ROWS,
            Tuple.of(id.skuId(), id.bucket(), epoch, epoch, seq, limit),
            OrderRows::loadRow)
        .compose(
            holds ->
                holds.size() == limit
                    ? Future.succeededFuture(holds)
                    : rejects(session, id, NO_ID, limit - holds.size())
                        .map(
                            rejects -> {
                              holds.addAll(rejects);
                              return holds;
                            }));
  }

  private static Future<List<LoadRow>> rejects(
      SqlSession session, BucketId id, Buffer after, int limit) {
    return session.select(
        SqlStatement.LIST_LOAD_REJECTS,
        Tuple.of(id.skuId(), id.bucket(), after, limit),
        OrderRows::loadReject);
  }

  /** The clock of the database, in milliseconds. */
  public static Future<Long> nowMs(SqlSession session) {
    return session
        .select(SqlStatement.READ_CLOCK, Tuple.tuple(), row -> row.getLong(0))
        .map(rows -> rows.get(0));
  }
}
