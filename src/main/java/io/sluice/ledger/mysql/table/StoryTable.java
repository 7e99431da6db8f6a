package io.sluice.ledger.mysql.table;

import io.sluice.db.SqlSession;
import io.sluice.db.SqlStatement;
import io.sluice.ledger.OrderPages.HoldPlace;
import io.sluice.ledger.OrderStories.Chapter;
import io.sluice.model.OrderToken;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import io.vertx.sqlclient.Row;
import io.vertx.sqlclient.Tuple;
import java.util.ArrayList;
import java.util.List;

/** Reads what happened to orders, for people. */
public final class StoryTable {
  /** How often the statement looks for the order. */
  private static final int LOOKS = 12;

  /** Booked orders are where they were booked, or in the archive. */
  private static final int TABLES = 2;

  private StoryTable() {}

  /** What happened to an order; empty where there is none. */
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
}
