package io.sluice.ledger.mysql;

import io.sluice.async.AsyncLoop;
import io.sluice.db.SqlSession;
import io.sluice.db.SqlSession.Items;
import io.sluice.db.SqlStatement;
import io.sluice.ledger.DirectLedger.Line;
import io.sluice.ledger.DirectLedger.Outcome;
import io.sluice.ledger.DirectLedger.Wish;
import io.sluice.ledger.rules.BatchChanges.Replayed;
import io.sluice.ledger.rules.BatchSnapshot;
import io.sluice.ledger.rules.DirectGate;
import io.sluice.ledger.rules.DirectGate.Holder;
import io.sluice.ledger.rules.LedgerBatch;
import io.sluice.model.BucketId;
import io.sluice.model.Command;
import io.sluice.model.Order;
import io.sluice.model.OrderToken;
import io.sluice.model.Placement;
import io.sluice.model.SkuState;
import io.vertx.core.Future;
import io.vertx.sqlclient.Tuple;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;

/**
 * The transaction of requests for the same SKUs, which sell in the ledger alone. It locks the
 * buckets of their buyers, in order, and then reads all that decides: a change of a SKU locks its
 * buckets as well.
 *
 * <p>A request is rarely repeated, so existing orders are not read at first. If one exists, the
 * insert fails on a unique key; the transaction then runs again, and reads them all.
 */
final class DirectTransaction {
  private final SqlSession session;
  private final Map<Long, Long> saleNos;
  private final SaleIds sales;
  private final List<Wish> wishes;
  private final boolean assumesFresh;
  private final BatchLocks locks = new BatchLocks(Placement.DIRECT);

  /** As read under the locks, in the order of their ids. */
  private final Map<Long, DirectSku> skus = new TreeMap<>();

  /**
   * @param saleNos by the id of each SKU the number of its sale, as the callers believe
   * @param assumesFresh whether existing orders are not read at first
   */
  DirectTransaction(
      SqlSession session,
      Map<Long, Long> saleNos,
      SaleIds sales,
      List<Wish> wishes,
      boolean assumesFresh) {
    this.session = session;
    this.saleNos = saleNos;
    this.sales = sales;
    this.wishes = wishes;
    this.assumesFresh = assumesFresh;
  }

  Future<List<Outcome>> place() {
    if (wishes.isEmpty()) {
      return Future.succeededFuture(List.of());
    }
    Set<BucketId> buckets =
        wishes.stream()
            .flatMap(wish -> wish.lines().stream())
            .map(Line::bucket)
            .collect(Collectors.toCollection(TreeSet::new));
    return BucketTable.lock(session, buckets)
        .compose(
            rows -> {
              locks.take(rows, List.of());
              return anotherSku(buckets)
                  .map(skuId -> all(new Outcome.OtherSale(skuId)))
                  .orElseGet(() -> inSale(buckets));
            });
  }

  /**
   * The SKU of a bucket that is not there, or that sells through Redis: the SKU that the callers
   * know was deleted, and maybe made again otherwise.
   */
  private Optional<Long> anotherSku(Set<BucketId> buckets) {
    return buckets.stream()
        .filter(id -> !locks.locked().containsKey(id) || locks.elsewhere().containsKey(id))
        .map(BucketId::skuId)
        .findFirst();
  }

  private Future<List<Outcome>> inSale(Set<BucketId> buckets) {
    return AsyncLoop.forEach(saleNos.keySet(), skuId -> read(skuId, buckets))
        .compose(
            read -> otherSale().<Future<List<Outcome>>>map(no -> all(no)).orElseGet(this::decide));
  }

  private Optional<Outcome> otherSale() {
    return saleNos.entrySet().stream()
        .filter(sale -> sku(sale.getKey()).state().saleNo() != sale.getValue())
        .findFirst()
        .map(sale -> new Outcome.OtherSale(sale.getKey()));
  }

  private Future<List<Outcome>> all(Outcome outcome) {
    return Future.succeededFuture(Collections.nCopies(wishes.size(), outcome));
  }

  private Future<Void> read(long skuId, Set<BucketId> buckets) {
    List<BucketId> its = buckets.stream().filter(bucket -> bucket.skuId() == skuId).toList();
    return readSku(skuId, its).onSuccess(sku -> skus.put(skuId, sku)).mapEmpty();
  }

  private DirectSku sku(long skuId) {
    return Objects.requireNonNull(skus.get(skuId));
  }

  private record Decision(DirectGate gate, BatchSnapshot snapshot, List<Command> commands) {}

  /** A refusal is only believed of what is known to be new. */
  private Future<List<Outcome>> decide() {
    List<OrderToken> tokens = wishes.stream().flatMap(wish -> wish.tokens().stream()).toList();
    return units()
        .compose(
            units ->
                assumesFresh
                    ? decide(units, tokens.stream().filter(this::mayBeElsewhere).toList())
                        .compose(
                            first ->
                                first.commands().size() == wishes.size()
                                    ? Future.succeededFuture(first)
                                    : decide(units, tokens))
                    : decide(units, tokens))
        .compose(
            decision ->
                sales
                    .of(session, BatchSnapshot.salesOf(decision.commands(), List.of()))
                    .compose(ids -> book(decision, decision.snapshot().with(List.of(), ids))));
  }

  /** Whether the order may exist without being a hold, whose key its insert would violate. */
  private boolean mayBeElsewhere(OrderToken token) {
    OrderTable.Leads leads = OrderTable.Leads.of(locks.locked());
    return leads.rejects().test(token.bucketId()) || leads.archived().test(token.bucketId());
  }

  private Future<Decision> decide(Map<Holder, Long> units, List<OrderToken> looked) {
    return OrderTable.read(session, looked, OrderTable.Leads.of(locks.locked()))
        .map(
            orders -> {
              long nowMs = skus.values().iterator().next().nowMs();
              BatchSnapshot snapshot =
                  new BatchSnapshot(Placement.DIRECT, nowMs, locks.counters(), orders);
              Map<Long, DirectGate.State> states = new HashMap<>();
              skus.forEach((id, sku) -> states.put(id, sku.state()));
              DirectGate gate = new DirectGate(states, units, snapshot);
              return new Decision(gate, snapshot, gate.decide(wishes));
            });
  }

  /** Asked only if there is a limit. */
  private Future<Map<Holder, Long>> units() {
    Set<Holder> holders = new HashSet<>();
    for (Wish wish : wishes) {
      for (Line line : wish.lines()) {
        if (sku(line.bucket().skuId()).state().settings().limitPerUser() > 0) {
          holders.add(new Holder(line.bucket(), wish.userId()));
        }
      }
    }
    Map<Holder, Long> units = new HashMap<>();
    return session
        .selectEach(
            SqlStatement.SUM_DIRECT_HOLDS,
            Items.of(holders.stream().<Tuple>map(Columns::of).toList()),
            row -> units.put(Columns.to(Holder.class).apply(row), row.getLong(3)))
        .map(units);
  }

  private Future<List<Outcome>> book(Decision decision, BatchSnapshot snapshot) {
    Replayed replayed =
        new Replayed(
            snapshot, LedgerBatch.replay(snapshot, decision.commands(), LedgerBatch.Source.OWNER));
    List<Outcome> outcomes = decision.gate().outcomes(replayed.changes().booked(snapshot).orders());
    return decision.commands().isEmpty()
        ? Future.succeededFuture(outcomes)
        : new BatchWrite(session, locks.locked(), replayed.snapshot().nowMs())
            .write(List.of(replayed.changes()))
            .compose(done -> noteHolders(replayed.changes().inserted()))
            .map(outcomes);
  }

  /** A SKU, read while buckets of it are locked, and the database's clock then. */
  private record DirectSku(DirectGate.State state, long nowMs) {}

  /** The SKU, which exists, as it decides requests for these of its buckets, which are locked. */
  private Future<DirectSku> readSku(long skuId, Collection<BucketId> buckets) {
    Map<BucketId, Long> seqs = new HashMap<>();
    return session
        .selectEach(
            SqlStatement.READ_DIRECT_SKU,
            Items.ofEach(buckets.stream().map(BucketId::bucket).toList())
                .behind(Tuple.of(skuId, skuId, skuId)),
            row -> {
              seqs.put(new BucketId(skuId, row.getInteger(5)), row.getLong(6));
              return row;
            })
        .map(rows -> rows.get(0))
        .map(
            row ->
                new DirectSku(
                    new DirectGate.State(
                        SkuState.valueOf(row.getString(0)),
                        Columns.settings(row.getString(1)),
                        row.getLong(2),
                        row.getLong(3),
                        seqs),
                    row.getLong(4)));
  }

  /** Notes by whom new holds are. */
  private Future<Void> noteHolders(List<Order> booked) {
    return session.insert(
        SqlStatement.INSERT_DIRECT_HOLDS,
        booked.stream()
            .map(
                order ->
                    Tuple.of(
                        order.token().skuId(),
                        order.token().bucket(),
                        order.userId(),
                        order.epoch(),
                        order.seq()))
            .toList());
  }
}
