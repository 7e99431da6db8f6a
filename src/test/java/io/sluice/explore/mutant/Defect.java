package io.sluice.explore.mutant;

import io.sluice.explore.run.World;
import io.sluice.ledger.Ledger;
import io.sluice.stock.StockStore;

/**
 * A defect planted around the real code, to check that it is found. By default it changes nothing;
 * "above" is on the caller's side of the network, "below" is in the store.
 */
public interface Defect {
  Defect NONE = new Defect() {};

  default boolean showsRunId() {
    return true;
  }

  /** Whether a bucket is locked in the ledger while it is compared with Redis. */
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
