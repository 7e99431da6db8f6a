package io.sluice.ledger;

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
import java.time.Instant;
import org.junit.jupiter.api.Nested;

/** Holds the fake to the contracts, so that what is tested on it is worth something. */
class InMemoryLedgerTest {
  private static final Instant NOON = Instant.parse("2026-11-21T12:00:00Z");

  private final InMemoryLedger unit = new InMemoryLedger(4, () -> NOON);
  private final LedgerUnderTest underTest = new LedgerUnderTest(unit, unit, 4);

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
