package io.sluice.ledger.mysql;

import io.sluice.contract.LedgerSuite;
import io.sluice.contract.LedgerUnderTest;
import io.sluice.db.TestDatabase;
import org.junit.jupiter.api.AutoClose;

/** Runs the contracts that the in-memory ledger passes on the real one. */
class MySqlLedgerIT extends LedgerSuite {
  @AutoClose private static final TestDatabase database = TestDatabase.migrated(4, 10_000);

  private static final LedgerUnderTest underTest =
      new LedgerUnderTest(
          new MySqlLedger(database.database(), database.meters()),
          new MySqlSkuLedger(database.database(), 4),
          new MySqlSaleLedger(database.database(), database.database(), 4),
          new MySqlSaleHistory(database.database()),
          new MySqlSaleCounts(database.database()),
          4);

  @Override
  protected LedgerUnderTest underTest() {
    return underTest;
  }
}
