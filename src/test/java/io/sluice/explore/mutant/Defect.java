package io.sluice.explore.mutant;

import io.sluice.explore.run.World;
import io.sluice.ledger.Ledger;
import io.sluice.stock.StockStore;

/**
 * Something wrong, planted around the real code to see whether it is found. By itself it changes
 * nothing; "above" is on the caller's side of the network, "below" is in the store.
 */
public interface Defect {
  Defect NONE = new Defect() {};

  default boolean showsRunId() {
    return true;
  }

  /** Whether what one compares with Redis is held still in the ledger meanwhile. */
  default boolean holdsStill() {
    return true;
  }

  default int apiDeadlineMs(int deadlineMs) {
    return deadlineMs;
  }

  default StockStore stockBelow(StockStore store, World world) {
    return store;
  }

  default StockStore stockAbove(StockStore wired) {
    return wired;
  }

  default Ledger ledgerBelow(Ledger ledger, World world) {
    return ledger;
  }

  default Ledger ledgerAbove(Ledger wired, StockStore stock) {
    return wired;
  }
}
