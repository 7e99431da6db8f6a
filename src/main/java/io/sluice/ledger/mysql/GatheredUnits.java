package io.sluice.ledger.mysql;

import io.sluice.db.SqlSession;
import io.sluice.ledger.StockTxn;
import io.sluice.ledger.rules.RestockPlan;
import io.sluice.model.BucketId;
import io.vertx.core.Future;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/** Units that a batch moves between buckets of a SKU, so that its grants have room. */
final class GatheredUnits {
  private GatheredUnits() {}

  /**
   * Appends the rows. The allotments are written with the counters, and the outbox brings them to
   * the heads.
   *
   * @param gathered by bucket, in order; those of a SKU add up to nothing
   * @param locks of all of them
   */
  static Future<Void> write(
      SqlSession session, Map<BucketId, Long> gathered, BatchLocks locks, long nowMs) {
    if (gathered.isEmpty()) {
      return Future.succeededFuture();
    }
    List<StockTxn> rows = new ArrayList<>();
    Map<Long, String> moves = new HashMap<>();
    gathered.forEach(
        (id, units) -> {
          String move =
              moves.computeIfAbsent(
                  id.skuId(), first -> RestockPlan.moveId(id.bucket(), nextWrite(locks, id)));
          rows.add(StockTxn.restock(RestockPlan.token(move, id.bucket(), 1), id, units));
        });
    return RestockTable.append(session, rows, id -> nextWrite(locks, id), nowMs);
  }

  private static long nextWrite(BatchLocks locks, BucketId id) {
    return Objects.requireNonNull(locks.locked().get(id)).nextWrite();
  }
}
