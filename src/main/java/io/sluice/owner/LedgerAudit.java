package io.sluice.owner;

import io.sluice.async.AsyncLoop;
import io.sluice.ledger.Ledger;
import io.sluice.ledger.Ledger.BucketRow;
import io.sluice.ledger.SkuLedger.Audit;
import io.sluice.model.BucketId;
import io.sluice.model.SkuState;
import io.vertx.core.Future;
import java.util.List;
import java.util.Optional;

/**
 * Holds the counters of SKUs against the append-only rows that they are derived from; design
 * section 9. Where the two disagree, which cannot happen, the SKU is frozen with an alarm.
 *
 * <p>A SKU is looked at by the owner of its first bucket, a page of buckets a step. One with more
 * than {@link #ROWS_MAX} rows is passed over: its rebuilds still compare counters and orders.
 */
final class LedgerAudit {
  static final int PAGE_MAX = 10;
  static final int ROWS_MAX = 20_000;

  private final Ledger ledger;
  private final int partition;
  private Optional<BucketId> after = Optional.empty();

  LedgerAudit(Duties duties) {
    this.ledger = duties.ledger();
    this.partition = duties.ownership().partition();
  }

  /** One page. The next one is due with the next wake, so that a pass takes little at a time. */
  Future<Boolean> step() {
    return ledger
        .buckets(partition, after, PAGE_MAX)
        .compose(
            rows -> {
              boolean full = rows.size() == PAGE_MAX;
              after = full ? Optional.of(rows.get(rows.size() - 1).id()) : Optional.empty();
              return auditAll(rows);
            })
        .map(false);
  }

  private Future<Void> auditAll(List<BucketRow> rows) {
    return AsyncLoop.forEach(
        rows.stream()
            .filter(row -> row.id().bucket() == 0 && row.state() != SkuState.FROZEN)
            .toList(),
        row -> audit(row.id().skuId()));
  }

  private Future<Void> audit(long skuId) {
    return ledger
        .audit(skuId, ROWS_MAX)
        .compose(
            audit ->
                audit.isEmpty() || audit.get().agrees()
                    ? Future.succeededFuture()
                    : ledger.freezeSku(skuId, why(audit.get())));
  }

  private static String why(Audit audit) {
    return "Expected the counters to be total %d, held %d, sold %d as the rows say, but they are %d, %d, %d"
        .formatted(
            audit.total(),
            audit.held(),
            audit.sold(),
            audit.countersTotal(),
            audit.countersHeld(),
            audit.countersSold());
  }
}
