package io.sluice.ledger.mysql;

import io.sluice.async.AsyncLoop;
import io.sluice.db.SqlSession;
import io.sluice.ledger.Bookings.Result;
import io.sluice.ledger.Bookings.Step;
import io.sluice.ledger.mysql.table.BucketTable;
import io.sluice.ledger.mysql.table.FenceTable;
import io.sluice.ledger.mysql.table.HoldTable;
import io.sluice.ledger.mysql.table.LedgerRows.LockedBucket;
import io.sluice.ledger.mysql.table.OrderTable;
import io.sluice.ledger.mysql.table.OutboxTable;
import io.sluice.ledger.rules.BatchChanges;
import io.sluice.ledger.rules.BatchSnapshot;
import io.sluice.ledger.rules.Claims;
import io.sluice.ledger.rules.DeadCause;
import io.sluice.ledger.rules.FenceCheck;
import io.sluice.ledger.rules.LedgerBatch;
import io.sluice.ledger.rules.OutboxList;
import io.sluice.ledger.rules.OverdueHolds.Demand;
import io.sluice.ledger.rules.Replayed;
import io.sluice.model.BucketId;
import io.sluice.model.Command;
import io.sluice.model.Order;
import io.sluice.model.OrderToken;
import io.sluice.model.Placement;
import io.vertx.core.Future;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * The one transaction for a batch of commands (a slice of the log, time-outs, a sweep, or direct
 * bookings). It locks the fence, then SKUs whose totals may fall, then the bucket rows, reads the
 * existing orders and the clock, replays the batch and appends the rows. Every transaction takes
 * locks in this order, and reads nothing before it is locked. The lock of its bucket protects an
 * order.
 *
 * <p>A grant from the log is rarely in the ledger already, so existing orders are not read at
 * first. If one exists, its insert fails on a unique key; the transaction then runs again and reads
 * them all, and also which orders have the places of these grants: two that claim one fail alike.
 * Where the gate has no room, a rejection would be a row of another table, so the orders are read
 * before it is believed.
 */
final class BatchTransaction {
  private static final int ANY_PARTITION = Integer.MIN_VALUE;

  private final SqlSession session;
  private final List<Command> commands;
  private final List<Order> overdue = new ArrayList<>();
  private final Map<BucketId, LockedBucket> locked = new TreeMap<>();
  private final Map<BucketId, BatchSnapshot.Bucket> counters = new TreeMap<>();
  private final Map<BucketId, Integer> foreign = new TreeMap<>();
  private int partition;

  private BatchTransaction(SqlSession session, int partition, List<Command> commands) {
    this.session = session;
    this.partition = partition;
    this.commands = commands;
  }

  /**
   * The result of the step, and what is measured of it.
   *
   * @param dead the number of dead-lettered commands, by cause
   * @param timeoutLagsMs how late each time-out was
   * @param orders the number of orders that were written
   * @param repeated grants that had an order before
   * @param bookedLagMs how long before that the oldest of these orders was granted
   */
  record Outcome(
      Result result,
      Map<DeadCause, Integer> dead,
      List<Long> timeoutLagsMs,
      int orders,
      int repeated,
      long bookedLagMs) {
    /** Nothing was written by this call. */
    static Outcome of(Result result) {
      return new Outcome(result, Map.of(), List.of(), 0, 0, 0);
    }
  }

  static Future<Outcome> run(SqlSession session, Step step, List<Command> commands) {
    return new BatchTransaction(session, step.partition(), commands).run(step, false);
  }

  /** Does the same in a transaction that is rolled back, except for commands of foreign buckets. */
  static Future<Outcome> rehearse(SqlSession session, Step step, List<Command> commands) {
    return new BatchTransaction(session, step.partition(), commands).run(step, true);
  }

  /**
   * Runs without the fence, for callers that are not the owner, with commands of one bucket,
   * wherever it is. The bucket's lock alone protects the gate. The fence only prevents that an
   * offset is applied twice, and here there is no offset.
   */
  static Future<Replayed> runUnfenced(SqlSession session, List<Command> commands) {
    BatchTransaction unfenced = new BatchTransaction(session, ANY_PARTITION, commands);
    return unfenced
        .lockBuckets()
        .compose(
            locked ->
                unfenced.partition == ANY_PARTITION
                    ? Future.failedFuture("Expected a bucket of the ledger, but there is none")
                    : unfenced.replay(false));
  }

  /** The same with commands of buckets whose SKUs sell in the ledger alone. */
  static Future<Replayed> runDirect(SqlSession session, List<Command> commands) {
    BatchTransaction direct = new BatchTransaction(session, Placement.DIRECT, commands);
    return direct
        .lockBuckets()
        .compose(
            locked ->
                direct.foreign.isEmpty()
                    ? direct.replay(false)
                    : Future.failedFuture("Expected direct SKUs, but got " + direct.foreign));
  }

  private Future<Outcome> run(Step step, boolean rehearses) {
    return FenceTable.pass(session, step)
        .compose(
            asked -> {
              if (asked.passage() == FenceCheck.LOST) {
                return Future.succeededFuture(Outcome.of(new Result.FenceLost(asked.now())));
              }
              return asked.passage() == FenceCheck.PASSED
                  ? lockBuckets().compose(locked -> apply(step, rehearses))
                  : recall();
            });
  }

  private Future<Outcome> apply(Step step, boolean rehearses) {
    if (!foreign.isEmpty() && !rehearses) {
      session.undo();
      return Future.succeededFuture(Outcome.of(new Result.Foreign(Map.copyOf(foreign))));
    }
    return replay(step.advances() && !session.isRepeated()).map(BatchTransaction::outcome);
  }

  private static Outcome outcome(Replayed replayed) {
    BatchChanges changes = replayed.changes();
    int orders = changes.inserted().size();
    return new Outcome(
        changes.applied(),
        changes.dead(),
        changes.timeoutLagsMs(),
        orders,
        Math.max(0, changes.booked().size() - orders),
        changes.bookedLagMs(replayed.snapshot().nowMs()));
  }

  private Future<Replayed> replay(boolean assumeFresh) {
    return snapshot(assumeFresh)
        .map(snapshot -> new Replayed(snapshot, LedgerBatch.replay(snapshot, commands)))
        .compose(
            first ->
                first.changes().full().isEmpty()
                    ? Future.succeededFuture(first)
                    : makingRoom(assumeFresh, first))
        .compose(replayed -> write(session, locked, replayed).map(replayed));
  }

  /**
   * Where a bucket has no room, reads holds that may be overdue and replays the batch with them:
   * ending these may make room.
   */
  private Future<Replayed> makingRoom(boolean assumedFresh, Replayed first) {
    return (assumedFresh ? snapshot(false) : Future.succeededFuture(first.snapshot()))
        .compose(
            snapshot ->
                AsyncLoop.forEach(first.changes().full(), this::overdue)
                    .map(done -> snapshot.with(overdue)))
        .map(snapshot -> new Replayed(snapshot, LedgerBatch.replay(snapshot, commands)));
  }

  private Future<Void> overdue(BucketId bucket) {
    return OrderTable.overdue(session, bucket, Demand.of(bucket, commands))
        .onSuccess(overdue::addAll)
        .mapEmpty();
  }

  private Future<Void> lockBuckets() {
    return ReturnedStock.lockSkus(session, commands)
        .compose(done -> BucketTable.lock(session, BatchSnapshot.bucketsOf(commands)))
        .onSuccess(
            rows -> {
              for (LockedBucket bucket : rows) {
                lockedBucket(bucket);
              }
            })
        .mapEmpty();
  }

  private void lockedBucket(LockedBucket bucket) {
    if (partition == ANY_PARTITION) {
      partition = bucket.partition();
    }
    if (bucket.partition() == partition) {
      locked.put(bucket.id(), bucket);
      counters.put(bucket.id(), bucket.counters());
    } else {
      foreign.put(bucket.id(), bucket.partition());
    }
  }

  private Future<BatchSnapshot> snapshot(boolean assumeFresh) {
    Set<OrderToken> tokens =
        assumeFresh
            ? BatchSnapshot.notFresh(commands, counters)
            : BatchSnapshot.tokensOf(commands, locked.keySet());
    return OrderTable.read(
            session,
            withRejects(tokens),
            new OrderTable.Leads(this::hasRejects, this::hasNotes, this::isArchived))
        .compose(
            orders ->
                claims()
                    .compose(
                        claims ->
                            OrderTable.nowMs(session)
                                .map(
                                    nowMs ->
                                        new BatchSnapshot(
                                            partition, nowMs, counters, orders, claims))));
  }

  /** A rejected order is in no key that its grant could violate, so it is always looked for. */
  private Set<OrderToken> withRejects(Set<OrderToken> tokens) {
    if (locked.keySet().stream().noneMatch(this::hasRejects)) {
      return tokens;
    }
    Set<OrderToken> more = new HashSet<>(tokens);
    BatchSnapshot.tokensOf(commands, locked.keySet()).stream()
        .filter(token -> hasRejects(token.bucketId()))
        .forEach(more::add);
    return more;
  }

  private boolean hasRejects(BucketId id) {
    LockedBucket bucket = locked.get(id);
    return bucket != null && bucket.rejects() > 0;
  }

  private boolean hasNotes(BucketId id) {
    LockedBucket bucket = locked.get(id);
    return bucket != null && bucket.notes() > 0;
  }

  private boolean isArchived(BucketId id) {
    LockedBucket bucket = locked.get(id);
    return bucket != null && bucket.archived() > 0;
  }

  private Future<Claims> claims() {
    return session.isRepeated()
        ? OrderTable.claims(session, BatchSnapshot.claimed(commands, locked.keySet()))
        : Future.succeededFuture(Claims.UNKNOWN);
  }

  /** Writes what a batch has changed of these locked buckets. */
  static Future<Void> write(
      SqlSession session, Map<BucketId, LockedBucket> locked, Replayed replayed) {
    BatchSnapshot snapshot = replayed.snapshot();
    BatchChanges changes = replayed.changes();
    return new HoldTable(session, locked, snapshot.nowMs())
        .append(snapshot.partition(), changes.inserted(), changes.moves(), changes.notes())
        .compose(done -> ReturnedStock.write(session, changes.returned(), locked, snapshot.nowMs()))
        .compose(
            done ->
                BucketTable.count(
                    session, WrittenBuckets.of(changes, snapshot.buckets(), locked)))
        .compose(
            done ->
                OutboxTable.insert(
                    session, OutboxList.combined(changes.outbox()), snapshot.nowMs()));
  }

  /** The step was committed before. The orders that exist now show which grants it booked. */
  private Future<Outcome> recall() {
    return OrderTable.read(session, BatchSnapshot.reserved(commands))
        .map(
            orders ->
                Outcome.of(
                    new Result.Applied(
                        List.copyOf(orders.keySet()),
                        List.of(),
                        List.of(),
                        List.of(),
                        List.of(),
                        true,
                        true,
                        Result.earliestDueMs(orders.values()))));
  }
}
