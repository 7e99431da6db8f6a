package io.sluice.ledger;

import io.sluice.db.SqlSession;
import io.sluice.ledger.Ledger.BucketRow;
import io.sluice.ledger.Ledger.OutboxKind;
import io.sluice.ledger.Ledger.OutboxRow;
import io.sluice.model.BucketId;
import io.sluice.model.OrderToken;
import io.vertx.core.Future;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * A bucket that a transaction holds under its owner's fence. Whoever books, ends or restocks needs
 * the same locks, so that all that is read here belongs together.
 */
final class HeldBucket implements StillBucket {
  /** Restocks of a partition that are looked through; behind more, each bucket counts as one. */
  private static final int RESTOCKS_MAX = 500;

  private final SqlSession session;
  private final BucketRow row;
  private final boolean restocking;
  private final Optional<List<OrderToken>> unreleased;

  private HeldBucket(
      SqlSession session, BucketRow row, List<OutboxRow> restocks, List<OutboxRow> releases) {
    this.session = session;
    this.row = row;
    this.restocking = isRestocking(row.id(), restocks);
    this.unreleased = unreleased(row.id(), releases);
  }

  /** Empty where the fence is another's, or there is no such bucket. */
  static Future<Optional<HeldBucket>> hold(SqlSession session, Fence fence, BucketId id) {
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

  private static Future<HeldBucket> read(SqlSession session, BucketRow row) {
    int partition = row.partition();
    return OutboxTable.pending(session, partition, OutboxKind.RESTOCK, 0, RESTOCKS_MAX)
        .compose(
            restocks ->
                OutboxTable.pending(
                        session, partition, OutboxKind.RELEASE, 0, Ledger.UNRELEASED_MAX + 1)
                    .map(releases -> new HeldBucket(session, row, restocks, releases)));
  }

  static boolean isRestocking(BucketId id, List<OutboxRow> pending) {
    return pending.size() >= RESTOCKS_MAX
        || pending.stream().anyMatch(row -> OutboxPayload.bucketOf(row.payload()).equals(id));
  }

  static Optional<List<OrderToken>> unreleased(BucketId id, List<OutboxRow> pending) {
    return pending.size() > Ledger.UNRELEASED_MAX
        ? Optional.empty()
        : Optional.of(
            pending.stream()
                .map(row -> OutboxPayload.releaseOf(row.payload()).token())
                .filter(token -> token.bucketId().equals(id))
                .distinct()
                .toList());
  }

  @Override
  public BucketRow row() {
    return row;
  }

  @Override
  public boolean restocking() {
    return restocking;
  }

  @Override
  public Optional<List<OrderToken>> unreleased() {
    return unreleased;
  }

  @Override
  public Future<Set<OrderToken>> booked(Collection<OrderToken> tokens) {
    return tokens.isEmpty()
        ? Future.succeededFuture(Set.of())
        : OrderTable.read(session, tokens).map(orders -> Set.copyOf(orders.keySet()));
  }
}
