package io.sluice.ledger.mysql;

import io.sluice.db.SqlSession;
import io.sluice.ledger.rules.OutboxPayload;
import io.sluice.ledger.rules.RestockPlan;
import io.sluice.ledger.rules.RestockPlan.Next;
import io.sluice.ledger.rules.RestockPlan.Part;
import io.sluice.ledger.rules.RestockPlan.Restock;
import io.sluice.ledger.rules.RestockPlan.Restock.Status;
import io.vertx.core.Future;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** A take-back over its rounds. Each step is part of a transaction that has locked the SKU. */
record StockReduction(SqlSession session, SkuTransaction sku, String restockId, long wanted) {
  /** The first step. Its restock must be recorded as {@link Status#WORKING}. */
  Future<Restock> begin() {
    return proceed(Map.of());
  }

  /**
   * The step after a part was answered.
   *
   * @param changes of allotments that this transaction has made but not yet added to the total
   */
  Future<Restock> proceed(Map<Integer, Long> changes) {
    long total = changes.values().stream().mapToLong(Long::longValue).sum();
    return RestockTable.parts(session, skuId(), restockId)
        .compose(
            parts ->
                proceed(RestockPlan.next(wanted, sku.freeAfter(changes), parts), total, parts));
  }

  private Future<Restock> proceed(Next next, long total, List<Part> parts) {
    int rounds = parts.stream().mapToInt(Part::round).max().orElse(0);
    if (next instanceof Next.Round round) {
      return totalled(total)
          .compose(done -> sku.intend(restockId, round.round(), round.units()))
          .compose(done -> record(new Restock(-wanted, Status.WORKING, round.round(), 0)));
    }
    if (next instanceof Next.Complete) {
      return sku.with(RestockPlan.taken(sku.sku(), restockId))
          .writeTotal(total)
          .compose(done -> sku.tellTotal())
          .compose(done -> record(new Restock(-wanted, Status.DONE, rounds, 0)));
    }
    if (next instanceof Next.GiveUp giveUp) {
      Map<Integer, Long> taken = giveUp.taken();
      long back = taken.values().stream().mapToLong(Long::longValue).sum();
      return sku.allot(taken, bucket -> RestockPlan.undoToken(restockId, bucket))
          .compose(done -> totalled(total + back))
          .compose(done -> sku.tellTotal())
          .compose(done -> record(new Restock(-wanted, Status.REFUSED, rounds, giveUp.unsold())));
    }
    return totalled(total).map(done -> new Restock(-wanted, Status.WORKING, rounds, 0));
  }

  private Future<Void> totalled(long units) {
    return units == 0 ? Future.succeededFuture() : sku.writeTotal(units).mapEmpty();
  }

  private Future<Restock> record(Restock restock) {
    return RestockTable.update(session, skuId(), restockId, restock).map(restock);
  }

  private long skuId() {
    return sku.sku().skuId();
  }

  /** The change of allotment after these units were taken. */
  static Map<Integer, Long> taken(OutboxPayload.Take take) {
    Map<Integer, Long> changes = new HashMap<>();
    changes.put(take.bucket().bucket(), -take.units());
    return changes;
  }
}
