package io.sluice.db;

import io.sluice.async.AsyncLoop;
import io.sluice.async.TimeLimit;
import io.vertx.core.Future;
import io.vertx.sqlclient.SqlConnection;
import io.vertx.sqlclient.Tuple;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Moves the orders of format 1 into the tables of format 2.
 *
 * <p>The old tables are the list of what is left to do: a transaction copies a page and deletes it.
 * So after a kill the next start goes on with what is still there, and nothing is copied twice. The
 * tables are dropped when they are empty; in a new ledger they are from the start.
 *
 * <p>A page begins behind the key of the page before. If another session, e.g. a backup, reads an
 * older state of the tables, the rows that were deleted stay there until it ends. A page that began
 * at the first key would pass over all of them.
 */
final class RowMigration {
  /** The version of the schema that has both the old tables and the new ones. */
  static final int VERSION = 6;

  static final int PAGE_MAX = 2_000;
  private static final int PAGES_PER_LOG_LINE = 100;
  private static final int PAGE_TIMEOUT_MS = 120_000;
  private static final String ORDERS = "orders_v1";
  private static final String TXNS = "stock_txn_v1";
  private static final Logger log = LoggerFactory.getLogger(RowMigration.class);

  private static final List<SqlStatement> COPY_ORDERS =
      List.of(
          SqlStatement.COPY_OLD_HOLDS,
          SqlStatement.COPY_OLD_ENDS,
          SqlStatement.COPY_OLD_SEQUELS,
          SqlStatement.COPY_OLD_REJECTS,
          SqlStatement.COUNT_OLD_REJECTS,
          SqlStatement.DELETE_OLD_TXNS,
          SqlStatement.DELETE_OLD_ORDERS);
  private static final List<SqlStatement> COPY_RESTOCKS =
      List.of(SqlStatement.COPY_OLD_RESTOCKS, SqlStatement.DELETE_OLD_RESTOCKS);

  private final SqlConnection connection;
  private final SqlSession session;
  private final int pageMax;
  private final Supplier<Future<Void>> afterStatement;

  RowMigration(SqlConnection connection) {
    this(connection, PAGE_MAX, Future::succeededFuture);
  }

  /**
   * @param afterStatement called after each statement and each commit; a failure ends the migration
   */
  RowMigration(SqlConnection connection, int pageMax, Supplier<Future<Void>> afterStatement) {
    this.connection = connection;
    this.session = new SqlSession(connection, () -> false, false);
    this.pageMax = pageMax;
    this.afterStatement = afterStatement;
  }

  /** Moves what is left, however long it takes; each page has a time limit. */
  Future<Void> run() {
    return session
        .select(
            SqlStatement.LIST_OLD_TABLES,
            Tuple.tuple(),
            row -> row.getString(0).toLowerCase(Locale.ROOT))
        .map(Set::copyOf)
        .compose(
            tables ->
                (tables.contains(ORDERS) ? orders() : Future.<Void>succeededFuture())
                    .compose(
                        moved -> tables.contains(TXNS) ? txns() : Future.<Void>succeededFuture()));
  }

  private Future<Void> orders() {
    return pages(SqlStatement.FIND_OLD_ORDERS, "", COPY_ORDERS)
        .compose(moved -> drop(SqlStatement.DROP_OLD_ORDERS));
  }

  /**
   * Rows that belong to no order cannot be copied; their table is kept for the operator who repairs
   * it.
   */
  private Future<Void> txns() {
    return pages(SqlStatement.FIND_OLD_RESTOCKS, 0L, COPY_RESTOCKS)
        .compose(
            moved ->
                session.select(SqlStatement.COUNT_OLD_ROWS, Tuple.tuple(), row -> row.getLong(0)))
        .compose(
            left -> {
              if (left.get(0) == 0) {
                return drop(SqlStatement.DROP_OLD_TXNS);
              }
              log.atWarn()
                  .addKeyValue("table", TXNS)
                  .addKeyValue("rows", left.get(0))
                  .log("rows of no order are left in the ledger's old table, which is kept");
              return Future.succeededFuture();
            });
  }

  private Future<Void> drop(SqlStatement statement) {
    return session.update(statement, Tuple.tuple()).compose(dropped -> afterStatement.get());
  }

  /**
   * Moves pages until none is found behind the last one, nor behind the first key: the table is
   * empty before it is dropped.
   */
  private Future<Void> pages(SqlStatement find, Object first, List<SqlStatement> copy) {
    AtomicLong pages = new AtomicLong();
    AtomicReference<Object> after = new AtomicReference<>(first);
    return AsyncLoop.whileTrue(
        () -> {
          Object from = Objects.requireNonNull(after.get());
          return TimeLimit.of(PAGE_TIMEOUT_MS, page(find, from, copy))
              .map(
                  last -> {
                    after.set(last.orElse(first));
                    last.ifPresent(moved -> tell(pages.incrementAndGet()));
                    return last.isPresent() || !from.equals(first);
                  });
        });
  }

  private void tell(long pages) {
    if (pages % PAGES_PER_LOG_LINE == 0) {
      log.atInfo()
          .addKeyValue("orders", pages * pageMax)
          .log("moving the ledger's orders to format 2");
    }
  }

  /** Returns the last key of the page; empty if there was none. */
  private Future<Optional<Object>> page(SqlStatement find, Object after, List<SqlStatement> copy) {
    return session
        .select(find, Tuple.of(after, pageMax), row -> Optional.ofNullable(row.getValue(0)))
        .map(found -> found.get(0))
        .compose(
            last ->
                last.isEmpty()
                    ? Future.succeededFuture(last)
                    : moved(copy, after, last.get()).map(last));
  }

  private Future<Void> moved(List<SqlStatement> copy, Object after, Object last) {
    return connection
        .begin()
        .compose(
            transaction ->
                AsyncLoop.forEach(copy, statement -> execute(statement, after, last))
                    .compose(moved -> transaction.commit())
                    .compose(committed -> afterStatement.get()));
  }

  private Future<Void> execute(SqlStatement statement, Object after, Object last) {
    Tuple parameters =
        statement == SqlStatement.COPY_OLD_REJECTS
            ? Tuple.of(after, last, after, last)
            : Tuple.of(after, last);
    return session.update(statement, parameters).compose(done -> afterStatement.get());
  }
}
