package io.sluice.db;

import static java.util.concurrent.TimeUnit.MILLISECONDS;

import io.micrometer.core.instrument.Timer;
import io.sluice.async.AsyncLoop;
import io.sluice.async.TimeLimit;
import io.sluice.config.MysqlConfig;
import io.sluice.metrics.Meters;
import io.sluice.metrics.ProcessMeters.Rare;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.internal.ContextInternal;
import io.vertx.core.internal.VertxInternal;
import io.vertx.sqlclient.Pool;
import io.vertx.sqlclient.SqlConnection;
import io.vertx.sqlclient.Transaction;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The connection pool of one instance, and the only way to use it. Each call has a time limit; a
 * call that met a lock of another transaction is retried; any other failure ends it with a {@link
 * SqlFailure}. A connection on which the outcome is not known then is not used again. If it is in a
 * transaction whose COMMIT was not sent, it is killed on the server, so that its locks keep nobody
 * waiting.
 *
 * <p>May be called on any event loop; Futures complete on the caller's context.
 */
public final class Database {
  private static final Logger log = LoggerFactory.getLogger(Database.class);
  private static final int ATTEMPTS_MAX = 6;
  private static final int BACK_OFF_MS = 10;
  private static final int GIVEN_BACK_MS = 100;
  private static final String LATE =
      "Expected a connection within the call's time limit, but it came late";

  private final Vertx vertx;
  private final WriterPool pool;

  /** For statements that end transactions: the connections of the pool may all be broken. */
  private final Pool killers;

  private final int timeoutMs;
  private final Meters meters;
  private final Timer connectionWait;

  private Database(
      Vertx vertx,
      WriterPool pool,
      Pool killers,
      int timeoutMs,
      Meters meters,
      Timer connectionWait) {
    this.vertx = vertx;
    this.pool = pool;
    this.killers = killers;
    this.timeoutMs = timeoutMs;
    this.meters = meters;
    this.connectionWait = connectionWait;
  }

  /**
   * Opens the pool; connections are opened when they are needed.
   *
   * @param use the name of the pool in the metrics
   */
  public static Database open(
      Vertx vertx, MysqlConfig config, Meters meters, PoolDecorator decorator, String use) {
    ContextInternal root = ((VertxInternal) vertx).getOrCreateContext();
    WriterPool pool =
        new WriterPool(
            () ->
                within(root, () -> decorator.decorate(ConnectionFactory.pool(vertx, config, use))),
            old -> vertx.timer(config.timeoutMs(), MILLISECONDS).onComplete(idle -> old.close()),
            System::nanoTime);
    Pool killers =
        within(root, () -> ConnectionFactory.pool(vertx, config.withPool(1), use + "-kill"));
    return new Database(
        vertx, pool, killers, config.timeoutMs(), meters, meters.connectionWait(use));
  }

  /**
   * A pool is closed with the verticle in whose context it was created. A replacement is created
   * when an owner met a refused write, and must outlive that owner; so it is created in the root
   * context.
   */
  private static <T> T within(ContextInternal root, Supplier<T> make) {
    ContextInternal before = root.beginDispatch();
    try {
      return make.get();
    } finally {
      root.endDispatch(before);
    }
  }

  /** Runs the work in a transaction and commits it. The work may run several times. */
  public <T> Future<T> inTransaction(Function<SqlSession, Future<T>> work) {
    return call(new Call(), (connection, call) -> transact(connection, call, work, true));
  }

  /** Runs the work in a transaction and rolls it back. */
  public <T> Future<T> inRehearsal(Function<SqlSession, Future<T>> work) {
    return call(new Call(), (connection, call) -> transact(connection, call, work, false));
  }

  /** Runs single statements, each a transaction of its own. */
  public <T> Future<T> withSession(Function<SqlSession, Future<T>> work) {
    return call(new Call(), (connection, call) -> applied(work, call.session(connection, false)));
  }

  public Future<Void> close() {
    return killers.close().eventually(() -> pool.now().close());
  }

  /** The state that the attempts of one call share. */
  private static final class Call {
    /** Whether the call is over; and until then, what its attempt works with. */
    private boolean ended;

    private @Nullable SqlConnection connection;
    private int attempts;
    private @Nullable SqlSession session;
    private volatile boolean locks;

    /** Whether an attempt may begin with this connection. */
    synchronized boolean takes(SqlConnection taken) {
      connection = ended ? null : taken;
      return !ended;
    }

    /** The attempt has ended, and whether the connection is for others: the call has not ended. */
    synchronized boolean gives() {
      boolean isOurs = connection != null;
      connection = null;
      return isOurs;
    }

    /** Ends the call, and returns the connection on which its outcome is not known. */
    synchronized @Nullable SqlConnection end() {
      ended = true;
      SqlConnection left = connection;
      connection = null;
      return left;
    }

    synchronized boolean hasEnded() {
      return ended;
    }

    SqlSession session(SqlConnection connection, boolean inTransaction) {
      SqlSession made = new SqlSession(connection, attempts > 0, inTransaction);
      session = made;
      return made;
    }

    /** A transaction begins, or its COMMIT is sent, which releases its locks by itself. */
    void locks(boolean mayHaveThem) {
      locks = mayHaveThem;
    }

    boolean hasLocks() {
      return locks;
    }

    boolean hasWritten() {
      return session != null && session.hasWritten();
    }

    /** Whether to retry after this fault; counts the attempt that met it. */
    boolean mayRetry(SqlFault fault) {
      attempts++;
      return fault.retries() && attempts < ATTEMPTS_MAX && !hasEnded();
    }

    /** Doubles with each attempt; the random part prevents two transactions from meeting again. */
    long backOffMs() {
      long slot = (long) BACK_OFF_MS << attempts;
      return slot / 2 + ThreadLocalRandom.current().nextLong(slot);
    }
  }

  private <T> Future<T> call(Call call, BiFunction<SqlConnection, Call, Future<T>> attempt) {
    AtomicReference<T> result = new AtomicReference<>();
    return TimeLimit.of(timeoutMs, AsyncLoop.whileTrue(() -> attempt(call, attempt, result)))
        .map(done -> result.get())
        .recover(
            failure -> {
              SqlConnection left = call.end();
              if (left != null) {
                abandon(call, left);
              }
              SqlFault fault = SqlFailure.faultOf(failure).afterLastAttempt();
              return Future.failedFuture(new SqlFailure(fault, failure));
            });
  }

  /** Whether to retry; if not, the result is set. */
  private <T> Future<Boolean> attempt(
      Call call, BiFunction<SqlConnection, Call, Future<T>> attempt, AtomicReference<T> result) {
    Pool mine = pool.now();
    Timer.Sample waiting = Timer.start(meters.registry());
    return mine.getConnection()
        .onComplete(got -> waiting.stop(connectionWait))
        .compose(
            connection -> {
              // The error of a broken connection is reported by its pending command.
              connection.exceptionHandler(broken -> {});
              return call.takes(connection)
                  ? attempt.apply(connection, call).eventually(() -> leave(call, connection))
                  : connection.close().compose(closed -> Future.failedFuture(LATE));
            })
        .onSuccess(
            done -> {
              if (call.hasWritten()) {
                pool.hasWritten(mine);
              }
            })
        .onFailure(
            failure -> {
              if (SqlFailure.faultOf(failure) == SqlFault.READ_ONLY) {
                pool.isReadOnly(mine);
              }
            })
        .transform(
            (value, failure) -> {
              if (failure != null) {
                return again(call, failure);
              }
              result.set(value);
              return Future.succeededFuture(false);
            });
  }

  /** The attempt has ended. If the call has not, its connection is for others, or broken. */
  private Future<Void> leave(Call call, SqlConnection connection) {
    if (!call.gives()) {
      return Future.succeededFuture();
    }
    if (ConnectionFactory.isOpen(connection)) {
      return connection.close();
    }
    abandon(call, connection);
    return Future.succeededFuture();
  }

  /**
   * Closes a connection on which an outcome is not known, at both ends. The server may not hear
   * that the client has left, and would keep the locks of the transaction until its own limits.
   */
  private void abandon(Call call, SqlConnection left) {
    // Given back before its pool has seen that it is closed, it might be given to another call.
    ConnectionFactory.close(left)
        .compose(closed -> vertx.timer(GIVEN_BACK_MS))
        .onComplete(seen -> left.close());
    if (call.hasLocks()) {
      kill(ConnectionFactory.nameOf(left));
    }
  }

  private void kill(String name) {
    killers
        .withConnection(
            other -> {
              other.exceptionHandler(broken -> {});
              return other.query(SqlStatement.KILL.written(name)).execute();
            })
        .onFailure(
            failure -> {
              if (!SqlFault.isGone(failure)) {
                log.atInfo()
                    .setCause(failure)
                    .log(
                        "transaction of unknown outcome was not killed; the server's limits end"
                            + " it");
              }
            });
  }

  private Future<Boolean> again(Call call, Throwable failure) {
    SqlFault fault = SqlFailure.faultOf(failure);
    if (!call.mayRetry(fault)) {
      return Future.failedFuture(failure);
    }
    meters.count(Rare.LEDGER_RETRIES);
    log.atDebug().addKeyValue("fault", fault).setCause(failure).log("transaction is retried");
    return vertx.timer(call.backOffMs()).map(true);
  }

  private static <T> Future<T> transact(
      SqlConnection connection, Call call, Function<SqlSession, Future<T>> work, boolean commits) {
    SqlSession session = call.session(connection, true);
    call.locks(true);
    return connection
        .begin()
        .compose(
            transaction ->
                applied(work, session)
                    .compose(result -> session.send().map(result))
                    .compose(
                        result -> {
                          boolean isKept = commits && !session.isUndone();
                          call.locks(!isKept);
                          return (isKept ? transaction.commit() : transaction.rollback())
                              .map(result);
                        },
                        failure -> undo(transaction, failure)));
  }

  /** Fails with the failure that caused the rollback, whatever the outcome of the rollback. */
  private static <T> Future<T> undo(Transaction transaction, Throwable failure) {
    return transaction.rollback().transform(undone -> Future.failedFuture(failure));
  }

  private static <T> Future<T> applied(Function<SqlSession, Future<T>> work, SqlSession session) {
    try {
      return work.apply(session);
    } catch (RuntimeException thrown) {
      return Future.failedFuture(thrown);
    }
  }

  /** Wraps each connection pool that a {@link Database} creates. */
  @FunctionalInterface
  public interface PoolDecorator {
    /** Wraps nothing. */
    PoolDecorator NONE = pool -> pool;

    Pool decorate(Pool pool);
  }
}
