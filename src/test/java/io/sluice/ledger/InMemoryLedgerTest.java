package io.sluice.ledger;

import io.sluice.contract.LedgerSuite;
import io.sluice.contract.LedgerUnderTest;
import java.time.Instant;

/** Runs the contracts on the in-memory ledger, so that other tests can rely on it. */
class InMemoryLedgerTest extends LedgerSuite {
  private static final Instant NOON = Instant.parse("2026-11-21T12:00:00Z");

  private final InMemoryLedger unit = new InMemoryLedger(4, () -> NOON);

  @Override
  protected LedgerUnderTest underTest() {
    return new LedgerUnderTest(
        unit,
        () -> unit,
        unit,
        unit.sales(),
        unit.history(),
        unit.direct(),
        4,
        unit::plantSale,
        unit::age,
        unit::everyRow);
  }
}
