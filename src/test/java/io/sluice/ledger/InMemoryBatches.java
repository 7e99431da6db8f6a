package io.sluice.ledger;

import io.sluice.ledger.Ledger.Batch;
import io.sluice.ledger.Ledger.Booked;
import io.sluice.ledger.Step.Result;
import io.sluice.ledger.rules.BatchChanges;
import io.sluice.ledger.rules.BatchChanges.Change;
import io.sluice.ledger.rules.BatchChanges.Replayed;
import io.sluice.ledger.rules.BatchChanges.Returned;
import io.sluice.ledger.rules.BatchSnapshot;
import io.sluice.ledger.rules.BatchSnapshot.Claims;
import io.sluice.ledger.rules.FenceCheck;
import io.sluice.ledger.rules.LedgerBatch;
import io.sluice.ledger.rules.LedgerBatch.Source;
import io.sluice.ledger.rules.OutboxList;
import io.sluice.ledger.rules.OverdueHolds;
import io.sluice.ledger.rules.PaymentTime;
import io.sluice.ledger.rules.RestockPlan;
import io.sluice.ledger.rules.StockRows;
import io.sluice.ledger.rules.Wholes;
import io.sluice.model.BucketId;
import io.sluice.model.Command;
import io.sluice.model.Grant;
import io.sluice.model.Order;
import io.sluice.model.OrderStatus;
import io.sluice.model.OrderToken;
import io.sluice.model.Sku;
import io.sluice.model.Sku.Membership;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.IntFunction;
import java.util.stream.Stream;

/** Applies batches to the tables of an {@link InMemoryLedger}, each completely or not at all. */
final class InMemoryBatches {
  private final InMemoryTables tables;
  private final InstantSource clock;
  private boolean gathers = true;

  InMemoryBatches(InMemoryTables tables, InstantSource clock) {
    this.tables = tables;
    this.clock = clock;
  }

  void plantNoGathering() {
    gathers = false;
  }

  /** All of them or, if the data of one cannot be stored, none. */
  List<Result> apply(List<Batch> round, IntFunction<Fence> fences) {
    for (Batch batch : round) {
      Step step = batch.step();
      if (FenceCheck.of(step, fences.apply(step.partition())) == FenceCheck.PASSED
          && foreign(step.partition(), batch.commands()).isEmpty()) {
        rehearse(step, batch.commands());
      }
    }
    return round.stream()
        .map(batch -> apply(batch, fences.apply(batch.step().partition())))
        .toList();
  }

  private Result apply(Batch batch, Fence now) {
    return switch (FenceCheck.of(batch.step(), now)) {
      case LOST -> new Result.FenceLost(now);
      case ALREADY -> recalled(batch.commands());
      case PASSED -> applied(batch);
    };
  }

  void rehearse(Step step, List<Command> commands) {
    BatchChanges changes = replayed(step, commands).changes();
    changes.buckets().forEach(change -> tables.check(counted(change, changes)));
  }

  Booked book(List<Grant> grants) {
    List<Command> commands = BatchSnapshot.reservesOf(grants);
    int partition = tables.bucket(grants.get(0).token().bucketId()).partition();
    Replayed replayed = replayed(partition, commands, Source.PAST_LOG);
    write(replayed.changes());
    return replayed.changes().booked(replayed.snapshot());
  }

  private Result recalled(List<Command> commands) {
    Map<OrderToken, Order> found = new HashMap<>(tables.found(BatchSnapshot.tokensOf(commands)));
    found.putAll(tables.found(Wholes.missing(found)));
    return Result.Applied.before(BatchSnapshot.reserved(commands), Wholes.of(found));
  }

  private Result applied(Batch batch) {
    Step step = batch.step();
    List<Command> commands = batch.commands();
    Map<BucketId, Integer> foreign = foreign(step.partition(), commands);
    if (!foreign.isEmpty()) {
      return new Result.Foreign(foreign);
    }
    Set<OrderToken> unknown = BatchSnapshot.orphans(commands);
    unknown.removeAll(tables.orders.keySet());
    if (step.advances() && !batch.searched() && !unknown.isEmpty()) {
      return new Result.Missing(unknown);
    }
    Replayed replayed = replayed(step, commands);
    write(replayed.changes());
    if (step.advances()) {
      tables.fences.put(
          step.partition(), new Fence(step.partition(), step.term(), step.endOffset()));
    }
    return replayed.changes().applied(replayed.snapshot());
  }

  private Map<BucketId, Integer> foreign(int partition, List<Command> commands) {
    Map<BucketId, Integer> foreign = new TreeMap<>();
    for (Command command : commands) {
      OrderToken token = command.token();
      InMemoryTables.Bucket row = token == null ? null : tables.buckets.get(token.bucketId());
      if (row != null && row.partition() != partition) {
        foreign.put(token.bucketId(), row.partition());
      }
    }
    return foreign;
  }

  void write(BatchChanges changes) {
    changes.buckets().forEach(change -> tables.check(counted(change, changes)));
    changes
        .buckets()
        .forEach(change -> tables.write(change.after().id(), counted(change, changes)));
    StockRows.of(changes).forEach(tables::append);
    String move = RestockPlan.moveId(0, tables.nextId());
    changes
        .gathered()
        .forEach(
            (id, units) ->
                tables.append(
                    StockTxn.restock(RestockPlan.token(move, id.bucket(), 1), id, units)));
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
    long base = returned.saleNo() == in.saleNo() ? in.base() : in.base() + row.qty();
    Membership less = new Membership(in.saleNo(), in.saleId(), in.frozenBySale(), in.taken(), base);
    tables.skus.put(
        sku.skuId(),
        sku.withTotal(sku.totalStock() + row.qty())
            .with(sku.settings(), sku.state(), sku.thawedState(), less));
  }

  private Replayed replayed(Step step, List<Command> commands) {
    return replayed(step.partition(), commands, step.advances() ? Source.LOG : Source.OWNER);
  }

  Replayed replayed(int partition, List<Command> commands, Source source) {
    Set<OrderToken> lines = new HashSet<>();
    commands.forEach(command -> command.tokens().forEach(token -> addLines(token, lines)));
    Set<Long> whole = new HashSet<>();
    Replayed replayed;
    do {
      replayed = replayed(partition, commands, source, lines, whole);
      // As the database does it: all buckets of a SKU are looked at only where one has no room.
    } while (gathers
        && replayed.changes().full().stream().map(BucketId::skuId).anyMatch(whole::add));
    return replayed;
  }

  private Replayed replayed(
      int partition,
      List<Command> commands,
      Source source,
      Set<OrderToken> lines,
      Set<Long> whole) {
    Set<BucketId> read = new HashSet<>();
    List<Order> overdue = new ArrayList<>();
    while (true) {
      BatchSnapshot snapshot =
          snapshot(partition, commands, lines, whole).with(overdue, tables.saleIds());
      Replayed replayed = new Replayed(snapshot, LedgerBatch.replay(snapshot, commands, source));
      Set<BucketId> next = OverdueHolds.toRead(replayed, read);
      if (next.isEmpty()) {
        return replayed;
      }
      read.addAll(next);
      next.forEach(bucket -> overdue(bucket, commands).forEach(overdue::add));
      overdue.forEach(order -> addLines(order.token(), lines));
    }
  }

  /** All lines of the order of this token, if there is one. */
  private void addLines(OrderToken token, Set<OrderToken> lines) {
    Order order = tables.orders.get(token);
    if (order != null && order.cart() != null) {
      lines.addAll(order.lineTokens());
    }
  }

  private Stream<Order> overdue(BucketId bucket, List<Command> commands) {
    OverdueHolds.Demand demand = OverdueHolds.Demand.of(bucket.skuId(), commands);
    return tables.orders.values().stream()
        .filter(order -> order.token().bucketId().equals(bucket))
        .filter(order -> order.status() == OrderStatus.PENDING)
        .filter(order -> PaymentTime.promisedBeforeMs(order) < demand.beforeMs())
        .sorted(Comparator.comparingLong(PaymentTime::promisedBeforeMs))
        .limit(demand.holds());
  }

  BatchSnapshot snapshot(int partition, List<Command> commands, Set<OrderToken> lines) {
    return snapshot(partition, commands, lines, Set.of());
  }

  private BatchSnapshot snapshot(
      int partition, List<Command> commands, Set<OrderToken> lines, Set<Long> whole) {
    Map<BucketId, BatchSnapshot.Bucket> ours = new TreeMap<>();
    Map<BucketId, Integer> elsewhere = new TreeMap<>();
    Set<BucketId> named = new HashSet<>();
    commands.stream()
        .map(Command::token)
        .filter(Objects::nonNull)
        .forEach(token -> named.add(token.bucketId()));
    Set<BucketId> all = BatchSnapshot.bucketsOf(commands);
    lines.forEach(line -> all.add(line.bucketId()));
    whole.forEach(skuId -> all.addAll(tables.bucketsOf(skuId)));
    for (BucketId id : all) {
      InMemoryTables.Bucket row = tables.buckets.get(id);
      if (row != null && (row.partition() == partition || !named.contains(id))) {
        if (row.partition() != partition) {
          elsewhere.put(id, row.partition());
        }
        ours.put(
            id,
            new BatchSnapshot.Bucket(
                id,
                row.allotted(),
                row.held(),
                row.sold(),
                row.epoch(),
                row.base(),
                row.sinceEpoch(),
                row.withdrawn()));
      }
    }
    Set<OrderToken> tokens = BatchSnapshot.tokensOf(commands, ours.keySet());
    tokens.addAll(lines);
    return new BatchSnapshot(
        partition,
        clock.millis(),
        ours,
        tables.found(tokens),
        claims(ours.keySet()),
        elsewhere,
        Set.copyOf(whole),
        tables.saleIds());
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

  private InMemoryTables.Bucket counted(Change<BatchSnapshot.Bucket> change, BatchChanges changes) {
    BatchSnapshot.Bucket after = change.after();
    InMemoryTables.Bucket now =
        tables.bucket(after.id()).gathered(changes.gathered().getOrDefault(after.id(), 0L));
    return now.counted(after.held(), after.sold()).without(after).inEpoch(after.epoch());
  }
}
