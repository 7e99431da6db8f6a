package io.sluice.explore.mutant;

import io.sluice.explore.run.World;
import io.sluice.explore.store.Intercept;
import io.sluice.model.BucketId;
import io.sluice.stock.BucketCode;
import io.sluice.stock.StockStore;
import io.sluice.stock.StockStore.Snapshot;
import io.vertx.core.Future;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** A restock adds its units to the total in Redis instead of setting the ledger's total. */
final class AddingRestock implements Defect {
  private final Map<BucketId, TreeMap<Long, Long>> seen = new HashMap<>();

  @Override
  public StockStore stockBelow(StockStore store, World world) {
    return Intercept.of(
        StockStore.class,
        store,
        "restock",
        call -> restock(store, call.argument(0), call.argument(1), call.argument(2)));
  }

  private Future<BucketCode> restock(
      StockStore store, BucketId id, long term, StockStore.BucketTotal ceiling) {
    var versions = seen.computeIfAbsent(id, first -> new TreeMap<>());
    versions.putIfAbsent(ceiling.version(), ceiling.allotted());
    var before = versions.lowerEntry(ceiling.version());
    long added = before == null ? 0 : Math.max(0, ceiling.allotted() - before.getValue());
    Snapshot now = store.snapshot(id, List.of(), 0).result();
    return store.restock(
        id,
        term,
        new StockStore.BucketTotal(
            Math.max(now.version() + 1, ceiling.version()),
            now.total() + added,
            ceiling.state(),
            ceiling.settings()));
  }
}
