package io.sluice.ledger.mysql;

import io.sluice.contract.AuditContract;
import io.sluice.contract.CompareContract;
import io.sluice.contract.DirectBookingContract;
import io.sluice.contract.FenceContract;
import io.sluice.contract.GateContract;
import io.sluice.contract.LedgerContract;
import io.sluice.contract.LedgerRestockContract;
import io.sluice.contract.LedgerUnderTest;
import io.sluice.contract.OwnershipContract;
import io.sluice.contract.ProgressContract;
import io.sluice.contract.SkuLedgerContract;
import io.sluice.db.TestDatabase;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Nested;

/** Holds the real ledger to the contracts that its fake is held to. */
class MySqlLedgerIT {
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

  @Nested
  class Orders extends LedgerContract {
    @Override
    protected LedgerUnderTest ledgerUnderTest() {
      return underTest;
    }
  }

  @Nested
  class Gate extends GateContract {
    @Override
    protected LedgerUnderTest ledgerUnderTest() {
      return underTest;
    }
  }

  @Nested
  class Comparing extends CompareContract {
    @Override
    protected LedgerUnderTest ledgerUnderTest() {
      return underTest;
    }
  }

  @Nested
  class DirectBooking extends DirectBookingContract {
    @Override
    protected LedgerUnderTest ledgerUnderTest() {
      return underTest;
    }
  }

  @Nested
  class Fences extends FenceContract {
    @Override
    protected LedgerUnderTest ledgerUnderTest() {
      return underTest;
    }
  }

  @Nested
  class Ownership extends OwnershipContract {
    @Override
    protected LedgerUnderTest ledgerUnderTest() {
      return underTest;
    }
  }

  @Nested
  class Progress extends ProgressContract {
    @Override
    protected LedgerUnderTest ledgerUnderTest() {
      return underTest;
    }
  }

  @Nested
  class Audits extends AuditContract {
    @Override
    protected LedgerUnderTest ledgerUnderTest() {
      return underTest;
    }
  }

  @Nested
  class Skus extends SkuLedgerContract {
    @Override
    protected LedgerUnderTest ledgerUnderTest() {
      return underTest;
    }
  }

  @Nested
  class Restocks extends LedgerRestockContract {
    @Override
    protected LedgerUnderTest ledgerUnderTest() {
      return underTest;
    }
  }
}
