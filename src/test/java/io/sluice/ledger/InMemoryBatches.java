package io.sluice.ledger;

import io.sluice.ledger.Bookings.Booked;
import io.sluice.ledger.Bookings.Result;
import io.sluice.ledger.Bookings.Step;
import io.sluice.ledger.rules.BatchChanges;
import io.sluice.ledger.rules.BatchChanges.Change;
import io.sluice.ledger.rules.BatchChanges.Returned;
import io.sluice.ledger.rules.BatchSnapshot;
import io.sluice.ledger.rules.Claims;
import io.sluice.ledger.rules.FenceCheck;
import io.sluice.ledger.rules.LedgerBatch;
import io.sluice.ledger.rules.OutboxList;
import io.sluice.ledger.rules.OverdueHolds;
import io.sluice.ledger.rules.PaymentTime;
import io.sluice.ledger.rules.Replayed;
import io.sluice.ledger.rules.StockRows;
import io.sluice.model.BucketId;
import io.sluice.model.Command;
import io.sluice.model.Grant;
import io.sluice.model.Membership;
import io.sluice.model.Order;
import io.sluice.model.OrderStatus;
import io.sluice.model.OrderToken;
import io.sluice.model.Sku;
import java.time.InstantSource;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;

/** Applies batches to the tables of an {@link InMemoryLedger}, each completely or not at all. */
final class InMemoryBatches {
  private final InMemoryTables tables;
  private final InstantSource clock;

  InMemoryBatches(InMemoryTables tables, InstantSource clock) {
    this.tables = tables;
    this.clock = clock;
  }

  Result apply(Step step, List<Command> commands, Fence now) {
    return switch (passage(step, now)) {
      case LOST -> new Result.FenceLost(now);
      case ALREADY -> recalled(commands);
      case PASSED -> applied(step, commands);
    };
  }

  void rehearse(Step step, List<Command> commands) {
    BatchChanges changes = replayed(step.partition(), commands).changes();
    changes.buckets().forEach(change -> tables.check(counted(change)));
  }

  Booked book(List<Grant> grants) {
    List<Command> commands = BatchSnapshot.reservesOf(grants);
    int partition = tables.bucket(grants.get(0).token().bucketId()).partition();
    Replayed replayed = replayed(partition, commands);
    write(replayed.changes());
    return replayed.changes().booked(replayed.snapshot());
  }

  private static FenceCheck passage(Step step, Fence now) {
    if (now.term() != step.term() || now.nextOffset() < step.beginOffset()) {
      return FenceCheck.LOST;
    }
    if (!step.advances() || now.nextOffset() == step.beginOffset()) {
      return FenceCheck.PASSED;
    }
    return now.nextOffset() == step.endOffset() ? FenceCheck.ALREADY : FenceCheck.LOST;
  }

  private Result recalled(List<Command> commands) {
    List<OrderToken> booked =
        BatchSnapshot.reserved(commands).stream().filter(tables.orders::containsKey).toList();
    return new Result.Applied(
        booked,
        List.of(),
        List.of(),
        List.of(),
        List.of(),
        true,
        true,
        Result.earliestDueMs(tables.found(booked).values()));
  }

  private Result applied(Step step, List<Command> commands) {
    Map<BucketId, Integer> foreign = foreign(step.partition(), commands);
    if (!foreign.isEmpty()) {
      return new Result.Foreign(foreign);
    }
    BatchChanges changes = replayed(step.partition(), commands).changes();
    write(changes);
    if (step.advances()) {
      tables.fences.put(
          step.partition(), new Fence(step.partition(), step.term(), step.endOffset()));
    }
    return changes.applied();
  }

  private Map<BucketId, Integer> foreign(int partition, List<Command> commands) {
    Map<BucketId, Integer> foreign = new TreeMap<>();
    for (BucketId id : BatchSnapshot.bucketsOf(commands)) {
      InMemoryTables.Bucket row = tables.buckets.get(id);
      if (row != null && row.partition() != partition) {
        foreign.put(id, row.partition());
      }
    }
    return foreign;
  }

  void write(BatchChanges changes) {
    changes.buckets().forEach(change -> tables.check(counted(change)));
    changes.buckets().forEach(change -> tables.write(change.after().id(), counted(change)));
    StockRows.of(changes).forEach(tables::append);
    changes.returned().forEach(this::leave);
    changes.inserted().forEach(order -> tables.orders.put(order.token(), order));
    changes.updated().forEach(change -> tables.orders.put(change.after().token(), change.after()));
    OutboxList.combined(changes.outbox()).forEach(draft -> tables.leave(draft, clock.millis()));
  }

  private void leave(Returned returned) {
    StockTxn row = returned.row();
    tables.append(row);
    tables.earlier.lower(row.bucket().skuId(), returned.saleNo(), -row.qty());
    Sku sku = tables.sku(row.bucket().skuId());
    Membership in = sku.membership();
    Membership less =
        new Membership(
            in.saleNo(), in.saleId(), in.frozenBySale(), in.taken(), in.base() + row.qty());
    tables.skus.put(
        sku.skuId(),
        sku.withTotal(sku.totalStock() + row.qty())
            .with(sku.settings(), sku.state(), sku.thawedState(), less));
  }

  private Replayed replayed(int partition, List<Command> commands) {
    BatchSnapshot snapshot = snapshot(partition, commands);
    BatchChanges changes = LedgerBatch.replay(snapshot, commands);
    List<Order> overdue =
        changes.full().stream().flatMap(bucket -> overdue(bucket, commands)).toList();
    BatchSnapshot more = snapshot.with(overdue);
    return new Replayed(more, LedgerBatch.replay(more, commands));
  }

  private Stream<Order> overdue(BucketId bucket, List<Command> commands) {
    OverdueHolds.Demand demand = OverdueHolds.Demand.of(bucket, commands);
    return tables.orders.values().stream()
        .filter(order -> order.token().bucketId().equals(bucket))
        .filter(order -> order.status() == OrderStatus.PENDING)
        .filter(order -> PaymentTime.promisedBeforeMs(order) < demand.beforeMs())
        .sorted(Comparator.comparingLong(PaymentTime::promisedBeforeMs))
        .limit(demand.holds());
  }

  BatchSnapshot snapshot(int partition, List<Command> commands) {
    Map<BucketId, BatchSnapshot.Bucket> ours = new TreeMap<>();
    for (BucketId id : BatchSnapshot.bucketsOf(commands)) {
      InMemoryTables.Bucket row = tables.buckets.get(id);
      if (row != null && row.partition() == partition) {
        ours.put(
            id,
            new BatchSnapshot.Bucket(
                id,
                row.allotted(),
                row.held(),
                row.sold(),
                row.epoch(),
                row.base(),
                row.sinceEpoch()));
      }
    }
    Map<OrderToken, Order> orders = tables.found(BatchSnapshot.tokensOf(commands, ours.keySet()));
    return new BatchSnapshot(partition, clock.millis(), ours, orders, claims(ours.keySet()));
  }

  private Claims claims(Set<BucketId> ours) {
    Map<Claims.Place, OrderToken> taken = new HashMap<>();
    tables.orders.values().stream()
        .filter(order -> order.status() != OrderStatus.REJECTED)
        .filter(order -> ours.contains(order.token().bucketId()))
        .forEach(
            order ->
                taken.put(
                    new Claims.Place(order.token().bucketId(), order.epoch(), order.seq()),
                    order.token()));
    return Claims.of(taken);
  }

  private InMemoryTables.Bucket counted(Change<BatchSnapshot.Bucket> change) {
    BatchSnapshot.Bucket after = change.after();
    InMemoryTables.Bucket now = tables.bucket(after.id());
    return now.counted(after.held(), after.sold())
        .without(now.allotted() - after.allotted())
        .inEpoch(after.epoch());
  }
}
