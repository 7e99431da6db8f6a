package io.sluice.db;

import io.sluice.async.AsyncLoop;
import io.vertx.core.Future;
import io.vertx.core.json.JsonArray;
import io.vertx.sqlclient.Row;
import io.vertx.sqlclient.RowSet;
import io.vertx.sqlclient.SqlConnection;
import io.vertx.sqlclient.Tuple;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * A connection used by one call: runs statements one after the other. When the call's time is over,
 * the connection is closed, and what follows fails.
 *
 * <p>In a transaction, rows that are written wait for each other: they go to the server as one text
 * of several statements before anything else is asked, and before the COMMIT. The server stops at
 * the first one that fails. So a write that fails fails a later call of the session, and with it
 * the transaction. The text has no COMMIT, so without its end nothing of it is kept.
 */
public final class SqlSession {
  /** Between statements of one text. */
  static final String SEPARATOR = ";\n";

  /** Of a text of several statements; a single one may be longer. */
  static final int TEXT_CHARS_MAX = 1 << 18;

  private static final Tuple NONE = Tuple.tuple();

  private final SqlConnection connection;
  private final boolean repeated;
  private final boolean inTransaction;
  private final List<Unsent> unsent = new ArrayList<>();
  private int unsentChars;

  /** Why writes failed; the transaction cannot be committed without them. */
  private @Nullable Throwable unwritten;

  private boolean wrote;
  private boolean undone;

  /**
   * A write that waits for others.
   *
   * @param mustFind so many rows; null if any number will do
   */
  private record Unsent(SqlStatement statement, String sql, @Nullable Integer mustFind) {}

  /**
   * @param repeated whether the same work was tried before, and failed
   * @param inTransaction whether writes wait for each other
   */
  SqlSession(SqlConnection connection, boolean repeated, boolean inTransaction) {
    this.connection = connection;
    this.repeated = repeated;
    this.inTransaction = inTransaction;
  }

  /**
   * Whether this is a retry, after a conflict with another transaction or a duplicate row.
   * Assumptions of the first attempt must be checked by reading then.
   */
  public boolean isRepeated() {
    return repeated;
  }

  /** Whether the server has taken a write. */
  boolean hasWritten() {
    return wrote;
  }

  /** Rolls the transaction back at its end, although its work succeeds. */
  public void undo() {
    undone = true;
  }

  boolean isUndone() {
    return undone;
  }

  /**
   * The values for the repeated part of a statement, and for the parameters around it.
   *
   * @param before parameters before the items
   * @param items parameters of each item
   * @param after parameters after the items
   */
  public record Items(Tuple before, List<Tuple> items, Tuple after) {
    public static Items of(List<Tuple> items) {
      return new Items(NONE, items, NONE);
    }

    /** Of one parameter each. */
    public static Items ofEach(Collection<?> values) {
      return of(values.stream().<Tuple>map(value -> Tuple.of(value)).toList());
    }

    /** The same with parameters before the items. */
    public Items behind(Tuple first) {
      return new Items(first, items, after);
    }
  }

  /** The rows of a statement without a repeated part. */
  public <T> Future<List<T>> select(
      SqlStatement statement, Tuple parameters, Function<Row, T> mapping) {
    return run(statement.text(0), parameters).map(rows -> mapped(rows, mapping));
  }

  /** The first row of a statement without a repeated part; empty if it finds none. */
  public <T> Future<Optional<T>> first(
      SqlStatement statement, Tuple parameters, Function<Row, T> mapping) {
    return select(statement, parameters, mapping).map(rows -> rows.stream().findFirst());
  }

  /** The row of a statement without a repeated part that always finds one. */
  public <T> Future<T> only(SqlStatement statement, Tuple parameters, Function<Row, T> mapping) {
    return select(statement, parameters, mapping).map(rows -> rows.get(0));
  }

  /** The number of rows that a statement without a repeated part found or wrote. */
  public Future<Integer> update(SqlStatement statement, Tuple parameters) {
    return run(statement.text(0), parameters)
        .onSuccess(written -> wrote = true)
        .map(RowSet::rowCount);
  }

  /** Runs a statement that must change exactly one row, and fails otherwise. */
  public Future<Void> updateOne(SqlStatement statement, Tuple parameters) {
    return update(statement, parameters).compose(found -> expectRows(statement, 1, found));
  }

  /**
   * Runs a statement that takes rows as one parameter, a JSON array of arrays; fails unless it
   * found them all. In a transaction this completes before anything is sent, and a later call
   * fails.
   */
  public Future<Void> updateRows(SqlStatement statement, List<Tuple> rows) {
    if (rows.isEmpty()) {
      return Future.succeededFuture();
    }
    JsonArray all = new JsonArray();
    rows.forEach(row -> all.add(joined(row, List.of(), NONE)));
    return write(new Unsent(statement, statement.written(all.encode()), rows.size()));
  }

  /**
   * Inserts these rows, in order, in as few statements as possible. Their values are literals in
   * the text: for many rows that is faster on the server than parameters of a prepared statement.
   * In a transaction this completes before anything is sent, and a later call fails.
   */
  public Future<Void> insert(SqlStatement statement, List<Tuple> rows) {
    AtomicInteger written = new AtomicInteger();
    return AsyncLoop.whileTrue(
        () -> {
          if (written.get() == rows.size()) {
            return Future.succeededFuture(false);
          }
          SqlTemplate.Written next = statement.written(rows, written.get());
          written.set(next.end());
          return write(new Unsent(statement, next.sql(), null)).map(true);
        });
  }

  private Future<Void> write(Unsent write) {
    Future<Void> room =
        unsentChars + write.sql().length() > TEXT_CHARS_MAX ? send() : Future.succeededFuture();
    return room.compose(
        sent -> {
          unsent.add(write);
          unsentChars += write.sql().length();
          return inTransaction ? Future.succeededFuture() : send();
        });
  }

  /** Sends the writes that wait. */
  Future<Void> send() {
    if (unwritten != null) {
      return Future.failedFuture(unwritten);
    }
    if (unsent.isEmpty()) {
      return Future.succeededFuture();
    }
    List<Unsent> writes = List.copyOf(unsent);
    unsent.clear();
    unsentChars = 0;
    String sql = writes.stream().map(Unsent::sql).collect(Collectors.joining(SEPARATOR));
    return connection
        .query(sql)
        .execute()
        .onSuccess(taken -> wrote = true)
        .compose(results -> expectRows(writes, results))
        .onFailure(failure -> unwritten = failure);
  }

  private static Future<Void> expectRows(List<Unsent> writes, RowSet<Row> results) {
    RowSet<Row> result = results;
    for (Unsent write : writes) {
      if (write.mustFind() != null && write.mustFind() != result.rowCount()) {
        return expectRows(write.statement(), write.mustFind(), result.rowCount());
      }
      result = result.next();
    }
    return Future.succeededFuture();
  }

  /** The rows found for a list of any length, unordered across its chunks. */
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

  /**
   * The rows found for a list that stands in the statement more than once.
   *
   * @param parameters of a chunk of the list, which may end with the same value several times
   */
  public <T> Future<List<T>> selectEach(
      SqlStatement statement,
      List<Long> list,
      Function<List<Long>, Tuple> parameters,
      Function<Row, T> mapping) {
    List<T> found = new ArrayList<>();
    return AsyncLoop.forEach(
            Chunks.padded(list),
            chunk ->
                run(statement.text(chunk.size()), parameters.apply(chunk))
                    .map(rows -> found.addAll(mapped(rows, mapping))))
        .map(found);
  }

  /**
   * The number of rows that were updated for a list of any length. One row alone is named twice:
   * for {@code UPDATE ... WHERE (a, b) IN ((1, 2))} MariaDB 11.4 reads a whole index, and locks
   * what it reads.
   */
  public Future<Integer> updateEach(SqlStatement statement, Items items) {
    int[] found = new int[1];
    return inChunks(
            statement,
            Chunks.padded(items.items(), 2),
            items.before(),
            items.after(),
            result -> found[0] += result.rowCount())
        .map(nothing -> found[0]);
  }

  /** Fails, and so rolls back, if a compare-and-set did not find the expected rows. */
  public static Future<Void> expectRows(SqlStatement statement, int expected, int found) {
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
            run(statement.text(chunk.size()), Tuple.wrap(joined(before, chunk, after)))
                .map(
                    rows -> {
                      each.accept(rows);
                      return rows;
                    }));
  }

  private Future<RowSet<Row>> run(String sql, Tuple parameters) {
    return send().compose(sent -> connection.preparedQuery(sql).execute(parameters));
  }

  private static List<Object> joined(Tuple before, List<Tuple> chunk, Tuple after) {
    int items = chunk.isEmpty() ? 0 : chunk.size() * chunk.get(0).size();
    List<Object> all = new ArrayList<>(before.size() + items + after.size());
    addTo(all, before);
    chunk.forEach(item -> addTo(all, item));
    addTo(all, after);
    return all;
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

  /**
   * Splits lists into chunks of few different sizes, so that their statements hit the
   * prepared-statement cache.
   */
  static final class Chunks {
    /**
     * The maximum number of items in one statement; a power of two, far below the server's 65,535
     * placeholders.
     */
    static final int SIZE_MAX = 256;

    private Chunks() {}

    /**
     * Splits into chunks whose sizes are powers of two; the last is padded with its own last item.
     */
    static <T> List<List<T>> padded(List<T> items) {
      return padded(items, 1);
    }

    /**
     * The same with chunks of this size at least.
     *
     * @param least a power of two
     */
    static <T> List<List<T>> padded(List<T> items, int least) {
      List<List<T>> chunks = new ArrayList<>();
      for (int from = 0; from < items.size(); from += SIZE_MAX) {
        chunks.add(fill(items.subList(from, Math.min(from + SIZE_MAX, items.size())), least));
      }
      return chunks;
    }

    private static <T> List<T> fill(List<T> items, int least) {
      int half = Integer.highestOneBit(items.size());
      int size = half == items.size() ? half : 2 * half;
      int missing = Math.max(least, size) - items.size();
      if (missing == 0) {
        return items;
      }
      List<T> filled = new ArrayList<>(items);
      filled.addAll(Collections.nCopies(missing, items.get(items.size() - 1)));
      return filled;
    }
  }
}
