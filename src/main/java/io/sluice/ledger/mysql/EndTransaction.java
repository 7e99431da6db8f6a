package io.sluice.ledger.mysql;

import io.sluice.db.SqlSession;
import io.sluice.ledger.BucketRow;
import io.sluice.ledger.Fence;
import io.sluice.ledger.SkuLedger.StateChange;
import io.sluice.ledger.rules.SkuRules;
import io.sluice.model.BucketId;
import io.sluice.model.IfMatch;
import io.sluice.model.Placement;
import io.sluice.model.Sku;
import io.sluice.model.SkuState;
import io.vertx.core.Future;
import java.util.Optional;

/**
 * The change of a bucket by its owner before it loads it: a new epoch, or, if its SKU is ending,
 * the end. The SKU is locked only for that.
 */
final class EndTransaction {
  private EndTransaction() {}

  /** Empty if the fence is lost. */
  static Future<Optional<BucketRow>> raiseEpoch(
      SqlSession session, Fence fence, BucketId id, long epochSeen) {
    return FenceTable.holds(session, fence)
        .compose(
            mine ->
                mine
                    ? raise(session, fence.partition(), id, epochSeen)
                        .compose(raised -> BucketTable.read(session, id))
                    : Future.succeededFuture(Optional.empty()));
  }

  /** The SKU is locked before the bucket. */
  private static Future<Void> raise(
      SqlSession session, int partition, BucketId id, long epochSeen) {
    return BucketTable.read(session, id)
        .compose(
            row ->
                row.filter(found -> found.state() == SkuState.ENDING).isPresent()
                    ? SkuTable.lock(session, id.skuId())
                    : Future.succeededFuture(Optional.<Sku>empty()))
        .compose(
            ending ->
                BucketTable.raiseEpoch(session, partition, id, epochSeen)
                    .compose(
                        raised ->
                            ending.isPresent()
                                ? end(session, ending.get(), id)
                                : Future.succeededFuture()));
  }

  /** Forgets some buyers of a bucket of which nothing is held, if its SKU is ENDING. */
  static Future<Integer> forgetDirect(SqlSession session, BucketId id, int max) {
    return mayEndDirect(session, id)
        .compose(may -> may ? DirectTable.forget(session, id, max) : Future.succeededFuture(0));
  }

  /**
   * Ends a bucket that sells in the ledger alone, if its SKU is ENDING and nothing of it is held.
   * It has a new epoch then as any bucket that ends, so that the next sale begins a new count.
   */
  static Future<Void> endDirect(SqlSession session, BucketId id) {
    return mayEndDirect(session, id)
        .compose(may -> may ? raise(session, Placement.DIRECT, id, 0) : Future.succeededFuture());
  }

  /** Also keeps it so, until the transaction ends. */
  private static Future<Boolean> mayEndDirect(SqlSession session, BucketId id) {
    return SkuTable.lock(session, id.skuId())
        .compose(
            sku ->
                BucketTable.read(session, id)
                    .map(row -> sku.isPresent() && row.filter(EndTransaction::mayEnd).isPresent()));
  }

  private static boolean mayEnd(BucketRow row) {
    return row.isDirect() && row.state() == SkuState.ENDING && row.held() == 0;
  }

  private static Future<Void> end(SqlSession session, Sku sku, BucketId id) {
    return sku.state() != SkuState.ENDING
        ? Future.succeededFuture()
        : BucketTable.end(session, id)
            .compose(
                all ->
                    all ? SkuTable.update(session, SkuRules.ended(sku)) : Future.succeededFuture());
  }

  /** Begins to end a SKU that was closed long ago; one of a sale ends with its sale. */
  static Future<Void> endClosed(SqlSession session, long skuId, long closedForMs) {
    return OrderTable.nowMs(session)
        .compose(
            nowMs ->
                SkuTable.lock(session, skuId)
                    .map(
                        found ->
                            found.filter(
                                sku ->
                                    !sku.membership().isInSale()
                                        && sku.state()
                                            .isClosedFor(
                                                closedForMs, nowMs, sku.settings().closesAtMs()))))
        .compose(
            due ->
                due.isEmpty()
                    ? Future.succeededFuture()
                    : StateTransaction.change(session, due.get(), StateChange.END, IfMatch.NOTHING)
                        .mapEmpty());
  }
}
