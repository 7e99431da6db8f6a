package io.sluice.contract;

import io.sluice.ledger.Ledger;
import io.sluice.ledger.SkuLedger;
import io.sluice.model.SkuState;

/**
 * A ledger under test: the owners' side and the operators' side.
 *
 * @param partitions of the order log; at least 2
 * @param sales puts SKUs into sales
 */
public record LedgerUnderTest(Ledger ledger, SkuLedger skus, int partitions, Sales sales) {

  /** Puts a SKU into a sale, and into a state, without anything else that belongs to it. */
  public interface Sales {
    void put(long skuId, long saleNo, SkuState state);
  }
}
