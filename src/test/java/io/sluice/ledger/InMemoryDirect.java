package io.sluice.ledger;

import io.sluice.ledger.OutboxRow.OutboxKind;
import io.sluice.ledger.rules.BatchChanges.Replayed;
import io.sluice.ledger.rules.BatchSnapshot;
import io.sluice.ledger.rules.DirectGate;
import io.sluice.ledger.rules.Gathering;
import io.sluice.ledger.rules.LedgerBatch;
import io.sluice.ledger.rules.LedgerBatch.Source;
import io.sluice.ledger.rules.OutboxList;
import io.sluice.ledger.rules.RestockPlan;
import io.sluice.model.BucketId;
import io.sluice.model.Command;
import io.sluice.model.Order;
import io.sluice.model.OrderToken;
import io.sluice.model.Placement;
import io.sluice.model.Sku;
import io.sluice.model.SkuState;
import io.vertx.core.Future;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.Stream;

/** SKUs that sell in the ledger alone, on the tables of an {@link InMemoryLedger}. */
final class InMemoryDirect implements DirectLedger {
  private final InMemoryTables tables;
  private final InMemoryBatches batches;
  private final InMemorySkus skus;
  private final InMemoryQueries queries;
  private final InstantSource clock;
  private final List<Numbered> events = new ArrayList<>();
  private long lastEvent;
  private long moves;

  private record Numbered(NumberedEvent event, long atMs) {}

  InMemoryDirect(
      InMemoryTables tables, InMemoryBatches batches, InMemorySkus skus, InstantSource clock) {
    this.tables = tables;
    this.batches = batches;
    this.skus = skus;
    this.queries = new InMemoryQueries(tables);
    this.clock = clock;
  }

  @Override
  public Future<List<Outcome>> place(Map<Long, Long> sales, Supplier<List<Wish>> asked) {
    List<Wish> wishes = asked.get();
    for (Map.Entry<Long, Long> sale : sales.entrySet()) {
      Sku sku = tables.skus.get(sale.getKey());
      if (sku == null || !sku.isDirect() || sku.saleNo() != sale.getValue()) {
        Outcome other = new Outcome.OtherSale(sale.getKey());
        return Future.succeededFuture(Collections.nCopies(wishes.size(), other));
      }
    }
    List<OrderToken> tokens = wishes.stream().flatMap(wish -> wish.tokens().stream()).toList();
    BatchSnapshot snapshot =
        batches.snapshot(
            Placement.DIRECT,
            tokens.stream().<Command>map(Command.Confirm::new).toList(),
            Set.of());
    Map<Long, DirectGate.State> states = new HashMap<>();
    sales.keySet().forEach(id -> states.put(id, state(tables.sku(id), snapshot)));
    DirectGate gate = new DirectGate(states, units(snapshot), snapshot);
    List<Command> commands = gate.decide(wishes);
    var changes = LedgerBatch.replay(snapshot, commands, LedgerBatch.Source.OWNER);
    batches.write(changes);
    return Future.succeededFuture(gate.outcomes(changes.booked(snapshot).orders()));
  }

  private DirectGate.State state(Sku sku, BatchSnapshot snapshot) {
    Map<BucketId, Long> seqs = new HashMap<>();
    inEpoch(snapshot)
        .forEach(order -> seqs.merge(order.token().bucketId(), order.seq(), Math::max));
    long free =
        tables.bucketsOf(sku.skuId()).stream().mapToLong(id -> tables.bucket(id).free()).sum();
    return new DirectGate.State(sku.state(), sku.settings(), sku.saleNo(), free, seqs);
  }

  private Map<DirectGate.Holder, Long> units(BatchSnapshot snapshot) {
    Map<DirectGate.Holder, Long> units = new HashMap<>();
    inEpoch(snapshot)
        .forEach(
            order ->
                units.merge(
                    new DirectGate.Holder(order.token().bucketId(), order.userId()),
                    (long) order.unitsLeft(),
                    Long::sum));
    return units;
  }

  /** The orders of the locked buckets, in their epochs. */
  private Stream<Order> inEpoch(BatchSnapshot snapshot) {
    return tables.orders.values().stream()
        .filter(
            order -> {
              BatchSnapshot.Bucket locked = snapshot.buckets().get(order.token().bucketId());
              return locked != null && order.epoch() == locked.epoch();
            });
  }

  @Override
  public Future<Boolean> gather(BucketId bucket, int qty) {
    long[] free =
        tables.bucketsOf(bucket.skuId()).stream()
            .mapToLong(id -> tables.bucket(id).free())
            .toArray();
    Map<Integer, Long> changes = Gathering.ahead(free, bucket.bucket(), qty);
    String id = RestockPlan.moveId(bucket.bucket(), ++moves);
    changes.forEach(
        (each, units) ->
            skus.allot(new BucketId(bucket.skuId(), each), units, RestockPlan.token(id, each, 1)));
    return Future.succeededFuture(tables.bucket(bucket).free() >= qty);
  }

  @Override
  public Future<Map<OrderToken, Order>> apply(List<Command> commands) {
    Replayed replayed = batches.replayed(Placement.DIRECT, commands, Source.OWNER);
    batches.write(replayed.changes());
    return Future.succeededFuture(replayed.changes().booked(replayed.snapshot()).orders());
  }

  @Override
  public Future<Boolean> keepReading(long since, Reading reading, boolean outage) {
    Reading kept = tables.readings.get(Placement.DIRECT);
    boolean mine = (kept == null ? 0 : kept.readAtMs()) == since;
    if (mine) {
      tables.readings.put(Placement.DIRECT, reading);
    }
    return Future.succeededFuture(mine);
  }

  @Override
  public Future<Void> crossMarks(long afterSkuId, int limit) {
    new InMemoryMarks(tables).cross(Placement.DIRECT, afterSkuId, limit, clock.millis());
    return Future.succeededFuture();
  }

  @Override
  public Future<Boolean> endBucket(BucketId bucket, int buyersMax) {
    boolean ends =
        tables.sku(bucket.skuId()).state() == SkuState.ENDING
            && tables.bucket(bucket).held() == 0
            && !tables.gone.ended.contains(bucket);
    if (ends) {
      skus.raiseEpoch(bucket, 0);
    }
    return Future.succeededFuture(false);
  }

  @Override
  public Future<Boolean> numberEvents(int rowsMax) {
    if (!tables.fences.isEmpty()) {
      return Future.succeededFuture(false);
    }
    List<OutboxRow> rows = queries.pending(Placement.DIRECT, OutboxKind.EVENT, 0, rowsMax);
    OutboxList.allEntries(rows)
        .forEach(
            payload ->
                events.add(new Numbered(new NumberedEvent(++lastEvent, payload), clock.millis())));
    rows.forEach(tables::markSent);
    return Future.succeededFuture(rows.size() == rowsMax);
  }

  @Override
  public Future<List<NumberedEvent>> events(long after, int limit) {
    return Future.succeededFuture(
        events.stream()
            .map(Numbered::event)
            .filter(event -> event.number() > after)
            .limit(limit)
            .toList());
  }

  @Override
  public Future<EventNumbers> eventNumbers() {
    return Future.succeededFuture(
        events.isEmpty()
            ? new EventNumbers(0, 0, lastEvent)
            : new EventNumbers(events.get(0).event().number(), events.get(0).atMs(), lastEvent));
  }

  @Override
  public Future<Integer> purgeEvents(long olderThanMs, int limit) {
    List<Numbered> old =
        events.stream()
            .limit(limit)
            .filter(event -> event.atMs() < clock.millis() - olderThanMs)
            .toList();
    events.removeAll(old);
    return Future.succeededFuture(old.size());
  }
}
