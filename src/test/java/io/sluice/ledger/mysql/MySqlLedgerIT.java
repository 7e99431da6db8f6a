package io.sluice.ledger.mysql;

import io.sluice.contract.LedgerSuite;
import io.sluice.contract.LedgerUnderTest;
import io.sluice.db.TestDatabase;
import io.sluice.model.SkuState;
import io.sluice.testkit.mysql.EveryRow;
import io.vertx.core.Future;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;

/** Runs the contracts that the in-memory ledger passes on the real one. */
class MySqlLedgerIT extends LedgerSuite {
  @AutoClose private static final TestDatabase database = TestDatabase.migrated(4, 10_000);

  private static final LedgerUnderTest underTest =
      new LedgerUnderTest(
          new MySqlLedger(database.database(), database.meters()),
          () -> new MySqlLedger(database.database(), database.meters()),
          new MySqlSkuLedger(database.database(), 4),
          new MySqlSaleLedger(database.database(), database.database(), 4),
          new MySqlHistory(database.database()),
          new MySqlDirectLedger(database.database(), database.database(), database.meters()),
          4,
          MySqlLedgerIT::putIntoSale,
          MySqlLedgerIT::age,
          () -> EveryRow.of(database::sql));

  private static void putIntoSale(long skuId, long saleNo, SkuState state) {
    database.sql(
        "UPDATE inventory SET sale_no = %d, state = '%s', thawed_state = '%s' WHERE sku_id = %d"
            .formatted(saleNo, state, state, skuId));
  }

  private static void age(long requestId, Duration by) {
    database.sql(
        "UPDATE owner_request SET created_at = created_at - %d WHERE id = %d"
            .formatted(by.toMillis(), requestId));
  }

  /** Only a ledger that was founded has a level. */
  @BeforeAll
  static void found() throws TimeoutException {
    new MySqlLedgerIdentity(database.database())
        .orderLog(4, "topic", () -> Future.succeededFuture(Map.of(0, 0L, 1, 0L, 2, 0L, 3, 0L)))
        .await(30, TimeUnit.SECONDS);
  }

  @Override
  protected LedgerUnderTest underTest() {
    return underTest;
  }
}
