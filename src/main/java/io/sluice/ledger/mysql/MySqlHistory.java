package io.sluice.ledger.mysql;

import io.sluice.async.AsyncLoop;
import io.sluice.db.Database;
import io.sluice.db.SqlStatement;
import io.sluice.ledger.History;
import io.sluice.ledger.History.HoldPlace;
import io.sluice.ledger.History.SalePage;
import io.sluice.ledger.History.SalePlace;
import io.sluice.ledger.SaleLedger.Member;
import io.sluice.ledger.mysql.StoryTable.Placed;
import io.sluice.model.Order;
import io.sluice.model.OrderToken;
import io.vertx.core.Future;
import io.vertx.core.json.JsonObject;
import io.vertx.sqlclient.Row;
import io.vertx.sqlclient.Tuple;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/** What has happened to orders and in sales, in MySQL or MariaDB. */
public final class MySqlHistory implements History {
  private final LedgerDatabase database;

  /**
   * @param lookups connections that owners do not wait for
   */
  public MySqlHistory(Database lookups) {
    this.database = new LedgerDatabase(lookups);
  }

  // ---- orders

  @Override
  public Future<Optional<Story>> story(OrderToken token) {
    if (!token.isCanonical()) {
      return Future.succeededFuture(Optional.empty());
    }
    return database.read(
        session ->
            OrderTable.read(session, List.of(token))
                .compose(
                    found -> {
                      Order order = found.get(token);
                      return order == null
                          ? Future.succeededFuture(Optional.<Story>empty())
                          : StoryTable.chapters(session, token)
                              .map(chapters -> Optional.of(new Story(order, chapters)));
                    }));
  }

  @Override
  public Future<Page> page(long skuId, HoldPlace after, int limit) {
    return database.read(
        session ->
            StoryTable.holds(session, skuId, after, limit)
                .compose(
                    holds ->
                        StoryTable.orders(session, holds)
                            .map(orders -> page(holds, orders, after, limit))));
  }

  @Override
  public Future<Optional<SalePage>> pageOfSale(String saleId, SalePlace after, int limit) {
    return database
        .read(session -> SaleTable.read(session, saleId))
        .compose(
            found ->
                found.isEmpty()
                    ? Future.succeededFuture(Optional.empty())
                    : new SaleWalk(after, limit).page(saleId).map(Optional::of));
  }

  private static Page page(List<Placed> holds, List<Order> orders, HoldPlace after, int limit) {
    return new Page(
        orders,
        holds.isEmpty() ? after : holds.get(holds.size() - 1).place(),
        holds.size() < limit);
  }

  /**
   * Reads a page of a sale's orders, from SKU to SKU. It looks at the orders of all sales of a SKU
   * and leaves out those of others. So the rows it looks at are as bounded as those it returns.
   * Each SKU is a call of its own, so others get the connection in between, and the time limit is
   * that of a SKU.
   */
  private final class SaleWalk {
    private final SalePlace after;
    private final int limit;
    private final List<Placed> holds = new ArrayList<>();
    private SalePlace last;
    private boolean full;

    SaleWalk(SalePlace after, int limit) {
      this.after = after;
      this.limit = limit;
      this.last = after;
    }

    Future<SalePage> page(String saleId) {
      int skusMax = SALE_PAGE_SKUS_MAX;
      return database
          .read(session -> EarlierSaleTable.members(session, saleId, after.skuId() - 1, skusMax))
          .compose(
              members ->
                  lookAt(members)
                      .compose(looked -> orders())
                      .map(
                          orders ->
                              new SalePage(
                                  ofSale(orders, members),
                                  last,
                                  !full && members.size() < skusMax)));
    }

    private Future<Void> lookAt(List<Member> members) {
      var left = members.iterator();
      return AsyncLoop.whileTrue(
          () ->
              full || !left.hasNext()
                  ? Future.succeededFuture(false)
                  : lookAt(left.next().sku().skuId()).map(true));
    }

    private Future<Void> lookAt(long skuId) {
      SalePlace from = skuId == after.skuId() ? after : SalePlace.begin(skuId);
      int room = limit - holds.size();
      return database
          .read(session -> StoryTable.holds(session, skuId, from.hold(), room))
          .map(
              found -> {
                holds.addAll(found);
                HoldPlace place =
                    found.isEmpty() ? from.hold() : found.get(found.size() - 1).place();
                last = new SalePlace(skuId, place);
                full = found.size() == room;
                return null;
              });
    }

    private Future<List<Order>> orders() {
      return database.read(session -> StoryTable.orders(session, holds));
    }

    private static List<Order> ofSale(List<Order> orders, List<Member> members) {
      Map<Long, Long> saleNos = new HashMap<>();
      members.forEach(member -> saleNos.put(member.sku().skuId(), member.sku().saleNo()));
      return orders.stream()
          .filter(order -> Objects.equals(saleNos.get(order.token().skuId()), order.saleNo()))
          .toList();
    }
  }

  // ---- events by intervals

  @Override
  public Future<Slice> granted(Rest rest, long intervalMs, int limit) {
    return database.read(session -> HistoryTable.granted(session, rest, intervalMs, limit));
  }

  @Override
  public Future<Slice> ended(Rest rest, long intervalMs, int limit) {
    return database.read(session -> HistoryTable.ended(session, rest, intervalMs, limit));
  }

  // ---- counts of instances

  @Override
  public Future<Void> keep(List<Interval> intervals) {
    List<Tuple> rows =
        intervals.stream()
            .map(
                one ->
                    Tuple.of(
                        one.saleId(),
                        one.beganMs(),
                        one.instanceId(),
                        one.lengthMs(),
                        json(one.counts())))
            .toList();
    return database.read(session -> session.insert(SqlStatement.KEEP_SALE_COUNTS, rows));
  }

  @Override
  public Future<Void> keepIncidents(List<Incident> incidents) {
    List<Tuple> rows =
        incidents.stream()
            .map(
                one ->
                    Tuple.of(
                        one.firstMs(),
                        one.instanceId(),
                        one.alarm(),
                        one.lastMs(),
                        one.times(),
                        one.text()))
            .toList();
    return database.read(session -> session.insert(SqlStatement.KEEP_INCIDENTS, rows));
  }

  @Override
  public Future<List<Interval>> intervals(String saleId, long afterMs, String afterInstanceId) {
    return database.read(
        session ->
            session.select(
                SqlStatement.LIST_SALE_COUNTS,
                Tuple.of(saleId, afterMs, afterMs, afterInstanceId, ROWS_MAX),
                row -> interval(saleId, row)));
  }

  private static Interval interval(String saleId, Row row) {
    return new Interval(
        saleId,
        row.getLong(0),
        row.getString(1),
        row.getLong(2),
        counts(new JsonObject(row.getString(3))));
  }

  @Override
  public Future<List<Incident>> incidents(long fromMs, long untilMs) {
    return database.read(
        session ->
            session.select(
                SqlStatement.LIST_INCIDENTS,
                Tuple.of(fromMs, untilMs, ROWS_MAX),
                row ->
                    new Incident(
                        row.getLong(0),
                        row.getString(1),
                        row.getString(2),
                        row.getLong(3),
                        row.getLong(4),
                        row.getString(5))));
  }

  @Override
  public Future<Boolean> forget(long beforeMs) {
    Tuple before = Tuple.of(beforeMs, ROWS_MAX);
    return database
        .read(session -> session.update(SqlStatement.DELETE_SALE_COUNTS, before))
        .compose(
            counts ->
                database
                    .read(session -> session.update(SqlStatement.DELETE_INCIDENTS, before))
                    .map(incidents -> Math.max(counts, incidents) < ROWS_MAX));
  }

  // ---- the JSON of a row

  private static String json(Counts counts) {
    JsonObject granted = new JsonObject();
    counts.granted().forEach((withinMs, count) -> granted.put(String.valueOf(withinMs), count));
    JsonObject refused = new JsonObject();
    counts.refused().forEach(refused::put);
    return new JsonObject().put("refused", refused).put("granted", granted).encode();
  }

  private static Counts counts(JsonObject json) {
    Map<String, Long> refused = new HashMap<>();
    json.getJsonObject("refused", new JsonObject())
        .forEach(each -> refused.put(each.getKey(), ((Number) each.getValue()).longValue()));
    Map<Long, Long> granted = new HashMap<>();
    json.getJsonObject("granted", new JsonObject())
        .forEach(
            each ->
                granted.put(Long.valueOf(each.getKey()), ((Number) each.getValue()).longValue()));
    return new Counts(refused, granted);
  }
}
