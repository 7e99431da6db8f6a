package io.sluice.ledger.mysql;

import io.sluice.async.AsyncLoop;
import io.sluice.db.SqlSession;
import io.sluice.db.SqlSession.Items;
import io.sluice.db.SqlStatement;
import io.sluice.ledger.SkuLedger.Forgotten;
import io.sluice.ledger.rules.RestockPlan;
import io.sluice.model.Cart;
import io.sluice.model.Order;
import io.sluice.model.OrderStatus;
import io.sluice.model.OrderToken;
import io.sluice.model.Sku;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import io.vertx.sqlclient.Row;
import io.vertx.sqlclient.Tuple;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.Collection;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;

/**
 * The transactions that take a buyer out of orders. The rows of orders are found without a lock, in
 * slices of all of them, because they have no key by buyer. Those that are changed are read only
 * while their buckets are locked. Then nothing else moves or changes them, and all rows of an order
 * are changed at once, here or in the archive: none could be found by the buyer later.
 */
record ForgetTransaction(SqlSession session, long nowMs, int rowsMax) {
  /** For how long the result, and the id with it, is kept if nobody asks for it. */
  static final Duration RESULT_KEPT = Duration.ofMinutes(10);

  /** How many orders are changed at once: their buckets may sell to others. */
  private static final int ORDERS_MAX = 200;

  private static final int PURGE_MAX = 100;
  private static final int SALT_BYTES = 24;
  private static final SecureRandom RANDOM = new SecureRandom();

  static Future<Forgotten> ask(SqlSession session, String userId, String pseudonym) {
    return session
        .update(SqlStatement.ASK_FORGET, Tuple.of(userId, pseudonym))
        .compose(asked -> readJob(session, userId))
        .compose(
            now ->
                now.done()
                    ? session.update(SqlStatement.END_FORGET_JOB, Tuple.of(userId)).map(now)
                    : Future.succeededFuture(now));
  }

  static Future<Boolean> next(SqlSession session, int rowsMax) {
    return OrderTable.nowMs(session)
        .compose(nowMs -> new ForgetTransaction(session, nowMs, rowsMax).next());
  }

  private Future<Boolean> next() {
    return lockJob()
        .compose(
            job ->
                job.isPresent()
                    ? step(job.get()).map(true)
                    : purge(nowMs - RESULT_KEPT.toMillis(), PURGE_MAX)
                        .map(purged -> purged == PURGE_MAX));
  }

  private Future<Void> step(Job job) {
    int limit = Math.min(rowsMax, ORDERS_MAX);
    return found(job, rowsMax, limit)
        .compose(
            found ->
                forgotten(job, found.stream().filter(Found::theirs).toList())
                    .compose(now -> keep(now, after(found, limit))));
  }

  private Optional<Place> after(List<Found> found, int limit) {
    if (found.isEmpty()) {
      return Optional.empty();
    }
    Found last = found.get(found.size() - 1);
    boolean isFull = found.size() == limit || last.number() == rowsMax;
    return isFull ? Optional.of(last.place()) : Optional.empty();
  }

  /** An order is forgotten with all its lines, wherever they are, or not yet. */
  private Future<Job> forgotten(Job job, List<Found> theirs) {
    Map<OrderToken, Found> orders = new LinkedHashMap<>();
    theirs.forEach(row -> orders.putIfAbsent(leadOf(row), row));
    return over(orders.values())
        .compose(this::ended)
        .compose(
            ended -> {
              Set<OrderToken> leads = new HashSet<>();
              ended.forEach(line -> leads.add(line.lineTokens().get(0)));
              long left = theirs.stream().filter(row -> !leads.contains(leadOf(row))).count();
              return replace(job.pseudonym(), salt(), ended)
                  .map(done -> counted(job, ended.size(), left));
            });
  }

  private static OrderToken leadOf(Found row) {
    return row.tokens().get(0);
  }

  /** Those of these orders all of whose SKUs have ended in their sale: that stays so. */
  private Future<List<Found>> over(Collection<Found> orders) {
    Set<Long> skuIds = new TreeSet<>();
    orders.forEach(order -> order.tokens().forEach(token -> skuIds.add(token.skuId())));
    return SkuTable.read(session, skuIds)
        .map(
            read -> {
              Map<Long, Sku> skus =
                  read.stream().collect(Collectors.toMap(Sku::skuId, Function.identity()));
              return orders.stream().filter(order -> isOver(order, skus)).toList();
            });
  }

  private static boolean isOver(Found order, Map<Long, Sku> skus) {
    List<OrderToken> tokens = order.tokens();
    List<Long> saleNos = order.saleNos();
    return IntStream.range(0, tokens.size())
        .allMatch(
            line -> {
              Sku sku = skus.get(tokens.get(line).skuId());
              return sku != null && (sku.state().isEnded() || saleNos.get(line) < sku.saleNo());
            });
  }

  /** Locks the buckets of these orders, and reads all lines of those that have ended. */
  private Future<List<Order>> ended(List<Found> orders) {
    List<OrderToken> lines = orders.stream().flatMap(order -> order.tokens().stream()).toList();
    return BucketTable.lock(
            session, new TreeSet<>(lines.stream().map(OrderToken::bucketId).toList()))
        .compose(locked -> OrderTable.read(session, lines))
        .map(
            read ->
                orders.stream()
                    .map(
                        order ->
                            order.tokens().stream()
                                .map(read::get)
                                .filter(Objects::nonNull)
                                .toList())
                    .filter(Order::haveEnded)
                    .flatMap(List::stream)
                    .toList());
  }

  private static String salt() {
    byte[] bytes = new byte[SALT_BYTES];
    RANDOM.nextBytes(bytes);
    return Base64.getEncoder().encodeToString(bytes);
  }

  private static Job counted(Job job, long replaced, long left) {
    return new Job(
        job.userId(),
        job.pseudonym(),
        job.phase(),
        job.after(),
        job.replaced() + replaced,
        job.left() + left);
  }

  /**
   * @param after where this phase goes on; empty if the next one begins
   */
  private Future<Void> keep(Job job, Optional<Place> after) {
    boolean isLast = job.phase() == Phase.ARCHIVED_REJECTS;
    Phase phase =
        after.isPresent() || isLast ? job.phase() : Phase.values()[job.phase().ordinal() + 1];
    Job now =
        new Job(
            job.userId(),
            job.pseudonym(),
            phase,
            after.orElse(Place.FIRST),
            job.replaced(),
            job.left());
    return keep(now, after.isEmpty() && isLast ? nowMs : 0);
  }

  // ---- statements

  /**
   * The tables that are looked through, one after the other: orders move to the archive, never
   * back.
   */
  private enum Phase {
    HOLDS,
    REJECTS,
    ARCHIVED_HOLDS,
    ARCHIVED_REJECTS
  }

  /**
   * The row that was looked at last.
   *
   * @param token of a rejected order; epoch and seq are those of a hold
   */
  private record Place(long skuId, int bucket, long epoch, long seq, Buffer token) {
    static final Place FIRST = new Place(0, 0, 0, 0, Buffer.buffer());
  }

  /** A buyer who is being forgotten. */
  private record Job(
      String userId, String pseudonym, Phase phase, Place after, long replaced, long left) {}

  private static Future<Forgotten> readJob(SqlSession session, String userId) {
    return session.only(
        SqlStatement.READ_FORGET_JOB, Tuple.of(userId), Columns.to(Forgotten.class));
  }

  private Future<Integer> purge(long beforeMs, int limit) {
    return session.update(SqlStatement.PURGE_FORGET_JOBS, Tuple.of(beforeMs, limit));
  }

  /** The next buyer to be forgotten, locked. */
  private Future<Optional<Job>> lockJob() {
    return session.first(SqlStatement.LOCK_FORGET_JOB, Tuple.tuple(), Columns.to(Job.class));
  }

  /**
   * @param doneAtMs 0 before the end
   */
  private Future<Void> keep(Job job, long doneAtMs) {
    return session.updateOne(
        SqlStatement.KEEP_FORGET_JOB,
        Columns.of(
            job.phase().ordinal(),
            job.after(),
            job.replaced(),
            job.left(),
            doneAtMs,
            job.userId()));
  }

  // ---- slices

  /**
   * A row of an order in a slice.
   *
   * @param cart all lines of its order; null if it has one
   * @param theirs whether it is the buyer's
   * @param number in the slice, from 1 on; 0 if all rows are the buyer's
   */
  private record Found(
      Place place, OrderToken token, long saleNo, @Nullable Cart cart, boolean theirs, int number) {
    /** The tokens of all lines of its order, the lead's first. */
    List<OrderToken> tokens() {
      return cart == null ? List.of(token) : cart.tokens(token);
    }

    /** The number of the sale of each line, in the order of the tokens. */
    List<Long> saleNos() {
      return cart == null ? List.of(saleNo) : cart.lines().stream().map(Cart.Line::saleNo).toList();
    }

    static Found of(Row row, boolean booked) {
      OrderToken token = OrderRows.token(row);
      return new Found(
          booked
              ? new Place(
                  token.skuId(), token.bucket(), row.getLong(3), row.getLong(4), Buffer.buffer())
              : new Place(token.skuId(), token.bucket(), 0, 0, row.getBuffer(2)),
          token,
          row.getLong(5),
          OrderRows.cart(row.getString(6)),
          row.getInteger(7) != 0,
          row.getInteger(8));
    }
  }

  /**
   * The orders of the buyer in the next slice, and the last order of a full slice, in order.
   *
   * @param rows of the slice
   * @param limit how many at most
   */
  private Future<List<Found>> found(Job job, int rows, int limit) {
    boolean booked = job.phase() == Phase.HOLDS || job.phase() == Phase.ARCHIVED_HOLDS;
    boolean sliced = job.phase() == Phase.HOLDS || job.phase() == Phase.REJECTS;
    Place after = job.after();
    List<Object> parameters = new ArrayList<>();
    parameters.add(job.userId());
    parameters.addAll(List.of(after.skuId(), after.skuId(), after.bucket(), after.bucket()));
    parameters.addAll(
        booked ? List.of(after.epoch(), after.epoch(), after.seq()) : List.of(after.token()));
    if (sliced) {
      parameters.addAll(List.of(rows, job.userId(), rows));
    }
    parameters.add(limit);
    return session.select(
        listOf(job.phase()), Tuple.wrap(parameters), row -> Found.of(row, booked));
  }

  private static SqlStatement listOf(Phase phase) {
    return switch (phase) {
      case HOLDS -> SqlStatement.LIST_FORGET_HOLDS;
      case REJECTS -> SqlStatement.LIST_FORGET_REJECTS;
      case ARCHIVED_HOLDS -> SqlStatement.LIST_FORGET_ARCHIVED_HOLDS;
      case ARCHIVED_REJECTS -> SqlStatement.LIST_FORGET_ARCHIVED_REJECTS;
    };
  }

  // ---- other names

  /**
   * Takes a buyer out of all rows of orders that have ended. The pseudonym stands in place of the
   * id, and other tokens and names of payments in place of those that the caller or the buyer
   * knows. Their buckets are locked.
   *
   * @param lines all lines of each order, as they are in these tables now
   * @param salt from which the other names are made; another one each time, and kept nowhere
   */
  private Future<Void> replace(String pseudonym, String salt, List<Order> lines) {
    List<Order> archived = lines.stream().filter(Order::archived).toList();
    List<Order> here = lines.stream().filter(line -> !line.archived()).toList();
    return returns(salt, lines)
        .compose(done -> LookupTable.forget(session, lines))
        .compose(done -> deliveries(lines))
        .compose(done -> replace(pseudonym, salt, here, Tables.BOOKED))
        .compose(done -> replace(pseudonym, salt, archived, Tables.ARCHIVE));
  }

  /** Events that a target has not accepted; they name the order by its first line. */
  private Future<Integer> deliveries(List<Order> lines) {
    return session.updateEach(
        SqlStatement.FORGET_DELIVERIES,
        Items.ofEach(lines.stream().map(line -> line.token().value()).toList()));
  }

  /** The statements on the tables that have an order and all that was recorded of it. */
  private enum Tables {
    BOOKED(
        SqlStatement.FORGET_HOLDS,
        SqlStatement.FORGET_MOVES,
        SqlStatement.FORGET_REJECTS,
        SqlStatement.FORGET_NOTES),
    ARCHIVE(
        SqlStatement.FORGET_ARCHIVED_HOLDS,
        SqlStatement.FORGET_ARCHIVED_MOVES,
        SqlStatement.FORGET_ARCHIVED_REJECTS,
        SqlStatement.FORGET_ARCHIVED_NOTES);

    private final SqlStatement holds;
    private final SqlStatement moves;
    private final SqlStatement rejects;
    private final SqlStatement notes;

    Tables(SqlStatement holds, SqlStatement moves, SqlStatement rejects, SqlStatement notes) {
      this.holds = holds;
      this.moves = moves;
      this.rejects = rejects;
      this.notes = notes;
    }
  }

  private Future<Void> replace(String pseudonym, String salt, List<Order> lines, Tables tables) {
    List<Order> holds = lines.stream().filter(line -> !isRejected(line)).toList();
    List<Tuple> rejects = tokens(lines.stream().filter(ForgetTransaction::isRejected).toList());
    List<Tuple> places =
        holds.stream()
            .map(
                line ->
                    Tuple.of(line.token().skuId(), line.token().bucket(), line.epoch(), line.seq()))
            .toList();
    return change(tables.holds, Tuple.of(pseudonym, salt), tokens(holds))
        .compose(done -> change(tables.moves, Tuple.of(salt), places))
        .compose(done -> change(tables.rejects, Tuple.of(pseudonym, salt, salt), rejects))
        .compose(done -> change(tables.notes, Tuple.of(salt, salt), tokens(lines)))
        .mapEmpty();
  }

  /** Seq and epoch of a rejected order may be anybody's. */
  private static boolean isRejected(Order line) {
    return line.status() == OrderStatus.REJECTED;
  }

  private static List<Tuple> tokens(List<Order> lines) {
    return OrderRows.tuples(lines.stream().map(Order::token).toList());
  }

  private Future<Integer> change(SqlStatement statement, Tuple before, List<Tuple> items) {
    return session.updateEach(statement, Items.of(items).behind(before));
  }

  /** The rows with which units of refunded orders have left the stock. */
  private Future<Void> returns(String salt, List<Order> lines) {
    return AsyncLoop.forEach(
        lines.stream().filter(line -> line.notes().refundedQty() > 0).toList(),
        line ->
            change(SqlStatement.FORGET_RETURNS, Tuple.of(salt), returnsOf(line))
                .compose(
                    rows ->
                        rows == 0
                            ? Future.succeededFuture()
                            : ArchiveTransaction.count(session, line.token().bucketId(), rows)));
  }

  private static List<Tuple> returnsOf(Order line) {
    return LongStream.rangeClosed(1, line.version())
        .mapToObj(
            version ->
                Tuple.of(line.token().skuId(), RestockPlan.returnToken(line.token(), version)))
        .toList();
  }
}
