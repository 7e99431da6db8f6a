package io.sluice.ledger.mysql;

import io.sluice.db.Database;
import io.sluice.ledger.SaleHistory;
import io.sluice.ledger.mysql.table.HistoryTable;
import io.vertx.core.Future;

/** The history of orders, in MySQL or MariaDB. A slice is one statement. */
public final class MySqlSaleHistory implements SaleHistory {
  private final LedgerDatabase database;

  /**
   * @param lookups connections that owners do not wait for
   */
  public MySqlSaleHistory(Database lookups) {
    this.database = new LedgerDatabase(lookups);
  }

  @Override
  public Future<Slice> granted(Rest rest, long intervalMs, int limit) {
    return database.read(session -> HistoryTable.granted(session, rest, intervalMs, limit));
  }

  @Override
  public Future<Slice> ended(Rest rest, long intervalMs, int limit) {
    return database.read(session -> HistoryTable.ended(session, rest, intervalMs, limit));
  }
}
