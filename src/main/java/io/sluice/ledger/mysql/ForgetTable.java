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
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import io.vertx.sqlclient.Row;
import io.vertx.sqlclient.Tuple;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;

/** Takes buyers out of the rows of orders, and keeps how far that is. */
public final class ForgetTable {
  private ForgetTable() {}

  /**
   * The tables that are looked through, one after the other: orders move to the archive, never
   * back.
   */
  public enum Phase {
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
  public record Place(long skuId, int bucket, long epoch, long seq, Buffer token) {
    public static final Place FIRST = new Place(0, 0, 0, 0, Buffer.buffer());
  }

  /** A buyer who is being forgotten. */
  public record Job(
      String userId, String pseudonym, Phase phase, Place after, long replaced, long left) {}

  public static Future<Void> ask(SqlSession session, String userId, String pseudonym) {
    return session.update(SqlStatement.ASK_FORGET, Tuple.of(userId, pseudonym)).mapEmpty();
  }

  public static Future<Forgotten> read(SqlSession session, String userId) {
    return session
        .select(
            SqlStatement.READ_FORGET_JOB,
            Tuple.of(userId),
            row ->
                new Forgotten(row.getString(0), row.getLong(1), row.getLong(2), row.getLong(3) > 0))
        .map(jobs -> jobs.get(0));
  }

  public static Future<Void> end(SqlSession session, String userId) {
    return session.update(SqlStatement.END_FORGET_JOB, Tuple.of(userId)).mapEmpty();
  }

  public static Future<Integer> purge(SqlSession session, long beforeMs, int limit) {
    return session.update(SqlStatement.PURGE_FORGET_JOBS, Tuple.of(beforeMs, limit));
  }

  /** The next buyer to be forgotten, locked. */
  public static Future<Optional<Job>> lock(SqlSession session) {
    return session
        .select(SqlStatement.LOCK_FORGET_JOB, Tuple.tuple(), ForgetTable::job)
        .map(jobs -> jobs.stream().findFirst());
  }

  private static Job job(Row row) {
    return new Job(
        row.getString(0),
        row.getString(1),
        Phase.values()[row.getInteger(2)],
        new Place(
            row.getLong(3), row.getInteger(4), row.getLong(5), row.getLong(6), row.getBuffer(7)),
        row.getLong(8),
        row.getLong(9));
  }

  /**
   * @param doneAtMs 0 before the end
   */
  public static Future<Void> keep(SqlSession session, Job job, long doneAtMs) {
    Place after = job.after();
    return session.updateOne(
        SqlStatement.KEEP_FORGET_JOB,
        Tuple.of(
            job.phase().ordinal(),
            after.skuId(),
            after.bucket(),
            after.epoch(),
            after.seq(),
            after.token(),
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
  public record Found(
      Place place, OrderToken token, long saleNo, @Nullable Cart cart, boolean theirs, int number) {
    /** The tokens of all lines of its order, the lead's first. */
    public List<OrderToken> tokens() {
      return cart == null ? List.of(token) : cart.tokens(token);
    }

    /** The number of the sale of each line, in the order of the tokens. */
    public List<Long> saleNos() {
      return cart == null ? List.of(saleNo) : cart.lines().stream().map(Cart.Line::saleNo).toList();
    }

    static Found of(Row row, boolean booked) {
      OrderToken token = TokenBytes.token(row);
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
  public static Future<List<Found>> found(SqlSession session, Job job, int rows, int limit) {
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
  public static Future<Void> replace(
      SqlSession session, String pseudonym, String salt, List<Order> lines) {
    List<Order> archived = lines.stream().filter(Order::archived).toList();
    List<Order> here = lines.stream().filter(line -> !line.archived()).toList();
    return returns(session, salt, lines)
        .compose(done -> replace(session, pseudonym, salt, here, Tables.BOOKED))
        .compose(done -> replace(session, pseudonym, salt, archived, Tables.ARCHIVE));
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

  private static Future<Void> replace(
      SqlSession session, String pseudonym, String salt, List<Order> lines, Tables tables) {
    List<Order> holds = lines.stream().filter(line -> !isRejected(line)).toList();
    List<Tuple> rejects = tokens(lines.stream().filter(ForgetTable::isRejected).toList());
    List<Tuple> places =
        holds.stream()
            .map(
                line ->
                    Tuple.of(line.token().skuId(), line.token().bucket(), line.epoch(), line.seq()))
            .toList();
    return change(session, tables.holds, Tuple.of(pseudonym, salt), tokens(holds))
        .compose(done -> change(session, tables.moves, Tuple.of(salt), places))
        .compose(done -> change(session, tables.rejects, Tuple.of(pseudonym, salt, salt), rejects))
        .compose(done -> change(session, tables.notes, Tuple.of(salt, salt), tokens(lines)))
        .mapEmpty();
  }

  /** Seq and epoch of a rejected order may be anybody's. */
  private static boolean isRejected(Order line) {
    return line.status() == OrderStatus.REJECTED;
  }

  private static List<Tuple> tokens(List<Order> lines) {
    return TokenBytes.tuples(lines.stream().map(Order::token).toList());
  }

  private static Future<Integer> change(
      SqlSession session, SqlStatement statement, Tuple before, List<Tuple> items) {
    return session.updateEach(statement, new Items(before, items, Tuple.tuple()));
  }

  /** The rows with which units of orders of earlier sales have left the stock. */
  private static Future<Void> returns(SqlSession session, String salt, List<Order> lines) {
    return AsyncLoop.forEach(
        lines.stream().filter(line -> line.notes().refundedQty() > 0).toList(),
        line ->
            change(session, SqlStatement.FORGET_RETURNS, Tuple.of(salt), returnsOf(line))
                .compose(
                    rows ->
                        rows == 0
                            ? Future.succeededFuture()
                            : ArchiveTable.count(session, line.token().bucketId(), rows)));
  }

  private static List<Tuple> returnsOf(Order line) {
    return LongStream.rangeClosed(1, line.version())
        .mapToObj(
            version ->
                Tuple.of(line.token().skuId(), RestockPlan.returnToken(line.token(), version)))
        .toList();
  }
}
