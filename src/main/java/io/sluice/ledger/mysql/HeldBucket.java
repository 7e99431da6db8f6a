package io.sluice.ledger.mysql;

import io.sluice.db.SqlSession;
import io.sluice.ledger.BucketRow;
import io.sluice.ledger.Fence;
import io.sluice.ledger.Ledger.StillBucket;
import io.sluice.model.BucketId;
import io.sluice.model.OrderToken;
import io.vertx.core.Future;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * A bucket that a transaction has locked under its owner's fence. Booking, ending and restocking
 * need the same locks, so everything read here is consistent.
 */
final class HeldBucket {
  private HeldBucket() {}

  /** Empty if the fence is lost or the bucket does not exist. */
  static Future<Optional<StillBucket>> hold(SqlSession session, Fence fence, BucketId id) {
    return FenceTable.holds(session, fence)
        .compose(
            mine ->
                mine
                    ? BucketTable.lock(session, List.of(id))
                        .compose(locked -> BucketTable.read(session, id))
                        .compose(
                            row ->
                                row.isPresent()
                                    ? read(session, row.get()).map(Optional::of)
                                    : Future.succeededFuture(Optional.empty()))
                    : Future.succeededFuture(Optional.empty()));
  }

  private static Future<StillBucket> read(SqlSession session, BucketRow row) {
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
    return tokens.isEmpty()
        ? Future.succeededFuture(Set.of())
        : OrderTable.read(session, tokens).map(orders -> Set.copyOf(orders.keySet()));
  }
}
