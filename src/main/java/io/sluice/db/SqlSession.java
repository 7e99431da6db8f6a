package io.sluice.db;

import io.sluice.async.AsyncLoop;
import io.vertx.core.Future;
import io.vertx.sqlclient.Row;
import io.vertx.sqlclient.RowSet;
import io.vertx.sqlclient.SqlConnection;
import io.vertx.sqlclient.Tuple;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * A connection in the hands of one call: runs statements one after the other, until the call's time
 * is up.
 */
public final class SqlSession {
  private static final Tuple NONE = Tuple.tuple();

  private final SqlConnection connection;
  private final BooleanSupplier expired;
  private final boolean repeated;
  private boolean wrote;

  /** Expects whether the same work was tried before, and failed. */
  SqlSession(SqlConnection connection, BooleanSupplier expired, boolean repeated) {
    this.connection = connection;
    this.expired = expired;
    this.repeated = repeated;
  }

  /**
   * Whether the transaction is run again, since another was in its way or a row that it wrote was
   * there already. What the first attempt took for granted is to be read then.
   */
  public boolean isRepeated() {
    return repeated;
  }

  /** Whether the server has taken a write. */
  boolean hasWritten() {
    return wrote;
  }

  /**
   * What stands in the repeating place of a statement, and around it.
   *
   * @param before parameters ahead of the items
   * @param items parameters of each item
   * @param after parameters behind the items
   */
  public record Items(Tuple before, List<Tuple> items, Tuple after) {
    public static Items of(List<Tuple> items) {
      return new Items(NONE, items, NONE);
    }
  }

  /** Rows of a statement without a repeating place. */
  public <T> Future<List<T>> select(
      SqlStatement statement, Tuple parameters, Function<Row, T> mapping) {
    return run(statement.text(0), parameters).map(rows -> mapped(rows, mapping));
  }

  /** How many rows a statement without a repeating place found or wrote. */
  public Future<Integer> update(SqlStatement statement, Tuple parameters) {
    return run(statement.text(0), parameters)
        .onSuccess(written -> wrote = true)
        .map(RowSet::rowCount);
  }

  /** Runs a statement that changes one row, and fails where it did not find it. */
  public Future<Void> updateOne(SqlStatement statement, Tuple parameters) {
    return update(statement, parameters).compose(found -> expectRows(statement, 1, found));
  }

  /**
   * Writes these rows, in order, with as few statements as it takes. Their values stand in the
   * text: a server takes many rows faster so than as the parameters of a prepared statement.
   */
  public Future<Void> insert(SqlStatement statement, List<Tuple> rows) {
    AtomicInteger written = new AtomicInteger();
    return AsyncLoop.whileTrue(
        () -> {
          if (written.get() == rows.size()) {
            return Future.succeededFuture(false);
          }
          if (expired.getAsBoolean()) {
            return Future.failedFuture(timeIsUp());
          }
          SqlTemplate.Written next = statement.written(rows, written.get());
          written.set(next.end());
          return connection.query(next.sql()).execute().map(true);
        });
  }

  /** Rows found for a list of any length, in no order across its pieces. */
  public <T> Future<List<T>> selectEach(
      SqlStatement statement, Items items, Function<Row, T> mapping) {
    List<T> found = new ArrayList<>();
    return inChunks(
            statement,
            Chunks.padded(items.items()),
            items.before(),
            items.after(),
            rows -> found.addAll(mapped(rows, mapping)))
        .map(found);
  }

  /** How many rows were found for a list of any length, to be written. */
  public Future<Integer> updateEach(SqlStatement statement, Items items) {
    int[] found = new int[1];
    return inChunks(
            statement,
            Chunks.padded(items.items()),
            items.before(),
            items.after(),
            result -> found[0] += result.rowCount())
        .map(nothing -> found[0]);
  }

  /** Fails, and so rolls back, where a compare-and-set did not find what it compared with. */
  public Future<Void> expectRows(SqlStatement statement, int expected, int found) {
    return expected == found
        ? Future.succeededFuture()
        : Future.failedFuture(
            new IllegalStateException(
                "Expected " + expected + " rows of " + statement + ", but found " + found));
  }

  private Future<Void> inChunks(
      SqlStatement statement,
      List<List<Tuple>> chunks,
      Tuple before,
      Tuple after,
      Consumer<RowSet<Row>> each) {
    return AsyncLoop.forEach(
        chunks,
        chunk ->
            run(statement.text(chunk.size()), joined(before, chunk, after))
                .onSuccess(each::accept));
  }

  private Future<RowSet<Row>> run(String sql, Tuple parameters) {
    return expired.getAsBoolean()
        ? Future.failedFuture(timeIsUp())
        : connection.preparedQuery(sql).execute(parameters);
  }

  private static IllegalStateException timeIsUp() {
    return new IllegalStateException("Expected time to be left, but it is up");
  }

  private static Tuple joined(Tuple before, List<Tuple> chunk, Tuple after) {
    List<Object> all =
        new ArrayList<>(before.size() + chunk.size() * chunk.get(0).size() + after.size());
    addTo(all, before);
    chunk.forEach(item -> addTo(all, item));
    addTo(all, after);
    return Tuple.wrap(all);
  }

  private static void addTo(List<Object> all, Tuple part) {
    for (int i = 0; i < part.size(); i++) {
      all.add(part.getValue(i));
    }
  }

  private static <T> List<T> mapped(RowSet<Row> rows, Function<Row, T> mapping) {
    List<T> list = new ArrayList<>(rows.size());
    for (Row row : rows) {
      list.add(mapping.apply(row));
    }
    return list;
  }
}
