package io.sluice.ledger.mysql;

import io.sluice.async.AsyncLoop;
import io.sluice.db.SqlSession;
import io.sluice.ledger.Bookings.Result;
import io.sluice.ledger.Bookings.Step;
import io.sluice.ledger.mysql.LedgerRows.LockedBucket;
import io.sluice.ledger.rules.BatchChanges;
import io.sluice.ledger.rules.BatchSnapshot;
import io.sluice.ledger.rules.LedgerBatch;
import io.sluice.ledger.rules.OverdueHolds.Demand;
import io.sluice.ledger.rules.Passage;
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
 * The one transaction for a batch of commands (a slice of the log, time-outs, a sweep, or grants
 * that are booked directly): fence, bucket rows, which orders exist, the clock, the replay, the
 * rows. Locks are taken in this order by all, and nothing is read before its lock.
 *
 * <p>A grant from the log is hardly ever in the ledger already, so that is not asked at first: an
 * order that is there makes its insert fail, the transaction runs again, and then all are read.
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
   * What became of the step, how many of its commands were dead-lettered, and how late its
   * time-outs came.
   */
  record Outcome(Result result, int dead, List<Long> timeoutLagsMs) {
    /** Nothing was done now. */
    static Outcome of(Result result) {
      return new Outcome(result, 0, List.of());
    }
  }

  static Future<Outcome> run(SqlSession session, Step step, List<Command> commands) {
    return new BatchTransaction(session, step.partition(), commands).run(step);
  }

  /**
   * The same without the fence, for who is not the owner. The bucket's lock alone keeps the gate;
   * the fence only keeps an offset from being applied twice, and here is none.
   */
  static Future<Replayed> runUnfenced(SqlSession session, int partition, List<Command> commands) {
    return new BatchTransaction(session, partition, commands).replay(false);
  }

  private Future<Outcome> run(Step step) {
    return FenceTable.pass(session, step)
        .compose(
            asked -> {
              if (asked.passage() == Passage.LOST) {
                return Future.succeededFuture(Outcome.of(new Result.FenceLost(asked.now())));
              }
              return asked.passage() == Passage.PASSED
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

  /** Where there is no room, holds that are over are looked for, which may have to make it. */
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

  /** The step was committed before; what it left behind tells what it booked. */
  private Future<Outcome> recall() {
    return OrderTable.read(session, BatchSnapshot.reserved(commands))
        .map(
            orders ->
                Outcome.of(
                    new Result.Applied(
                        List.copyOf(orders.keySet()), List.of(), 0, List.of(), true, true)));
  }
}
