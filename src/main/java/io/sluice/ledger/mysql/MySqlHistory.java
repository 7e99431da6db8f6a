package io.sluice.ledger.mysql;

import io.sluice.async.AsyncLoop;
import io.sluice.db.Database;
import io.sluice.db.SqlSession;
import io.sluice.db.SqlStatement;
import io.sluice.ledger.History;
import io.sluice.ledger.History.Chapter;
import io.sluice.ledger.History.Group;
import io.sluice.ledger.History.HoldPlace;
import io.sluice.ledger.History.Kind;
import io.sluice.ledger.History.Place;
import io.sluice.ledger.History.Rest;
import io.sluice.ledger.History.SalePage;
import io.sluice.ledger.History.SalePlace;
import io.sluice.ledger.History.Slice;
import io.sluice.ledger.SaleLedger.Member;
import io.sluice.model.Cart;
import io.sluice.model.Order;
import io.sluice.model.OrderToken;
import io.sluice.model.Reason;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.json.JsonObject;
import io.vertx.sqlclient.Row;
import io.vertx.sqlclient.Tuple;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

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
            OrderTable.readWhole(session, List.of(token))
                .compose(
                    found -> {
                      Order line = found.get(token);
                      Order order = line == null ? null : found.get(line.lineTokens().get(0));
                      return order == null
                          ? Future.succeededFuture(Optional.<Story>empty())
                          : chapters(session, order)
                              .map(chapters -> Optional.of(new Story(order, chapters)));
                    }));
  }

  @Override
  public Future<Page> page(long skuId, HoldPlace after, int limit) {
    return database.read(
        session ->
            holds(session, skuId, after, limit)
                .compose(
                    holds ->
                        orders(session, holds).map(orders -> page(holds, orders, after, limit))));
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
          .read(session -> SaleTable.members(session, saleId, after.skuId() - 1, skusMax))
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
          .read(session -> holds(session, skuId, from.hold(), room))
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
      List<Placed> leads = holds.stream().filter(hold -> hold.token().equals(hold.lead())).toList();
      return database.read(session -> MySqlHistory.orders(session, leads));
    }

    private static List<Order> ofSale(List<Order> orders, List<Member> members) {
      Map<Long, Long> saleNos = new HashMap<>();
      members.forEach(member -> saleNos.put(member.sku().skuId(), member.sku().saleNo()));
      return orders.stream()
          .filter(order -> Objects.equals(saleNos.get(order.token().skuId()), order.saleNo()))
          .toList();
    }
  }

  /** How often the statement looks for the order. */
  private static final int LOOKS = 12;

  /** What happened to the lines of an order. */
  private static Future<List<Chapter>> chapters(SqlSession session, Order order) {
    List<Chapter> told = new ArrayList<>();
    return AsyncLoop.forEach(
            order.lineTokens(),
            line ->
                chapters(session, line)
                    .onSuccess(
                        chapters ->
                            chapters.forEach(
                                each -> told.add(ofOrder(each, order.cart(), line.skuId())))))
        .map(read -> inOrder(told));
  }

  /** Each line of an order has what happened to all of it; refunds with an id are of one line. */
  private static Chapter ofOrder(Chapter told, @Nullable Cart cart, long skuId) {
    boolean isOfLine =
        OF_LINES.contains(told.what())
            || ("REFUND".equals(told.what()) && told.reference() != null);
    return cart == null || !isOfLine
        ? told
        : new Chapter(told.what(), told.reason(), told.qty(), told.reference(), told.atMs(), skuId);
  }

  private static final Set<String> OF_LINES = Set.of("ASKED", "DROPPED");

  /** The grant comes first, whatever the clock of Redis shows. */
  private static final Comparator<Chapter> AS_TOLD =
      Comparator.comparing((Chapter told) -> !told.what().equals("GRANTED"))
          .thenComparingLong(Chapter::atMs);

  /** What happened to several lines at once is one chapter, with the units of all of them. */
  private static List<Chapter> inOrder(List<Chapter> told) {
    Map<Chapter, Integer> units = new LinkedHashMap<>();
    told.forEach(each -> units.merge(withUnits(each, 0), each.qty(), Integer::sum));
    return units.entrySet().stream()
        .map(each -> withUnits(each.getKey(), each.getValue()))
        .sorted(AS_TOLD)
        .toList();
  }

  private static Chapter withUnits(Chapter told, int qty) {
    return new Chapter(
        told.what(), told.reason(), qty, told.reference(), told.atMs(), told.skuId());
  }

  private static Future<List<Chapter>> chapters(SqlSession session, OrderToken token) {
    Buffer id = OrderRows.idOf(token);
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

  /**
   * A booked order, or a line of one, and its place.
   *
   * @param lead the token of the whole order
   */
  record Placed(OrderToken token, HoldPlace place, OrderToken lead) {
    static Placed of(Row row) {
      OrderToken token = OrderRows.token(row);
      Cart cart = OrderRows.cart(row.getString(5));
      return new Placed(
          token,
          new HoldPlace(token.bucket(), row.getLong(3), row.getLong(4)),
          cart == null ? token : token.in(cart.lead().bucket()));
    }
  }

  /** The next booked orders of a SKU. */
  static Future<List<Placed>> holds(SqlSession session, long skuId, HoldPlace after, int limit) {
    Place place = new Place(skuId, after.bucket(), after.epoch(), after.seq(), 0);
    Tuple parameters = twice(List.of(), behindHold(place), limit);
    return session.select(SqlStatement.LIST_SKU_HOLDS, parameters, Placed::of);
  }

  /**
   * These orders as a whole, in their order. One whose buyer was forgotten since it was listed has
   * another token now: it is found by its place.
   */
  static Future<List<Order>> orders(SqlSession session, List<Placed> holds) {
    return OrderTable.readWhole(session, holds.stream().map(Placed::lead).toList())
        .compose(
            found -> {
              Map<OrderToken, OrderToken> now = new HashMap<>();
              return AsyncLoop.forEach(
                      holds.stream().filter(hold -> !found.containsKey(hold.lead())).toList(),
                      hold -> again(session, hold).onSuccess(token -> now.put(hold.lead(), token)))
                  .compose(done -> OrderTable.readWhole(session, now.values()))
                  .map(
                      renamed -> {
                        found.putAll(renamed);
                        return holds.stream()
                            .map(hold -> found.get(now.getOrDefault(hold.lead(), hold.lead())))
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
                    .map(Placed::lead)
                    .findFirst()
                    .orElse(hold.lead()));
  }

  @Override
  public Future<FoundPage> lookUp(By by, String value, FoundPlace behind, int limit) {
    return database.read(session -> LookupTable.find(session, by, value, behind, limit));
  }

  // ---- events by intervals

  @Override
  public Future<Slice> granted(Rest rest, long intervalMs, int limit) {
    Question question =
        new Question(
            SqlStatement.SUM_SALE_HOLDS,
            SqlStatement.SUM_SKU_HOLDS,
            List.of(intervalMs),
            MySqlHistory::behindHold);
    return database.read(session -> ask(session, question, rest, limit));
  }

  @Override
  public Future<Slice> ended(Rest rest, long intervalMs, int limit) {
    List<Object> before = new ArrayList<>();
    before.add(intervalMs);
    before.addAll(WAITS_MS);
    Question question =
        new Question(
            SqlStatement.SUM_SALE_MOVES,
            SqlStatement.SUM_SKU_MOVES,
            before,
            MySqlHistory::behindMove);
    return database.read(session -> ask(session, question, rest, limit));
  }

  private static final Comparator<Counted> IN_ORDER =
      Comparator.comparingLong(Counted::skuId)
          .thenComparingInt(Counted::bucket)
          .thenComparingLong(Counted::epoch)
          .thenComparingLong(Counted::last);

  /** In the numbers that have both. */
  private static final int STEPS = 32_768;

  /**
   * A row of these counts.
   *
   * @param last seq and step of the last row that was counted, as one number
   */
  private record Counted(
      long skuId,
      int bucket,
      long epoch,
      long saleNo,
      long beganMs,
      String action,
      @Nullable String reason,
      int waited,
      long orders,
      long lines,
      long units,
      long firstMs,
      long lastMs,
      long last) {
    Group group() {
      Kind kind = kind(action, reason);
      return new Group(skuId, saleNo, kind, beganMs, waited, orders, lines, units, firstMs, lastMs);
    }

    Place place() {
      return new Place(skuId, bucket, epoch, last / STEPS, (int) (last % STEPS));
    }
  }

  /**
   * A count, from the beginning of some SKUs, or of one SKU behind a place.
   *
   * @param before the first parameters of both
   * @param behind the parameters of a place
   */
  private record Question(
      SqlStatement ofAll,
      SqlStatement ofOne,
      List<Object> before,
      Function<Place, List<Object>> behind) {}

  private static Future<Slice> ask(SqlSession session, Question question, Rest rest, int limit) {
    Place after = rest.after();
    Future<List<Counted>> found =
        after == null
            ? session.selectEach(
                question.ofAll(),
                rest.skuIds(),
                skuIds -> twice(question.before(), skuIds, limit),
                Columns.to(Counted.class))
            : session.select(
                question.ofOne(),
                twice(question.before(), question.behind().apply(after), limit),
                Columns.to(Counted.class));
    return found.map(groups -> slice(groups, rest, limit));
  }

  private static List<Object> behindHold(Place after) {
    return List.of(
        after.skuId(), after.bucket(), after.bucket(), after.epoch(), after.epoch(), after.seq());
  }

  private static List<Object> behindMove(Place after) {
    List<Object> behind = new ArrayList<>(behindHold(after));
    behind.addAll(List.of(after.seq(), after.step()));
    return behind;
  }

  /** The same of the orders and of the archive, and of both together. */
  private static Tuple twice(List<Object> before, List<?> where, int limit) {
    List<Object> all = new ArrayList<>(before);
    for (int table = 0; table < 2; table++) {
      all.addAll(where);
      all.add(limit);
    }
    all.add(limit);
    return Tuple.wrap(all);
  }

  private static Slice slice(List<Counted> found, Rest rest, int limit) {
    long rows = found.stream().mapToLong(Counted::lines).sum();
    Place reached =
        rows < limit ? null : found.stream().max(IN_ORDER).map(Counted::place).orElse(null);
    return new Slice(found.stream().map(Counted::group).toList(), rest.behind(reached));
  }

  private static Kind kind(String action, @Nullable String reason) {
    return switch (action) {
      case "GRANTED" -> Kind.GRANTED;
      case "CONFIRM" -> Kind.PAID;
      case "REFUND" -> Kind.REFUNDED;
      case "LATE" -> Kind.PAID_LATE;
      default -> Reason.TIMEOUT.name().equals(reason) ? Kind.TIMED_OUT : Kind.CANCELED;
    };
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
    List<Tuple> rows = incidents.stream().map(Columns::of).toList();
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
                Columns.to(Incident.class)));
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
