package io.sluice.contract;

import io.sluice.ledger.Ledger;
import io.sluice.ledger.SkuLedger;

/**
 * A ledger that a contract is held to, from both of its sides.
 *
 * @param partitions of the order log; at least 2
 */
public record LedgerUnderTest(Ledger ledger, SkuLedger skus, int partitions) {}
