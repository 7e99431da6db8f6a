package io.sluice.contract;

import io.sluice.ledger.Ledger;
import io.sluice.ledger.SaleCounts;
import io.sluice.ledger.SaleHistory;
import io.sluice.ledger.SaleLedger;
import io.sluice.ledger.SkuLedger;

/**
 * A ledger under test: the owners' side and the operators' side.
 *
 * @param partitions of the order log; at least 2
 */
public record LedgerUnderTest(
    Ledger ledger,
    SkuLedger skus,
    SaleLedger sales,
    SaleHistory history,
    SaleCounts counts,
    int partitions) {}
