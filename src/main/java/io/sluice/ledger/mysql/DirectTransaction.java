package io.sluice.ledger.mysql;

import io.sluice.db.SqlSession;
import io.sluice.ledger.DirectLedger.Outcome;
import io.sluice.ledger.DirectLedger.Wish;
import io.sluice.ledger.mysql.table.BucketTable;
import io.sluice.ledger.mysql.table.DirectTable;
import io.sluice.ledger.mysql.table.DirectTable.DirectSku;
import io.sluice.ledger.mysql.table.LedgerRows.LockedBucket;
import io.sluice.ledger.mysql.table.OrderTable;
import io.sluice.ledger.rules.BatchSnapshot;
import io.sluice.ledger.rules.DirectGate;
import io.sluice.ledger.rules.DirectGate.Holder;
import io.sluice.ledger.rules.LedgerBatch;
import io.sluice.ledger.rules.Replayed;
import io.sluice.model.BucketId;
import io.sluice.model.Command;
import io.sluice.model.Order;
import io.sluice.model.OrderToken;
import io.sluice.model.Placement;
import io.vertx.core.Future;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

/**
 * The transaction of requests for a SKU that sells in the ledger alone. It locks the buckets of
 * their buyers, in order, and then reads all that decides: whoever changes the SKU locks its
 * buckets as well. Existing orders are read, since a token is found here or nowhere.
 */
final class DirectTransaction {
  private final SqlSession session;
  private final long saleNo;
  private final List<Wish> wishes;
  private final BatchLocks locks = new BatchLocks(Placement.DIRECT);

  DirectTransaction(SqlSession session, long saleNo, List<Wish> wishes) {
    this.session = session;
    this.saleNo = saleNo;
    this.wishes = wishes;
  }

  Future<List<Outcome>> place(long skuId) {
    Set<BucketId> buckets =
        wishes.stream()
            .map(wish -> wish.token().bucketId())
            .collect(Collectors.toCollection(TreeSet::new));
    return BucketTable.lock(session, buckets)
        .compose(rows -> expectDirect(rows, buckets))
        .compose(done -> DirectTable.sku(session, skuId))
        .compose(
            sku ->
                sku.orElseThrow().saleNo() == saleNo
                    ? decide(sku.get())
                    : Future.succeededFuture(
                        wishes.stream().<Outcome>map(wish -> new Outcome.OtherSale()).toList()));
  }

  private Future<Void> expectDirect(List<LockedBucket> rows, Set<BucketId> buckets) {
    locks.take(rows, List.of());
    return locks.elsewhere().isEmpty() && locks.locked().keySet().equals(buckets)
        ? Future.succeededFuture()
        : Future.failedFuture("Expected buckets of a direct SKU, but got others than " + buckets);
  }

  private Future<List<Outcome>> decide(DirectSku sku) {
    List<OrderToken> tokens = wishes.stream().map(Wish::token).toList();
    return OrderTable.read(
            session,
            tokens,
            new OrderTable.Leads(locks::hasRejects, locks::hasNotes, locks::isArchived))
        .compose(
            orders ->
                DirectTable.lastSeqs(session, locks.locked().keySet())
                    .compose(
                        seqs ->
                            units(sku, orders)
                                .compose(
                                    units ->
                                        book(
                                            new DirectGate.State(
                                                sku.state(),
                                                sku.settings(),
                                                sku.saleNo(),
                                                sku.free(),
                                                seqs,
                                                units),
                                            snapshot(sku.nowMs(), orders)))));
  }

  /** Asked only where there is a limit, and of those who may get something new. */
  private Future<Map<Holder, Long>> units(DirectSku sku, Map<OrderToken, Order> orders) {
    Set<Holder> holders =
        wishes.stream()
            .filter(wish -> !orders.containsKey(wish.token()))
            .map(wish -> new Holder(wish.token().bucketId(), wish.userId()))
            .collect(Collectors.toSet());
    return sku.settings().limitPerUser() == 0 || holders.isEmpty()
        ? Future.succeededFuture(Map.of())
        : DirectTable.units(session, holders);
  }

  private BatchSnapshot snapshot(long nowMs, Map<OrderToken, Order> orders) {
    return new BatchSnapshot(Placement.DIRECT, nowMs, locks.counters(), orders);
  }

  private Future<List<Outcome>> book(DirectGate.State sku, BatchSnapshot snapshot) {
    DirectGate gate = new DirectGate(sku, snapshot);
    List<Command> commands = gate.decide(wishes);
    Replayed replayed = new Replayed(snapshot, LedgerBatch.replay(snapshot, commands));
    List<Outcome> outcomes = gate.outcomes(replayed.changes().booked(snapshot).orders());
    return commands.isEmpty()
        ? Future.succeededFuture(outcomes)
        : BatchTransaction.write(session, locks, replayed)
            .compose(done -> DirectTable.insert(session, replayed.changes().inserted()))
            .map(outcomes);
  }
}
