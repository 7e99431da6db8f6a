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
 * buckets as well.
 *
 * <p>A request is rarely repeated, so existing orders are not read at first. If one exists, the
 * insert fails on a unique key; the transaction then runs again, and reads them all.
 */
final class DirectTransaction {
  private final SqlSession session;
  private final long saleNo;
  private final List<Wish> wishes;
  private final boolean assumesFresh;
  private final BatchLocks locks = new BatchLocks(Placement.DIRECT);

  /**
   * @param assumesFresh whether existing orders are not read at first
   */
  DirectTransaction(SqlSession session, long saleNo, List<Wish> wishes, boolean assumesFresh) {
    this.session = session;
    this.saleNo = saleNo;
    this.wishes = wishes;
    this.assumesFresh = assumesFresh;
  }

  Future<List<Outcome>> place(long skuId) {
    if (wishes.isEmpty()) {
      return Future.succeededFuture(List.of());
    }
    Set<BucketId> buckets =
        wishes.stream()
            .map(wish -> wish.token().bucketId())
            .collect(Collectors.toCollection(TreeSet::new));
    return BucketTable.lock(session, buckets)
        .compose(rows -> expectDirect(rows, buckets))
        .compose(done -> DirectTable.sku(session, skuId, buckets))
        .compose(
            sku ->
                sku.saleNo() == saleNo
                    ? decide(sku)
                    : Future.succeededFuture(
                        wishes.stream().<Outcome>map(wish -> new Outcome.OtherSale()).toList()));
  }

  private Future<Void> expectDirect(List<LockedBucket> rows, Set<BucketId> buckets) {
    locks.take(rows, List.of());
    return locks.elsewhere().isEmpty() && locks.locked().keySet().equals(buckets)
        ? Future.succeededFuture()
        : Future.failedFuture("Expected buckets of a direct SKU, but got others than " + buckets);
  }

  private record Decision(DirectGate gate, BatchSnapshot snapshot, List<Command> commands) {}

  /** A refusal is only believed of what is known to be new. */
  private Future<List<Outcome>> decide(DirectSku sku) {
    List<OrderToken> tokens = wishes.stream().map(Wish::token).toList();
    return units(sku)
        .compose(
            units ->
                assumesFresh
                    ? decide(sku, units, tokens.stream().filter(this::mayBeElsewhere).toList())
                        .compose(
                            first ->
                                first.commands().size() == wishes.size()
                                    ? Future.succeededFuture(first)
                                    : decide(sku, units, tokens))
                    : decide(sku, units, tokens))
        .compose(this::book);
  }

  /** Whether the order may exist without being a hold, whose key its insert would violate. */
  private boolean mayBeElsewhere(OrderToken token) {
    return locks.hasRejects(token.bucketId()) || locks.isArchived(token.bucketId());
  }

  private Future<Decision> decide(DirectSku sku, Map<Holder, Long> units, List<OrderToken> looked) {
    return OrderTable.read(
            session,
            looked,
            new OrderTable.Leads(locks::hasRejects, locks::hasNotes, locks::isArchived))
        .map(
            orders -> {
              BatchSnapshot snapshot =
                  new BatchSnapshot(Placement.DIRECT, sku.nowMs(), locks.counters(), orders);
              DirectGate gate =
                  new DirectGate(
                      new DirectGate.State(
                          sku.state(),
                          sku.settings(),
                          sku.saleNo(),
                          sku.free(),
                          sku.lastSeqs(),
                          units),
                      snapshot);
              return new Decision(gate, snapshot, gate.decide(wishes));
            });
  }

  /** Asked only where there is a limit. */
  private Future<Map<Holder, Long>> units(DirectSku sku) {
    Set<Holder> holders =
        wishes.stream()
            .map(wish -> new Holder(wish.token().bucketId(), wish.userId()))
            .collect(Collectors.toSet());
    return sku.settings().limitPerUser() == 0
        ? Future.succeededFuture(Map.of())
        : DirectTable.units(session, holders);
  }

  private Future<List<Outcome>> book(Decision decision) {
    Replayed replayed =
        new Replayed(
            decision.snapshot(), LedgerBatch.replay(decision.snapshot(), decision.commands()));
    List<Outcome> outcomes =
        decision.gate().outcomes(replayed.changes().booked(decision.snapshot()).orders());
    return decision.commands().isEmpty()
        ? Future.succeededFuture(outcomes)
        : BatchTransaction.write(session, locks, replayed)
            .compose(done -> DirectTable.insert(session, replayed.changes().inserted()))
            .map(outcomes);
  }
}
