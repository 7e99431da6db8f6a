package io.sluice.explore.mutant;

import io.sluice.explore.run.World;
import io.sluice.explore.store.Intercept;
import io.sluice.ledger.Ledger.TakeResult;
import io.sluice.ledger.Move;
import io.sluice.ledger.OutboxRow;
import io.sluice.ledger.rules.OutboxPayload;
import io.sluice.model.BucketId;
import io.sluice.stock.BucketCode;
import io.sluice.stock.StockStore;
import io.sluice.stock.StockStore.EmptyBucket;
import io.sluice.stock.StockStore.Snapshot;
import io.sluice.stock.StockStore.Take;
import io.vertx.core.Future;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Mistakes about units that move from one bucket of a SKU to others. */
final class MoveDefects {
  private MoveDefects() {}

  /** Redis takes units for each copy of a call, whatever it has become meanwhile. */
  static final class TakesEachCopy implements Defect {
    private static final long BEYOND_ALL_IDS = 1_000_000_000;

    private long copies;

    @Override
    public StockStore stockBelow(StockStore store, World world) {
      return Intercept.of(
          StockStore.class,
          store,
          "take",
          call -> {
            BucketId id = call.argument(0);
            Take take = call.argument(2);
            Snapshot now = store.snapshot(id, List.of(), 0).result();
            return call.with(
                2, new Take(BEYOND_ALL_IDS + copies++, now.epoch(), now.version(), take.units()));
          });
    }
  }

  /** The ledger gives units to a bucket that Redis has not taken from the other. */
  static Defect givesBeforeItTakes() {
    return Defect.ofStockAbove("take", call -> Future.succeededFuture(BucketCode.OK));
  }

  /** All buckets are read once, and a unit on its way is nowhere. */
  static Defect readsOnce() {
    return new Defect() {
      @Override
      public StockStore stockAbove(StockStore wired) {
        Map<BucketId, Snapshot> seen = new HashMap<>();
        StockStore same =
            Intercept.of(
                StockStore.class,
                wired,
                "snapshot",
                call -> {
                  BucketId id = call.argument(0);
                  boolean isHead =
                      ((List<?>) call.argument(1)).isEmpty() && call.<Integer>argument(2) == 0;
                  return call.go(
                      (Snapshot head) -> {
                        Snapshot shown = isHead ? withoutTransit(id, head) : head;
                        seen.put(id, shown);
                        return shown;
                      });
                });
        return Intercept.of(
            StockStore.class,
            same,
            "soldOut",
            call ->
                Future.succeededFuture(EmptyBucket.of(seen.get(call.<BucketId>argument(0)), 0)));
      }
    };
  }

  /** The same units are available, but all totals always add up to that of the SKU. */
  private static Snapshot withoutTransit(BucketId id, Snapshot head) {
    long total = id.bucket() == 0 ? head.skuTotal() : 0;
    return Defect.counting(head, total, total - head.available(), 0, head.epoch(), head.version());
  }

  /** Buckets keep their version as units leave them and come to them. */
  static Defect keepsTheVersion() {
    return Defect.ofLedgerBelow(
        "finishTake",
        (ledger, world, call) -> {
          OutboxRow row = call.argument(1);
          return call.go(
              (TakeResult result) -> {
                if (result == TakeResult.DONE && OutboxPayload.isMove(row)) {
                  putBack(world, OutboxPayload.moveOf(row.payload()));
                }
                return result;
              });
        });
  }

  private static void putBack(World world, Move move) {
    world.ledger().plantVersion(move.from(), -1);
    move.parts().stream()
        .map(part -> new BucketId(move.from().skuId(), part.bucket()))
        .distinct()
        .forEach(id -> world.ledger().plantVersion(id, -1));
  }
}
