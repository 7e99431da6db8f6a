package io.sluice.ledger.mysql;

import io.sluice.async.AsyncLoop;
import io.sluice.db.SqlSession;
import io.sluice.db.SqlStatement;
import io.sluice.ledger.History.Chapter;
import io.sluice.ledger.History.HoldPlace;
import io.sluice.model.Order;
import io.sluice.model.OrderToken;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import io.vertx.sqlclient.Row;
import io.vertx.sqlclient.Tuple;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/** Reads what happened to orders, for people. */
public final class StoryTable {
  /** How often the statement looks for the order. */
  private static final int LOOKS = 12;

  /** Booked orders are where they were booked, or in the archive. */
  private static final int TABLES = 2;

  private StoryTable() {}

  /** The story of an order; empty if there is none. */
  public static Future<List<Chapter>> chapters(SqlSession session, OrderToken token) {
    Buffer id = TokenBytes.of(token);
    List<Object> parameters = new ArrayList<>(3 * LOOKS);
    for (int look = 0; look < LOOKS; look++) {
      parameters.addAll(List.of(token.skuId(), token.bucket(), id));
    }
    return session.select(
        SqlStatement.READ_STORY,
        Tuple.wrap(parameters),
        row ->
            new Chapter(
                row.getString(0),
                row.getString(1),
                row.getInteger(2),
                row.getString(3),
                row.getLong(4)));
  }

  /** A booked order, and its place. */
  public record Placed(OrderToken token, HoldPlace place) {
    static Placed of(Row row) {
      OrderToken token = TokenBytes.token(row);
      return new Placed(token, new HoldPlace(token.bucket(), row.getLong(3), row.getLong(4)));
    }
  }

  /** The next booked orders of a SKU. */
  public static Future<List<Placed>> holds(
      SqlSession session, long skuId, HoldPlace after, int limit) {
    List<Object> parameters = new ArrayList<>();
    for (int table = 0; table < TABLES; table++) {
      parameters.addAll(List.of(skuId, after.bucket(), after.bucket()));
      parameters.addAll(List.of(after.epoch(), after.epoch(), after.seq(), limit));
    }
    parameters.add(limit);
    return session.select(SqlStatement.LIST_SKU_HOLDS, Tuple.wrap(parameters), Placed::of);
  }

  /**
   * These orders, in their order. One whose buyer was forgotten since it was listed has another
   * token now: it is found by its place.
   */
  public static Future<List<Order>> orders(SqlSession session, List<Placed> holds) {
    return OrderTable.read(session, holds.stream().map(Placed::token).toList())
        .compose(
            found -> {
              Map<OrderToken, OrderToken> now = new HashMap<>();
              return AsyncLoop.forEach(
                      holds.stream().filter(hold -> !found.containsKey(hold.token())).toList(),
                      hold -> again(session, hold).onSuccess(token -> now.put(hold.token(), token)))
                  .compose(done -> OrderTable.read(session, now.values()))
                  .map(
                      renamed -> {
                        found.putAll(renamed);
                        return holds.stream()
                            .map(hold -> found.get(now.getOrDefault(hold.token(), hold.token())))
                            .filter(Objects::nonNull)
                            .toList();
                      });
            });
  }

  private static Future<OrderToken> again(SqlSession session, Placed hold) {
    HoldPlace place = hold.place();
    HoldPlace before = new HoldPlace(place.bucket(), place.epoch(), place.seq() - 1);
    return holds(session, hold.token().skuId(), before, 1)
        .map(
            listed ->
                listed.stream()
                    .filter(other -> other.place().equals(place))
                    .map(Placed::token)
                    .findFirst()
                    .orElse(hold.token()));
  }
}
