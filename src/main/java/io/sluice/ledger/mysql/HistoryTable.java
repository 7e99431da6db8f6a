package io.sluice.ledger.mysql;

import io.sluice.db.SqlSession;
import io.sluice.db.SqlStatement;
import io.sluice.ledger.History;
import io.sluice.ledger.History.Group;
import io.sluice.ledger.History.Kind;
import io.sluice.ledger.History.Place;
import io.sluice.ledger.History.Rest;
import io.sluice.ledger.History.Slice;
import io.sluice.model.Reason;
import io.vertx.core.Future;
import io.vertx.sqlclient.Row;
import io.vertx.sqlclient.Tuple;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Counts orders and what happened to them, by intervals. */
public final class HistoryTable {
  private static final Comparator<Counted> IN_ORDER =
      Comparator.comparingLong((Counted one) -> one.last().skuId())
          .thenComparingInt(one -> one.last().bucket())
          .thenComparingLong(one -> one.last().epoch())
          .thenComparingLong(one -> one.last().seq())
          .thenComparingInt(one -> one.last().step());

  /** In the numbers that have both. */
  private static final int STEPS = 32_768;

  private HistoryTable() {}

  /** A group, and the last row in it. */
  private record Counted(Group group, Place last) {}

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
      Function<Place, List<Object>> behind,
      Function<Row, Counted> row) {}

  /** Counts a slice of grants. */
  public static Future<Slice> granted(SqlSession session, Rest rest, long intervalMs, int limit) {
    Question question =
        new Question(
            SqlStatement.SUM_SALE_HOLDS,
            SqlStatement.SUM_SKU_HOLDS,
            List.of(intervalMs),
            HistoryTable::behindHold,
            HistoryTable::hold);
    return ask(session, question, rest, limit);
  }

  /** Counts a slice of what happened to orders. */
  public static Future<Slice> ended(SqlSession session, Rest rest, long intervalMs, int limit) {
    List<Object> before = new ArrayList<>();
    before.add(intervalMs);
    before.addAll(History.WAITS_MS);
    Question question =
        new Question(
            SqlStatement.SUM_SALE_MOVES,
            SqlStatement.SUM_SKU_MOVES,
            before,
            HistoryTable::behindMove,
            HistoryTable::move);
    return ask(session, question, rest, limit);
  }

  private static Future<Slice> ask(SqlSession session, Question question, Rest rest, int limit) {
    Place after = rest.after();
    Future<List<Counted>> found =
        after == null
            ? session.selectEach(
                question.ofAll(),
                rest.skuIds(),
                skuIds -> twice(question.before(), skuIds, limit),
                question.row())
            : session.select(
                question.ofOne(),
                twice(question.before(), question.behind().apply(after), limit),
                question.row());
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
    long rows = found.stream().mapToLong(one -> one.group().orders()).sum();
    Place reached =
        rows < limit ? null : found.stream().max(IN_ORDER).map(Counted::last).orElse(null);
    return new Slice(found.stream().map(Counted::group).toList(), rest.behind(reached));
  }

  private static Counted hold(Row row) {
    return new Counted(
        new Group(
            row.getLong(0),
            row.getLong(3),
            Kind.GRANTED,
            row.getLong(4),
            0,
            row.getLong(5),
            row.getLong(6),
            row.getLong(7),
            row.getLong(8)),
        new Place(row.getLong(0), row.getInteger(1), row.getLong(2), row.getLong(9), 0));
  }

  private static Counted move(Row row) {
    long last = row.getLong(12);
    return new Counted(
        new Group(
            row.getLong(0),
            row.getLong(3),
            kind(row.getString(5), row.getString(6)),
            row.getLong(4),
            row.getInteger(7),
            row.getLong(8),
            row.getLong(9),
            row.getLong(10),
            row.getLong(11)),
        new Place(
            row.getLong(0), row.getInteger(1), row.getLong(2), last / STEPS, (int) (last % STEPS)));
  }

  private static Kind kind(String action, @Nullable String reason) {
    return switch (action) {
      case "CONFIRM" -> Kind.PAID;
      case "REFUND" -> Kind.REFUNDED;
      case "LATE" -> Kind.PAID_LATE;
      default -> Reason.TIMEOUT.name().equals(reason) ? Kind.TIMED_OUT : Kind.CANCELED;
    };
  }
}
