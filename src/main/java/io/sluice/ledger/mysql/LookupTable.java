package io.sluice.ledger.mysql;

import io.sluice.db.SqlSession;
import io.sluice.db.SqlSession.Items;
import io.sluice.db.SqlStatement;
import io.sluice.ledger.History.By;
import io.sluice.ledger.History.FoundPage;
import io.sluice.ledger.History.FoundPlace;
import io.sluice.ledger.OutboxRow;
import io.sluice.ledger.OutboxRow.OutboxKind;
import io.sluice.ledger.rules.OrderName;
import io.sluice.ledger.rules.OutboxList;
import io.sluice.ledger.rules.OutboxPayload;
import io.sluice.model.Order;
import io.sluice.model.OrderToken;
import io.sluice.model.Sha256;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import io.vertx.sqlclient.Tuple;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;

/**
 * What orders are looked up by: their buyers, names and payments. Bookings do not pay for it: it is
 * written from the events that were sent, before these are deleted. A row only leads to an order,
 * which then shows whether it is meant.
 */
final class LookupTable {
  private LookupTable() {}

  private record Place(long hash, long atMs, OrderToken token) {
    Tuple row() {
      return Tuple.of(hash, atMs, token.skuId(), token.bucket(), OrderRows.idOf(token));
    }
  }

  /** The kind stands before the text: a buyer's id may be the name of an order. */
  private static long hash(By by, String value) {
    return ByteBuffer.wrap(Sha256.of(by.name() + " " + value)).getLong();
  }

  /** Notes what these events tell of their orders; repeated, it changes nothing. */
  static Future<Void> note(SqlSession session, List<OutboxRow> sent) {
    Set<Place> places = new HashSet<>();
    for (OutboxRow row : sent) {
      if (row.kind() == OutboxKind.EVENT && OutboxPayload.namesOrders(row.eventType())) {
        for (String event : OutboxList.entries(row.payload())) {
          OutboxPayload.named(row.eventType(), event).forEach(named -> places.add(place(named)));
        }
      }
    }
    // Neighbours in the table are written one after the other.
    List<Tuple> rows =
        places.stream().sorted(Comparator.comparingLong(Place::hash)).map(Place::row).toList();
    return session.insert(SqlStatement.INSERT_LOOKUPS, rows);
  }

  private static Place place(OrderName named) {
    return new Place(hash(named.by(), named.value()), named.grantedAtMs(), named.token());
  }

  /**
   * Deletes what leads to these orders.
   *
   * @param lines all lines of each, under the names that they have had so far
   */
  static Future<Void> forget(SqlSession session, List<Order> lines) {
    List<Tuple> rows = new ArrayList<>();
    for (Order line : lines) {
      if (!line.isFollower()) {
        namesOf(line).forEach(named -> rows.add(place(named).row()));
      }
    }
    return session.updateEach(SqlStatement.DELETE_LOOKUPS, Items.of(rows)).mapEmpty();
  }

  private static List<OrderName> namesOf(Order order) {
    List<OrderName> names = new ArrayList<>();
    long atMs = order.createdAtMs();
    names.add(new OrderName(order.token(), atMs, By.USER, order.userId()));
    String reference = order.reference();
    if (reference != null) {
      names.add(new OrderName(order.token(), atMs, By.REFERENCE, reference));
    }
    for (String payment : order.notes().payments()) {
      names.add(new OrderName(order.token(), atMs, By.PAYMENT, payment));
    }
    return names;
  }

  /** The next orders that have this buyer, name or payment. */
  static Future<FoundPage> find(
      SqlSession session, By by, String value, FoundPlace behind, int limit) {
    OrderToken token = behind.token();
    long skuId = token == null ? 0 : token.skuId();
    int bucket = token == null ? 0 : token.bucket();
    Buffer id = token == null ? Buffer.buffer() : OrderRows.idOf(token);
    long atMs = behind.atMs();
    return session
        .select(
            SqlStatement.FIND_ORDERS,
            Tuple.from(
                List.of(hash(by, value), atMs, atMs, skuId, skuId, bucket, bucket, id, limit)),
            row ->
                new FoundPlace(
                    row.getLong(0),
                    OrderRows.token(row.getLong(1), row.getInteger(2), row.getBuffer(3))))
        .compose(
            places -> {
              List<OrderToken> tokens =
                  places.stream().map(FoundPlace::token).filter(Objects::nonNull).toList();
              return OrderTable.readWhole(session, tokens)
                  .map(
                      orders ->
                          new FoundPage(
                              tokens.stream()
                                  .map(orders::get)
                                  .filter(Objects::nonNull)
                                  .filter(order -> has(order, by, value))
                                  .toList(),
                              places.size() < limit
                                  ? Optional.empty()
                                  : Optional.of(places.get(places.size() - 1))));
            });
  }

  private static boolean has(Order order, By by, String value) {
    return switch (by) {
      case USER -> order.userId().equals(value);
      case REFERENCE -> value.equals(order.reference());
      case PAYMENT -> order.notes().knowsPayment(value);
    };
  }
}
