package io.sluice.ledger.mysql;

import io.sluice.db.SqlSession;
import io.sluice.db.SqlStatement;
import io.sluice.ledger.BucketRow;
import io.sluice.ledger.Fence;
import io.sluice.ledger.Ledger.StillBucket;
import io.sluice.ledger.SkuLedger.StateChange;
import io.sluice.ledger.rules.SkuRules;
import io.sluice.model.BucketId;
import io.sluice.model.IfMatch;
import io.sluice.model.OrderToken;
import io.sluice.model.Placement;
import io.sluice.model.Sku;
import io.sluice.model.SkuState;
import io.vertx.core.Future;
import io.vertx.sqlclient.Tuple;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * The transactions on one bucket. Its owner changes it before it loads it: a new epoch, or, if its
 * SKU is ending, the end. It also compares it with Redis. The SKU is locked only to end.
 */
final class BucketTransaction {
  private BucketTransaction() {}

  /** Empty if the fence is lost. */
  static Future<Optional<BucketRow>> raiseEpoch(
      SqlSession session, Fence fence, BucketId id, long epochSeen) {
    return PartitionTable.under(
        session,
        fence,
        Optional.empty(),
        () ->
            raise(session, fence.partition(), id, epochSeen)
                .compose(raised -> BucketTable.read(session, id)));
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
        .compose(
            may ->
                may
                    ? session.update(
                        SqlStatement.DELETE_DIRECT_HOLDS, Tuple.of(id.skuId(), id.bucket(), max))
                    : Future.succeededFuture(0));
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
                    .map(
                        row ->
                            sku.isPresent() && row.filter(BucketTransaction::mayEnd).isPresent()));
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

  // ---- comparison

  /**
   * Locks a bucket under its owner's fence. Booking, ending and restocking need the same locks, so
   * everything read here is consistent. Empty if the fence is lost or the bucket does not exist.
   */
  static Future<Optional<StillBucket>> hold(SqlSession session, Fence fence, BucketId id) {
    return PartitionTable.under(
        session,
        fence,
        Optional.empty(),
        () ->
            BucketTable.lock(session, List.of(id))
                .compose(locked -> BucketTable.read(session, id))
                .compose(
                    row ->
                        row.isPresent()
                            ? still(session, row.get()).map(Optional::of)
                            : Future.succeededFuture(Optional.empty())));
  }

  private static Future<StillBucket> still(SqlSession session, BucketRow row) {
    return OutboxTable.isRestocking(session, row.placed())
        .compose(
            restocking ->
                OutboxTable.releases(session, row.partition())
                    .map(
                        releases ->
                            new StillBucket(
                                row,
                                restocking,
                                releases.of(row.id()),
                                tokens -> booked(session, tokens))));
  }

  private static Future<Set<OrderToken>> booked(SqlSession session, Collection<OrderToken> tokens) {
    return OrderTable.read(session, tokens).map(orders -> Set.copyOf(orders.keySet()));
  }
}
