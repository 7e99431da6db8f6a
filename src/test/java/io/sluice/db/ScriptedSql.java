package io.sluice.db;

import io.sluice.testkit.Ports;
import io.vertx.core.Future;
import io.vertx.sqlclient.PreparedQuery;
import io.vertx.sqlclient.Query;
import io.vertx.sqlclient.Row;
import io.vertx.sqlclient.RowIterator;
import io.vertx.sqlclient.RowSet;
import io.vertx.sqlclient.SqlConnection;
import io.vertx.sqlclient.Tuple;
import java.lang.reflect.InvocationHandler;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * A database with scripted answers that finds every row to be updated and records its statements.
 * Only a session may call it; any other method fails the test.
 */
public final class ScriptedSql {
  private record Ran(String sql, List<Object> parameters) {}

  private final Map<String, List<List<?>>> answers = new HashMap<>();
  private final List<Ran> ran = new ArrayList<>();
  private final List<String> written = new ArrayList<>();
  private final List<String> texts = new ArrayList<>();

  /** Sets the rows that this statement returns from now on. */
  public void answer(SqlStatement statement, List<?>... rows) {
    answers.put(statement.text(0), List.of(rows));
  }

  /** A session that sends each write at once. */
  public SqlSession session() {
    return session(false);
  }

  /** The same in a transaction, where writes wait for each other. */
  SqlSession inTransaction() {
    return session(true);
  }

  private SqlSession session(boolean gathers) {
    SqlConnection connection =
        port(
            SqlConnection.class,
            (self, method, arguments) ->
                switch (method.getName()) {
                  case "preparedQuery" -> prepared((String) arguments[0]);
                  case "query" -> written((String) arguments[0]);
                  default -> throw new AssertionError("Expected no call of " + method);
                });
    return new SqlSession(connection, false, gathers);
  }

  /** The parameters of each execution of this statement. */
  public List<List<Object>> ran(SqlStatement statement) {
    return ran.stream()
        .filter(one -> one.sql().equals(statement.text(0)))
        .map(Ran::parameters)
        .toList();
  }

  /** The texts of the multi-row statements, values included. */
  public List<String> written() {
    return List.copyOf(written);
  }

  /** All texts with values in them as they were sent, each of one statement or several. */
  List<String> texts() {
    return List.copyOf(texts);
  }

  private Object prepared(String sql) {
    return port(
        PreparedQuery.class,
        (self, method, arguments) -> {
          Tuple tuple = (Tuple) arguments[0];
          List<Object> parameters = new ArrayList<>();
          IntStream.range(0, tuple.size()).forEach(i -> parameters.add(tuple.getValue(i)));
          ran.add(new Ran(sql, parameters));
          return Future.succeededFuture(found(answers.getOrDefault(sql, List.of())));
        });
  }

  private Object written(String sql) {
    return port(
        Query.class,
        (self, method, arguments) -> {
          texts.add(sql);
          for (String one : StatementNames.split(sql)) {
            StatementNames.rows(one)
                .ifPresentOrElse(
                    rows -> ran.add(new Ran(StatementNames.withoutRows(one), List.of(rows))),
                    () -> written.add(one));
          }
          return Future.succeededFuture(found(List.of()));
        });
  }

  private static RowSet<Row> found(List<List<?>> rows) {
    return port(
        RowSet.class,
        (self, method, arguments) ->
            switch (method.getName()) {
              case "rowCount" -> 1;
              case "next" -> found(List.of());
              case "size" -> rows.size();
              case "iterator" -> rowsOf(rows.stream().map(ScriptedSql::row).iterator());
              default -> throw new AssertionError("Expected no call of " + method);
            });
  }

  private static RowIterator<Row> rowsOf(Iterator<Row> rows) {
    return port(
        RowIterator.class,
        (self, method, arguments) ->
            method.getName().equals("hasNext") ? (Object) rows.hasNext() : rows.next());
  }

  private static Row row(List<?> values) {
    return port(
        Row.class,
        (self, method, arguments) -> {
          Object value = values.get((int) arguments[arguments.length - 1]);
          return switch (method.getName()) {
            case "get" -> as((Class<?>) arguments[0], value);
            case "getLong" -> ((Number) value).longValue();
            case "getInteger" -> ((Number) value).intValue();
            case "getString" -> (String) value;
            default -> throw new AssertionError("Expected no call of " + method);
          };
        });
  }

  /** Numbers and the names of constants are converted, as the driver does. */
  private static Object as(Class<?> type, Object value) {
    if (type == Long.class) {
      return ((Number) value).longValue();
    }
    if (type == Boolean.class) {
      return ((Number) value).byteValue() != 0;
    }
    if (type.isEnum()) {
      return Stream.of(type.getEnumConstants())
          .filter(constant -> ((Enum<?>) constant).name().equals(value))
          .findFirst()
          .orElseThrow();
    }
    return type.cast(type == Integer.class ? ((Number) value).intValue() : value);
  }

  @SuppressWarnings("unchecked")
  private static <T> T port(Class<? super T> port, InvocationHandler calls) {
    return (T) Ports.answering(port, calls);
  }
}
