package io.sluice.crash;

import io.sluice.db.Database.PoolDecorator;
import io.sluice.db.StatementNames;
import io.sluice.testkit.Ports;
import io.vertx.core.Future;
import io.vertx.sqlclient.Pool;
import io.vertx.sqlclient.PreparedQuery;
import io.vertx.sqlclient.Query;
import io.vertx.sqlclient.SqlConnection;
import io.vertx.sqlclient.Transaction;
import io.vertx.sqlclient.internal.SqlConnectionInternal;
import java.lang.reflect.Method;
import java.util.List;
import java.util.function.Supplier;

/**
 * Taps pools, which then report the steps of each call's transaction: {@code
 * ledger.apply/insert_holds} once that statement is done, and those sent with it, {@code
 * ledger.apply/commit} before the COMMIT is sent.
 */
final class TappedPool implements PoolDecorator {
  private final Steps steps;
  private final Supplier<String> caller;

  TappedPool(Steps steps, Supplier<String> caller) {
    this.steps = steps;
    this.caller = caller;
  }

  /** A replacement for a method of a target. */
  private interface Instead {
    Object of(Object target, Method method, Object[] arguments) throws Throwable;
  }

  @Override
  public Pool decorate(Pool pool) {
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
    SqlConnection reading = asking(call, connection, "preparedQuery", PreparedQuery.class);
    // Writes are sent as text, several in one.
    SqlConnection writing = asking(call, reading, "query", Query.class);
    return tap(
        SqlConnectionInternal.class,
        (SqlConnectionInternal) writing,
        "begin",
        (target, method, arguments) ->
            ((Future<?>) TappedPorts.invoke(target, method, arguments))
                .map(begun -> transaction(call, (Transaction) begun)));
  }

  private SqlConnection asking(String call, SqlConnection connection, String how, Class<?> query) {
    return tap(
        SqlConnectionInternal.class,
        (SqlConnectionInternal) connection,
        how,
        (target, method, arguments) ->
            query(
                query,
                StatementNames.allOf((String) arguments[0]).stream()
                    .map(statement -> call + "/" + statement)
                    .toList(),
                TappedPorts.invoke(target, method, arguments)));
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

  private <T> T query(Class<T> type, List<String> reached, Object query) {
    return tap(
        type,
        type.cast(query),
        "execute",
        (target, method, arguments) ->
            ((Future<?>) TappedPorts.invoke(target, method, arguments))
                .andThen(
                    (done, failure) ->
                        (failure == null ? reached : reached.subList(0, 1))
                            .forEach(steps::reached)));
  }

  private static <T> T tap(Class<T> type, T target, String name, Instead instead) {
    return Ports.answering(
        type,
        (proxy, method, arguments) ->
            method.getName().equals(name)
                ? instead.of(target, method, arguments)
                : TappedPorts.invoke(target, method, arguments));
  }
}
