package io.sluice.ledger.mysql;

import io.sluice.ledger.Archives;
import io.sluice.ledger.Fence;
import io.sluice.ledger.StockMarks;
import io.sluice.ledger.mysql.table.MarkTable;
import io.sluice.metrics.Meters;
import io.vertx.core.Future;
import java.util.List;

/** The part of the ledger in MySQL or MariaDB that archives orders and crosses watermarks. */
abstract class MySqlArchives extends MySqlProgress implements Archives, StockMarks {
  MySqlArchives(LedgerDatabase database, Meters meters) {
    super(database, meters);
  }

  @Override
  public Future<List<MarkedStock>> markedStocks(int partition, long afterSkuId, int limit) {
    return database.read(session -> MarkTable.page(session, partition, afterSkuId, limit));
  }

  @Override
  public Future<Boolean> crossMarks(Fence fence, long afterSkuId, int limit) {
    return database.inTransaction(
        session -> MarkTransaction.cross(session, fence, afterSkuId, limit));
  }

  @Override
  public Future<Boolean> archiveNext(int ordersMax) {
    return database.inTransaction(session -> ArchiveTransaction.next(session, ordersMax));
  }

  @Override
  public Future<Boolean> forgetNext(int rowsMax) {
    return database.inTransaction(session -> ForgetTransaction.next(session, rowsMax));
  }
}
