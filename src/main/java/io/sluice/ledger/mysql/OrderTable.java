package io.sluice.ledger.mysql;

import io.sluice.db.SqlSession;
import io.sluice.db.SqlSession.Items;
import io.sluice.db.SqlStatement;
import io.sluice.ledger.BucketRow;
import io.sluice.ledger.BucketRow.LoadRow;
import io.sluice.ledger.DuePage;
import io.sluice.ledger.DuePage.DuePlace;
import io.sluice.ledger.mysql.BucketTable.LockedBucket;
import io.sluice.ledger.mysql.OrderRows.Due;
import io.sluice.ledger.mysql.OrderRows.Held;
import io.sluice.ledger.mysql.OrderRows.Noted;
import io.sluice.ledger.mysql.OrderRows.Rejected;
import io.sluice.ledger.rules.BatchSnapshot.Claims;
import io.sluice.ledger.rules.OverdueHolds;
import io.sluice.ledger.rules.Wholes;
import io.sluice.model.BucketId;
import io.sluice.model.Order;
import io.sluice.model.OrderToken;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import io.vertx.sqlclient.Row;
import io.vertx.sqlclient.Tuple;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.LongConsumer;
import java.util.function.Predicate;
import java.util.function.ToLongFunction;
import java.util.stream.Collectors;

/**
 * Reads orders: holds with what happened to them, and rejected orders. Nothing about an order
 * changes while its bucket is locked.
 */
final class OrderTable {
  /** Below every id. */
  private static final Buffer NO_ID = Buffer.buffer();

  /** Deadlines are those of holds, and those of their extensions. */
  private static final int DUE_TABLES = 2;

  private OrderTable() {}

  /**
   * Reads these orders; those that do not exist are left out. Few have notes, so only these are
   * read once more, with their notes.
   */
  static Future<Map<OrderToken, Order>> read(SqlSession session, Collection<OrderToken> tokens) {
    Set<OrderToken> noted = new HashSet<>();
    return session
        .selectEach(
            SqlStatement.LOOK_UP_ORDERS,
            Items.of(OrderRows.tuples(tokens)),
            row -> {
              Held held = Held.of(row);
              if (Held.isNoted(row)) {
                noted.add(held.asBooked().token());
              }
              return held;
            })
        .map(OrderRows::orders)
        .compose(
            holds ->
                rejected(session, others(tokens, holds), bucket -> true, Place.HERE)
                    .onSuccess(rejects -> noted.addAll(rejects.keySet()))
                    .map(rejects -> joined(holds, rejects)))
        .compose(
            found ->
                archived(session, others(tokens, found)).map(archived -> joined(found, archived)))
        .compose(found -> read(session, noted, Leads.ALL).map(reread -> joined(found, reread)));
  }

  /**
   * The same, of orders of several SKUs as a whole. Their lines are read after their leads: outside
   * of a transaction, their values may be newer.
   */
  static Future<Map<OrderToken, Order>> readWhole(
      SqlSession session, Collection<OrderToken> tokens) {
    return read(session, tokens)
        .compose(
            found -> {
              Set<OrderToken> missing = Wholes.missing(found);
              return missing.isEmpty()
                  ? Future.succeededFuture(Wholes.of(found))
                  : read(session, missing)
                      .map(lines -> Wholes.of(joined(new HashMap<>(found), lines)));
            });
  }

  /**
   * Where else than among the holds of a bucket something about its orders may be.
   *
   * @param rejects whether a bucket has rejected orders
   * @param notes whether orders of a bucket have notes
   * @param archived whether orders of a bucket are in the archive
   */
  record Leads(
      Predicate<BucketId> rejects, Predicate<BucketId> notes, Predicate<BucketId> archived) {
    static final Leads ALL = new Leads(bucket -> true, bucket -> true, bucket -> true);

    /** What buckets say of it that are locked. */
    static Leads of(Map<BucketId, LockedBucket> locked) {
      return new Leads(
          has(locked, LockedBucket::rejects),
          has(locked, LockedBucket::notes),
          has(locked, LockedBucket::archived));
    }

    private static Predicate<BucketId> has(
        Map<BucketId, LockedBucket> locked, ToLongFunction<LockedBucket> count) {
      return id -> {
        LockedBucket bucket = locked.get(id);
        return bucket != null && count.applyAsLong(bucket) > 0;
      };
    }
  }

  private static List<OrderToken> others(
      Collection<OrderToken> tokens, Map<OrderToken, Order> found) {
    return tokens.stream().filter(token -> !found.containsKey(token)).toList();
  }

  private static Map<OrderToken, Order> joined(
      Map<OrderToken, Order> found, Map<OrderToken, Order> more) {
    found.putAll(more);
    return found;
  }

  /** The tables in which orders are, and all that is recorded of them there. */
  private enum Place {
    HERE(SqlStatement.READ_ORDERS, SqlStatement.READ_REJECTS, SqlStatement.READ_NOTES),
    ARCHIVE(
        SqlStatement.READ_ARCHIVED,
        SqlStatement.READ_ARCHIVED_REJECTS,
        SqlStatement.READ_ARCHIVED_NOTES);

    private final SqlStatement holds;
    private final SqlStatement rejects;
    private final SqlStatement notes;

    Place(SqlStatement holds, SqlStatement rejects, SqlStatement notes) {
      this.holds = holds;
      this.rejects = rejects;
      this.notes = notes;
    }
  }

  static Future<Map<OrderToken, Order>> read(
      SqlSession session, Collection<OrderToken> tokens, Leads leads) {
    return read(session, tokens, leads, nowMs -> {});
  }

  /**
   * Reads these orders; those that do not exist are left out. Orders only move into the archive, so
   * it is read last.
   *
   * @param clock given the clock of the database, in milliseconds, with each row of a hold
   */
  static Future<Map<OrderToken, Order>> read(
      SqlSession session, Collection<OrderToken> tokens, Leads leads, LongConsumer clock) {
    return read(session, tokens, leads, Place.HERE, row -> clock.accept(Held.readAtMs(row)))
        .compose(
            found ->
                archived(
                        session,
                        others(tokens, found).stream()
                            .filter(token -> leads.archived().test(token.bucketId()))
                            .toList())
                    .map(archived -> joined(found, archived)));
  }

  private static Future<Map<OrderToken, Order>> archived(
      SqlSession session, Collection<OrderToken> tokens) {
    return read(session, tokens, Leads.ALL, Place.ARCHIVE, hold -> {})
        .map(
            orders -> {
              orders.replaceAll((token, order) -> order.inArchive());
              return orders;
            });
  }

  /**
   * Notes are read before the orders: outside of a transaction, a second read may be newer, and a
   * status must not be older than the notes that it has.
   */
  private static Future<Map<OrderToken, Order>> read(
      SqlSession session,
      Collection<OrderToken> tokens,
      Leads leads,
      Place place,
      Consumer<Row> seen) {
    return session
        .selectEach(place.notes, items(tokens, leads.notes()), Columns.to(Noted.class))
        .compose(
            notes ->
                session
                    .selectEach(
                        place.holds,
                        Items.of(OrderRows.tuples(tokens)),
                        row -> {
                          seen.accept(row);
                          return Held.of(row);
                        })
                    .map(OrderRows::orders)
                    .compose(
                        holds ->
                            rejected(session, others(tokens, holds), leads.rejects(), place)
                                .map(rejects -> joined(holds, rejects)))
                    .map(
                        orders -> {
                          OrderRows.addTo(orders, notes);
                          return orders;
                        }));
  }

  private static Items items(Collection<OrderToken> tokens, Predicate<BucketId> in) {
    return Items.of(
        OrderRows.tuples(tokens.stream().filter(token -> in.test(token.bucketId())).toList()));
  }

  private static Future<Map<OrderToken, Order>> rejected(
      SqlSession session, Collection<OrderToken> tokens, Predicate<BucketId> in, Place place) {
    return session
        .selectEach(place.rejects, items(tokens, in), Rejected::of)
        .map(OrderRows::rejected);
  }

  /** Which of these places an order has. */
  static Future<Claims> claims(SqlSession session, Collection<Claims.Place> places) {
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
              OrderToken token = OrderRows.token(row);
              taken.put(new Claims.Place(token.bucketId(), row.getLong(3), row.getLong(4)), token);
              return token;
            })
        .map(read -> Claims.of(taken));
  }

  /**
   * What is asked of a partition.
   *
   * @param after behind which place to begin
   * @param dueMs the latest deadline
   */
  record DueAsked(int partition, DuePlace after, long dueMs, int limit) {
    private Tuple parameters() {
      BucketId bucket = after.bucket();
      List<Object> parameters = new ArrayList<>();
      for (int table = 0; table < DUE_TABLES; table++) {
        parameters.addAll(List.of(partition, dueMs, after.payBeforeMs(), after.payBeforeMs()));
        parameters.addAll(
            List.of(bucket.skuId(), bucket.skuId(), bucket.bucket(), bucket.bucket()));
        parameters.addAll(List.of(after.epoch(), after.epoch(), after.seq(), limit));
      }
      return Tuple.wrap(parameters);
    }

    private DuePage page(List<Due> found) {
      List<Due> page = found.stream().sorted().limit(limit).toList();
      return new DuePage(
          page.stream().map(Due::token).filter(Objects::nonNull).toList(),
          page.isEmpty() ? after : page.get(page.size() - 1).place(),
          found.size() < limit);
    }

    /** The same with no more rows than this. */
    DueAsked atMost(int rows) {
      return new DueAsked(partition, after, dueMs, Math.min(limit, rows));
    }
  }

  /**
   * The next holds by payment deadline; a page for each question, in their order.
   *
   * @param asked of different partitions
   */
  static Future<List<DuePage>> due(SqlSession session, List<DueAsked> asked) {
    return session
        .selectEach(
            SqlStatement.LIST_DUE,
            Items.of(filled(asked).stream().map(DueAsked::parameters).toList()),
            Due::of)
        .map(
            rows -> {
              Map<Integer, List<Due>> found =
                  rows.stream().collect(Collectors.groupingBy(Due::partition));
              return asked.stream()
                  .map(one -> one.page(found.getOrDefault(one.partition(), List.of())))
                  .toList();
            });
  }

  /** Up to a power of two, as a session would, but with questions that find nothing. */
  private static List<DueAsked> filled(List<DueAsked> asked) {
    List<DueAsked> filled = new ArrayList<>(asked);
    while (Integer.bitCount(filled.size()) > 1) {
      filled.add(asked.get(0).atMost(0));
    }
    return filled;
  }

  /**
   * Holds of a bucket that may be overdue by the payment deadline that Redis gave them, the oldest
   * first.
   */
  static Future<Collection<Order>> overdue(
      SqlSession session, BucketId id, OverdueHolds.Demand demand) {
    return session
        .select(
            SqlStatement.LIST_OVERDUE,
            Tuple.of(id.skuId(), id.bucket(), demand.beforeMs(), demand.holds()),
            Held::of)
        .map(rows -> OrderRows.orders(rows).values());
  }

  /** A page of the orders that a bucket has in its current sale, holds first. */
  static Future<List<LoadRow>> loadRows(
      SqlSession session, BucketRow bucket, Optional<LoadRow> after, int limit) {
    if (after.isPresent() && after.get().rejected()) {
      return rejects(session, bucket, OrderRows.idOf(after.get().grant().token()), limit);
    }
    BucketId id = bucket.id();
    long epoch = after.map(row -> row.grant().epoch()).orElse(bucket.sinceEpoch());
    long seq = after.map(row -> row.grant().seq()).orElse(Long.MAX_VALUE);
    return session
        .select(
            SqlStatement.LIST_LOAD_ROWS,
            Tuple.of(id.skuId(), id.bucket(), epoch, epoch, seq, limit),
            OrderRows::loadRow)
        .compose(
            holds ->
                holds.size() == limit
                    ? Future.succeededFuture(holds)
                    : rejects(session, bucket, NO_ID, limit - holds.size())
                        .map(
                            rejects -> {
                              holds.addAll(rejects);
                              return holds;
                            }));
  }

  private static Future<List<LoadRow>> rejects(
      SqlSession session, BucketRow bucket, Buffer after, int limit) {
    // Seq and epoch of a rejected order may be anybody's. Before a SKU's second sale all are its
    // own.
    long fromSale = bucket.sinceEpoch() == 0 ? 0 : bucket.saleNo();
    return session.select(
        SqlStatement.LIST_LOAD_REJECTS,
        Tuple.of(bucket.id().skuId(), bucket.id().bucket(), after, fromSale, limit),
        OrderRows::loadReject);
  }

  /** The clock of the database, in milliseconds. */
  static Future<Long> nowMs(SqlSession session) {
    return session.only(SqlStatement.READ_CLOCK, Tuple.tuple(), row -> row.getLong(0));
  }
}
