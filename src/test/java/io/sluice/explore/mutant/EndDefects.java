package io.sluice.explore.mutant;

import io.sluice.explore.run.Scenario;
import io.sluice.explore.store.Fault;
import io.sluice.ledger.BucketRow;
import io.sluice.ledger.Ledger;
import io.sluice.model.BucketId;
import io.sluice.model.SkuState;
import io.sluice.stock.BucketCode;
import io.sluice.stock.StockStore.Request;
import io.vertx.core.Future;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Mistakes about SKUs that end, and about their next sale. */
final class EndDefects {
  private EndDefects() {}

  /** SKUs that end while grants are slow to come, and Redis and owners are lost. */
  static Scenario withLosses(Scenario scenario) {
    return scenario
        .ofEnds()
        .ofOneRedis()
        .with(
            Map.of(Fault.SLOW, 0.5, Fault.REDIS_EMPTY, 0.02, Fault.MOVE, 0.02, Fault.PAUSE, 0.01));
  }

  /** A bucket ends as soon as nothing of it is held, whatever Redis and the log have. */
  static Defect endsAtOnce() {
    return Defect.ofLedgerBelow(
        "bucket",
        (ledger, world, call) -> {
          BucketId id = call.argument(0);
          BucketRow row = ledger.bucket(id).result().orElseThrow();
          if (row.state() == SkuState.ENDING && row.held() == 0) {
            ledger.fences().result().values().stream()
                .filter(fence -> fence.partition() == row.partition())
                .forEach(fence -> ledger.raiseEpoch(fence, id, 0));
          }
          return ledger.bucket(id);
        });
  }

  /** The end of a bucket does not raise its epoch. */
  static Defect keepsTheEpoch() {
    return Defect.ofLedgerBelow(
        "raiseEpoch",
        (ledger, world, call) -> {
          long before = epochOf(ledger, call.argument(1));
          return call.go(
              (Optional<BucketRow> raised) -> {
                raised
                    .filter(row -> row.state().isEnded())
                    .ifPresent(row -> world.ledger().plantEpoch(row.id(), before));
                return raised;
              });
        });
  }

  private static long epochOf(Ledger ledger, BucketId id) {
    return ledger.bucket(id).result().orElseThrow().epoch();
  }

  /** A bucket ends although units of it are held. */
  static Defect endsWhileUnitsAreHeld() {
    return Defect.ofLedgerBelow(
        "raiseEpoch",
        (ledger, world, call) ->
            call.go(
                (Optional<BucketRow> raised) -> {
                  raised
                      .filter(row -> row.state() == SkuState.ENDING)
                      .ifPresent(row -> world.ledger().plantEnd(row.id()));
                  return raised.map(row -> world.ledger().bucket(row.id()).result().orElseThrow());
                }));
  }

  /** What has ended is not deleted from Redis. */
  static Defect unloadsNothing() {
    return Defect.ofStockAbove("unload", call -> Future.succeededFuture(BucketCode.OK));
  }

  /** Redis grants whichever sale of the SKU its caller knows. */
  static Defect grantsInAnySale() {
    return Defect.ofStockBelow(
        "reserve",
        (store, world, call) -> {
          BucketId id = call.argument(0);
          List<Request> requests = call.argument(1);
          long saleNo = world.ledger().bucket(id).result().orElseThrow().saleNo();
          return call.with(1, requests.stream().map(request -> inSale(request, saleNo)).toList());
        });
  }

  private static Request inSale(Request asked, long saleNo) {
    return new Request(asked.token(), asked.userId(), asked.qty(), asked.reference(), saleNo);
  }
}
