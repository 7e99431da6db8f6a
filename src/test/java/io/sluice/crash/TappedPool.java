package io.sluice.crash;

import io.sluice.db.SqlStatement;
import io.vertx.core.Future;
import io.vertx.sqlclient.Pool;
import io.vertx.sqlclient.PreparedQuery;
import io.vertx.sqlclient.Query;
import io.vertx.sqlclient.SqlConnection;
import io.vertx.sqlclient.Transaction;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.function.Supplier;
import java.util.stream.Collectors;

/**
 * A pool that reports the steps of each call's transaction: {@code ledger.apply/insert_orders} once
 * that statement is done, {@code ledger.apply/commit} before the COMMIT is sent.
 */
final class TappedPool {
  private static final Map<String, String> STATEMENTS = statements();

  private final Steps steps;
  private final Supplier<String> caller;

  TappedPool(Steps steps, Supplier<String> caller) {
    this.steps = steps;
    this.caller = caller;
  }

  /** What is done with a method of a target. */
  private interface Instead {
    Object of(Object target, Method method, Object[] arguments) throws Throwable;
  }

  Pool of(Pool pool) {
    return tap(
        Pool.class,
        pool,
        "getConnection",
        (target, method, arguments) -> {
          String call = caller.get();
          return ((Future<?>) TappedPorts.invoke(target, method, arguments))
              .map(connection -> connection(call, (SqlConnection) connection));
        });
  }

  private SqlConnection connection(String call, SqlConnection connection) {
    SqlConnection asking =
        tap(
            SqlConnection.class,
            connection,
            "preparedQuery",
            (target, method, arguments) ->
                query(
                    PreparedQuery.class,
                    call + "/" + nameOf((String) arguments[0]),
                    TappedPorts.invoke(target, method, arguments)));
    SqlConnection writing =
        tap(
            SqlConnection.class,
            asking,
            "query",
            (target, method, arguments) ->
                query(
                    Query.class,
                    call + "/" + nameOf((String) arguments[0]),
                    TappedPorts.invoke(target, method, arguments)));
    return tap(
        SqlConnection.class,
        writing,
        "begin",
        (target, method, arguments) ->
            ((Future<?>) TappedPorts.invoke(target, method, arguments))
                .map(begun -> transaction(call, (Transaction) begun)));
  }

  private Transaction transaction(String call, Transaction transaction) {
    return tap(
        Transaction.class,
        transaction,
        "commit",
        (target, method, arguments) -> {
          steps.reached(call + "/commit");
          return TappedPorts.invoke(target, method, arguments);
        });
  }

  private <T> T query(Class<T> type, String step, Object query) {
    return tap(
        type,
        type.cast(query),
        "execute",
        (target, method, arguments) ->
            ((Future<?>) TappedPorts.invoke(target, method, arguments))
                .andThen(done -> steps.reached(step)));
  }

  private static <T> T tap(Class<T> type, T target, String name, Instead instead) {
    return type.cast(
        Proxy.newProxyInstance(
            type.getClassLoader(),
            new Class<?>[] {type},
            (proxy, method, arguments) ->
                method.getName().equals(name)
                    ? instead.of(target, method, arguments)
                    : TappedPorts.invoke(target, method, arguments)));
  }

  private static String nameOf(String sql) {
    return STATEMENTS.entrySet().stream()
        .filter(known -> sql.startsWith(known.getKey()))
        .map(Map.Entry::getValue)
        .findFirst()
        .orElseThrow(() -> new IllegalStateException("Expected a known statement, got " + sql));
  }

  /** Names by the text up to the place that repeats. */
  private static Map<String, String> statements() {
    Map<String, String> names = new LinkedHashMap<>();
    for (SqlStatement statement : SqlStatement.values()) {
      String name = statement.name().toLowerCase(Locale.ROOT);
      try (InputStream file = resource(name)) {
        if (file != null) {
          names.put(fixedPart(new String(file.readAllBytes(), StandardCharsets.UTF_8)), name);
        }
      } catch (IOException unreadable) {
        throw new UncheckedIOException(unreadable);
      }
    }
    return names;
  }

  private static InputStream resource(String name) {
    return TappedPool.class.getResourceAsStream("/sql/ledger/" + name + ".sql");
  }

  private static String fixedPart(String file) {
    String sql =
        Arrays.stream(file.split("\n"))
            .dropWhile(line -> line.isBlank() || line.startsWith("--"))
            .collect(Collectors.joining("\n"))
            .strip();
    int repeats = sql.indexOf('{');
    return repeats < 0 ? sql : sql.substring(0, repeats);
  }
}
