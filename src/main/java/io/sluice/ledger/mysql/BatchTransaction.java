package io.sluice.ledger.mysql;

import io.sluice.async.AsyncLoop;
import io.sluice.db.SqlSession;
import io.sluice.ledger.Bookings.Result;
import io.sluice.ledger.Bookings.Step;
import io.sluice.ledger.mysql.table.BucketTable;
import io.sluice.ledger.mysql.table.FenceTable;
import io.sluice.ledger.mysql.table.LedgerRows.LockedBucket;
import io.sluice.ledger.mysql.table.OrderTable;
import io.sluice.ledger.mysql.table.OutboxTable;
import io.sluice.ledger.rules.BatchChanges;
import io.sluice.ledger.rules.BatchSnapshot;
import io.sluice.ledger.rules.FenceCheck;
import io.sluice.ledger.rules.LedgerBatch;
import io.sluice.ledger.rules.OverdueHolds.Demand;
import io.sluice.ledger.rules.Replayed;
import io.sluice.model.BucketId;
import io.sluice.model.Command;
import io.sluice.model.Order;
import io.sluice.model.OrderToken;
import io.vertx.core.Future;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * The one transaction for a batch of commands (a slice of the log, time-outs, a sweep, or direct
 * bookings). It locks the fence, then the bucket rows, then the existing orders, reads the clock,
 * replays the batch and writes the rows. Every transaction takes locks in this order, and reads
 * nothing before it is locked.
 *
 * <p>A grant from the log is rarely in the ledger already, so existing orders are not read at
 * first. If one exists, its insert fails on the unique key; the transaction then runs again and
 * reads them all.
 */
final class BatchTransaction {
  private final SqlSession session;
  private final int partition;
  private final List<Command> commands;
  private final List<Order> overdue = new ArrayList<>();

  private BatchTransaction(SqlSession session, int partition, List<Command> commands) {
    this.session = session;
    this.partition = partition;
    this.commands = commands;
  }

  /**
   * The result of the step, the number of dead-lettered commands, and how late each time-out was.
   */
  record Outcome(Result result, int dead, List<Long> timeoutLagsMs) {
    /** Nothing was written by this call. */
    static Outcome of(Result result) {
      return new Outcome(result, 0, List.of());
    }
  }

  static Future<Outcome> run(SqlSession session, Step step, List<Command> commands) {
    return new BatchTransaction(session, step.partition(), commands).run(step);
  }

  /**
   * Runs without the fence, for callers that are not the owner. The bucket's lock alone protects
   * the gate. The fence only prevents that an offset is applied twice, and here there is no offset.
   */
  static Future<Replayed> runUnfenced(SqlSession session, int partition, List<Command> commands) {
    return new BatchTransaction(session, partition, commands).replay(false);
  }

  private Future<Outcome> run(Step step) {
    return FenceTable.pass(session, step)
        .compose(
            asked -> {
              if (asked.passage() == FenceCheck.LOST) {
                return Future.succeededFuture(Outcome.of(new Result.FenceLost(asked.now())));
              }
              return asked.passage() == FenceCheck.PASSED
                  ? replay(step.advances() && !session.isRepeated()).map(BatchTransaction::outcome)
                  : recall();
            });
  }

  private static Outcome outcome(Replayed replayed) {
    BatchChanges changes = replayed.changes();
    return new Outcome(changes.applied(), changes.dead(), changes.timeoutLagsMs());
  }

  private Future<Replayed> replay(boolean assumeFresh) {
    return snapshot(assumeFresh)
        .compose(this::replayed)
        .compose(
            replayed -> write(replayed.snapshot(), replayed.changes()).map(written -> replayed));
  }

  /**
   * Where a bucket has no room, reads holds that may be overdue and replays the batch with them:
   * ending these may make room.
   */
  private Future<Replayed> replayed(BatchSnapshot snapshot) {
    BatchChanges changes = LedgerBatch.replay(snapshot, commands);
    return AsyncLoop.forEach(changes.full(), this::overdue)
        .map(
            done -> {
              BatchSnapshot more = snapshot.with(overdue);
              return overdue.isEmpty()
                  ? new Replayed(snapshot, changes)
                  : new Replayed(more, LedgerBatch.replay(more, commands));
            });
  }

  private Future<Void> overdue(BucketId bucket) {
    return OrderTable.overdue(session, bucket, Demand.of(bucket, commands))
        .onSuccess(overdue::addAll)
        .mapEmpty();
  }

  private Future<BatchSnapshot> snapshot(boolean assumeFresh) {
    return BucketTable.lock(session, BatchSnapshot.bucketsOf(commands))
        .map(this::ours)
        .compose(
            buckets -> {
              Set<OrderToken> tokens =
                  assumeFresh
                      ? BatchSnapshot.notFresh(commands, buckets)
                      : BatchSnapshot.tokensOf(commands, buckets.keySet());
              return OrderTable.lock(session, tokens)
                  .compose(
                      orders ->
                          OrderTable.nowMs(session)
                              .map(nowMs -> new BatchSnapshot(partition, nowMs, buckets, orders)));
            });
  }

  private Map<BucketId, BatchSnapshot.Bucket> ours(List<LockedBucket> locked) {
    Map<BucketId, BatchSnapshot.Bucket> ours = new TreeMap<>();
    for (LockedBucket bucket : locked) {
      if (bucket.partition() == partition) {
        ours.put(bucket.id(), bucket.counters());
      }
    }
    return ours;
  }

  private Future<Void> write(BatchSnapshot snapshot, BatchChanges changes) {
    return OrderTable.insert(session, snapshot.partition(), changes.inserted())
        .compose(done -> OrderTable.update(session, changes.updated()))
        .compose(done -> OrderTable.append(session, changes.rows(), snapshot.nowMs()))
        .compose(done -> BucketTable.count(session, changes.buckets()))
        .compose(done -> OutboxTable.insert(session, changes.outbox(), snapshot.nowMs()));
  }

  /** The step was committed before. The orders that exist now show which grants it booked. */
  private Future<Outcome> recall() {
    return OrderTable.read(session, BatchSnapshot.reserved(commands))
        .map(
            orders ->
                Outcome.of(
                    new Result.Applied(
                        List.copyOf(orders.keySet()), List.of(), 0, List.of(), true, true)));
  }
}
