package io.sluice.explore.mutant;

import io.sluice.explore.run.World;
import io.sluice.explore.store.Intercept;
import io.sluice.ledger.Ledger;
import io.sluice.stock.StockStore;
import io.sluice.stock.StockStore.Snapshot;
import io.vertx.core.Future;

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

  /** What happens instead of a call in a store. */
  interface InStore<S> {
    Future<?> of(S store, World world, Intercept.Call call);
  }

  /** A defect of one method of the stock, on the caller's side. */
  static Defect ofStockAbove(String method, Intercept.Instead instead) {
    return new Defect() {
      @Override
      public StockStore stockAbove(StockStore wired) {
        return Intercept.of(StockStore.class, wired, method, instead);
      }
    };
  }

  /** A defect of one method of the stock itself. */
  static Defect ofStockBelow(String method, InStore<StockStore> instead) {
    return new Defect() {
      @Override
      public StockStore stockBelow(StockStore store, World world) {
        return Intercept.of(
            StockStore.class, store, method, call -> instead.of(store, world, call));
      }
    };
  }

  /** A defect of one method of the ledger, on the caller's side. */
  static Defect ofLedgerAbove(String method, Intercept.Instead instead) {
    return new Defect() {
      @Override
      public Ledger ledgerAbove(Ledger wired, StockStore stock) {
        return Intercept.of(Ledger.class, wired, method, instead);
      }
    };
  }

  /** A defect of one method of the ledger itself. */
  static Defect ofLedgerBelow(String method, InStore<Ledger> instead) {
    return new Defect() {
      @Override
      public Ledger ledgerBelow(Ledger ledger, World world) {
        return Intercept.of(Ledger.class, ledger, method, call -> instead.of(ledger, world, call));
      }
    };
  }

  /** What was seen of a bucket, with other numbers. */
  static Snapshot counting(
      Snapshot seen, long total, long claimed, long released, long epoch, long version) {
    return new Snapshot(
        seen.code(),
        total,
        claimed,
        released,
        epoch,
        version,
        seen.term(),
        seen.state(),
        seen.settings(),
        seen.told(),
        seen.nowMs(),
        seen.unbookedCount(),
        seen.unbooked(),
        seen.live(),
        seen.skuTotal());
  }
}
