package io.sluice.ledger.mysql;

import io.sluice.contract.LedgerSuite;
import io.sluice.contract.LedgerUnderTest;
import io.sluice.db.TestDatabase;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;

/** Holds the real ledger to the contracts that its fake is held to. */
class MySqlLedgerIT extends LedgerSuite {
  private static TestDatabase database;
  private static LedgerUnderTest underTest;

  @BeforeAll
  static void open() {
    database = TestDatabase.migrated(4, 10_000);
    underTest =
        new LedgerUnderTest(
            new MySqlLedger(database.database(), 4, database.meters()),
            new MySqlSkuLedger(database.database(), 4),
            4);
  }

  @AfterAll
  static void close() {
    database.close();
  }

  @Override
  protected LedgerUnderTest underTest() {
    return underTest;
  }
}
