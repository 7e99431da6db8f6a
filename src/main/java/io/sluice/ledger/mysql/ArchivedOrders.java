package io.sluice.ledger.mysql;

import io.sluice.db.SqlSession;
import io.sluice.db.SqlSession.Items;
import io.sluice.db.SqlStatement;
import io.sluice.ledger.mysql.NoteRows.Noted;
import io.sluice.ledger.mysql.OrderRows.Held;
import io.sluice.ledger.mysql.OrderRows.Rejected;
import io.sluice.model.Order;
import io.sluice.model.OrderToken;
import io.vertx.core.Future;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Reads orders of the archive. */
final class ArchivedOrders {
  private ArchivedOrders() {}

  /**
   * Those of these orders that are in the archive. Notes are read first: a second read may be
   * newer, and a status must not be older than the notes that it has.
   */
  static Future<Map<OrderToken, Order>> read(SqlSession session, Collection<OrderToken> tokens) {
    if (tokens.isEmpty()) {
      return Future.succeededFuture(Map.of());
    }
    return session
        .selectEach(SqlStatement.READ_ARCHIVED_NOTES, items(tokens), Noted::of)
        .compose(notes -> orders(session, tokens).map(orders -> archived(orders, notes)));
  }

  private static Future<Map<OrderToken, Order>> orders(
      SqlSession session, Collection<OrderToken> tokens) {
    return session
        .selectEach(SqlStatement.READ_ARCHIVED, items(tokens), Held::of)
        .map(OrderRows::orders)
        .compose(
            holds -> {
              List<OrderToken> others =
                  tokens.stream().filter(token -> !holds.containsKey(token)).toList();
              return session
                  .selectEach(SqlStatement.READ_ARCHIVED_REJECTS, items(others), Rejected::of)
                  .map(
                      rows -> {
                        holds.putAll(OrderRows.rejected(rows));
                        return holds;
                      });
            });
  }

  private static Items items(Collection<OrderToken> tokens) {
    return Items.of(TokenBytes.tuples(tokens));
  }

  private static Map<OrderToken, Order> archived(Map<OrderToken, Order> orders, List<Noted> notes) {
    NoteRows.addTo(orders, notes);
    Map<OrderToken, Order> archived = new HashMap<>(2 * orders.size());
    orders.forEach((token, order) -> archived.put(token, order.inArchive()));
    return archived;
  }
}
