package io.sluice.ledger.mysql;

import io.sluice.async.AsyncLoop;
import io.sluice.db.SqlSession;
import io.sluice.ledger.Step;
import io.sluice.ledger.Step.Result;
import io.sluice.ledger.mysql.Reach.SeenCarts;
import io.sluice.ledger.rules.BatchChanges;
import io.sluice.ledger.rules.BatchChanges.DeadCause;
import io.sluice.ledger.rules.BatchChanges.Replayed;
import io.sluice.ledger.rules.BatchSnapshot;
import io.sluice.ledger.rules.BatchSnapshot.Claims;
import io.sluice.ledger.rules.FenceCheck;
import io.sluice.ledger.rules.LedgerBatch;
import io.sluice.ledger.rules.LedgerBatch.Source;
import io.sluice.ledger.rules.OverdueHolds;
import io.sluice.ledger.rules.OverdueHolds.Demand;
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
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;

/**
 * The one transaction for a batch of commands (a slice of the log, time-outs, a sweep, or direct
 * bookings). It locks the fence, then SKUs whose totals may fall, then the bucket rows, reads the
 * existing orders and the clock, replays the batch and appends the rows. Every transaction takes
 * locks in this order, and reads nothing before it is locked. The lock of its bucket protects an
 * order.
 *
 * <p>A grant from the log, or past it, is rarely in the ledger already, so existing orders are not
 * read at first. If one exists, its insert fails on a unique key. The transaction then runs again
 * and reads them all, and also which orders have the places of these grants: two that claim one
 * fail alike. If the gate has no room, a rejection would be a row of another table, so the orders
 * are read before it is believed.
 *
 * <p>An order of several SKUs is changed with all its lines. If lines are not known before, since
 * only a command's lead names its order, the transaction is undone, and {@link CartLines} runs it
 * again with them. If a bucket has no room, it is run again with all buckets of its SKU. That is
 * impossible in a sound system: a ledger that was restored to an earlier state has lost moves of
 * units between them.
 */
final class BatchTransaction {
  private final SqlSession session;
  private final List<Command> commands;
  private final Reach reach;
  private final Source source;
  private final BatchLocks locks;

  private BatchTransaction(
      SqlSession session, int partition, List<Command> commands, Reach reach, Source source) {
    this.session = session;
    this.locks = new BatchLocks(partition);
    this.commands = commands;
    this.reach = reach;
    this.source = source;
  }

  /**
   * The result of the step, and what is measured of it.
   *
   * @param dead the number of dead-lettered commands, by cause
   * @param timeoutLagsMs how late each time-out was
   * @param orders the number of orders that were written
   * @param repeated grants that had an order before
   * @param bookedLagMs how long before that the oldest of these orders was granted
   * @param lines what was learned of orders of several SKUs
   */
  record Outcome(
      Result result,
      Map<DeadCause, Integer> dead,
      List<Long> timeoutLagsMs,
      int orders,
      int repeated,
      long bookedLagMs,
      SeenCarts lines) {
    /** Nothing was written by this call. */
    static Outcome of(Result result) {
      return new Outcome(result, Map.of(), List.of(), 0, 0, 0, SeenCarts.NONE);
    }
  }

  /**
   * @param reach locked in addition to the buckets that the commands name
   */
  static Future<Outcome> run(SqlSession session, Step step, List<Command> commands, Reach reach) {
    return of(session, step, commands, reach).run(step, false);
  }

  /** Does the same in a transaction that is rolled back, except for commands of foreign buckets. */
  static Future<Outcome> rehearse(
      SqlSession session, Step step, List<Command> commands, Reach reach) {
    return of(session, step, commands, reach).run(step, true);
  }

  /**
   * Runs without the fence, for callers that are not the owner, with commands of one bucket, or of
   * buckets in one partition, wherever that is. The bucket's lock alone protects the gate. The
   * fence only prevents that an offset is applied twice, and here there is no offset.
   *
   * @param assumesFresh whether existing orders are not read at first
   */
  static Future<Replayed> runUnfenced(
      SqlSession session, List<Command> commands, Reach reach, boolean assumesFresh) {
    BatchTransaction unfenced =
        new BatchTransaction(session, BatchLocks.ANY_PARTITION, commands, reach, Source.PAST_LOG);
    return unfenced
        .lockBuckets()
        .compose(
            locked ->
                unfenced.locks.partition() == BatchLocks.ANY_PARTITION
                    ? Future.failedFuture("Expected a bucket of the ledger, but there is none")
                    : unfenced.replay(assumesFresh));
  }

  /** The same with commands of buckets whose SKUs sell in the ledger alone. */
  static Future<Replayed> runDirect(SqlSession session, List<Command> commands, Reach reach) {
    BatchTransaction direct =
        new BatchTransaction(session, Placement.DIRECT, commands, reach, Source.OWNER);
    return direct
        .lockBuckets()
        .compose(
            locked ->
                direct.locks.foreign().isEmpty()
                    ? direct.replay(false)
                    : Future.failedFuture(
                        "Expected direct SKUs, but got " + direct.locks.foreign()));
  }

  private static BatchTransaction of(
      SqlSession session, Step step, List<Command> commands, Reach reach) {
    Source source = step.advances() ? Source.LOG : Source.OWNER;
    return new BatchTransaction(session, step.partition(), commands, reach, source);
  }

  private Future<Outcome> run(Step step, boolean rehearses) {
    return PartitionTable.pass(session, step)
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
    if (!locks.foreign().isEmpty() && !rehearses) {
      session.undo();
      return Future.succeededFuture(Outcome.of(new Result.Foreign(Map.copyOf(locks.foreign()))));
    }
    return replay(step.advances() && !session.isRepeated()).map(BatchTransaction::outcome);
  }

  private static Outcome outcome(Replayed replayed) {
    BatchChanges changes = replayed.changes();
    return new Outcome(
        changes.applied(replayed.snapshot()),
        changes.dead(),
        changes.timeoutLagsMs(),
        changes.newOrders(),
        changes.repeated(),
        changes.bookedLagMs(replayed.snapshot().nowMs()),
        SeenCarts.in(replayed));
  }

  private Future<Replayed> replay(boolean assumeFresh) {
    return snapshot(assumeFresh)
        .map(this::replayed)
        .compose(
            first ->
                assumeFresh && !OverdueHolds.toRead(first, Set.of()).isEmpty()
                    ? snapshot(false).map(this::replayed)
                    : Future.succeededFuture(first))
        .compose(this::makingRoom)
        .compose(
            replayed ->
                Reach.missing(replayed).isNone()
                    ? new BatchWrite(session, locks, replayed.snapshot().nowMs())
                        .write(replayed.changes())
                        .map(replayed)
                    : undone(replayed));
  }

  /** Nothing is replayed if lines are missing. */
  private Replayed replayed(BatchSnapshot snapshot) {
    return new Replayed(
        snapshot,
        LedgerBatch.replay(
            snapshot, snapshot.missingLines().isEmpty() ? commands : List.of(), source));
  }

  private Future<Replayed> undone(Replayed replayed) {
    session.undo();
    return Future.succeededFuture(replayed);
  }

  /**
   * If a bucket has no room, reads holds that may be overdue and replays the batch with them:
   * ending these may make room. Past the log none are ended.
   */
  private Future<Replayed> makingRoom(Replayed first) {
    if (source == Source.PAST_LOG) {
      return Future.succeededFuture(first);
    }
    AtomicReference<Replayed> last = new AtomicReference<>(first);
    Set<BucketId> read = new HashSet<>();
    return AsyncLoop.whileTrue(
            () -> {
              Replayed before = Objects.requireNonNull(last.get());
              Set<BucketId> next = OverdueHolds.toRead(before, read);
              read.addAll(next);
              return next.isEmpty()
                  ? Future.succeededFuture(false)
                  : overdue(next)
                      .onSuccess(found -> last.set(replayed(before.snapshot().with(found))))
                      .map(true);
            })
        .map(done -> last.get());
  }

  private Future<List<Order>> overdue(Set<BucketId> buckets) {
    List<Order> overdue = new ArrayList<>();
    return AsyncLoop.forEach(
            buckets,
            bucket ->
                OrderTable.overdue(session, bucket, Demand.of(bucket.skuId(), commands))
                    .onSuccess(overdue::addAll))
        .map(overdue);
  }

  private Future<Void> lockBuckets() {
    return reach
        .lockSkus(session, commands)
        .compose(
            skus -> BucketTable.lock(session, BatchLocks.buckets(commands, reach.lines(), skus)))
        .onSuccess(rows -> locks.take(rows, commands))
        .mapEmpty();
  }

  private Future<BatchSnapshot> snapshot(boolean assumeFresh) {
    Set<OrderToken> tokens =
        assumeFresh
            ? BatchSnapshot.notFresh(commands, locks.counters())
            : BatchSnapshot.tokensOf(commands, locks.locked().keySet());
    tokens.addAll(reach.lines());
    return OrderTable.read(
            session,
            withRejects(tokens),
            new OrderTable.Leads(locks::hasRejects, locks::hasNotes, locks::isArchived))
        .compose(
            orders ->
                claims()
                    .compose(
                        claims ->
                            OrderTable.nowMs(session)
                                .map(
                                    nowMs ->
                                        new BatchSnapshot(
                                            locks.partition(),
                                            nowMs,
                                            locks.counters(),
                                            orders,
                                            claims,
                                            locks.elsewhere(),
                                            reach.skuIds()))));
  }

  /** A rejected order is in no key that its grant could violate, so it is always looked for. */
  private Set<OrderToken> withRejects(Set<OrderToken> tokens) {
    if (locks.locked().keySet().stream().noneMatch(locks::hasRejects)) {
      return tokens;
    }
    Set<OrderToken> more = new HashSet<>(tokens);
    BatchSnapshot.tokensOf(commands, locks.locked().keySet()).stream()
        .filter(token -> locks.hasRejects(token.bucketId()))
        .forEach(more::add);
    return more;
  }

  private Future<Claims> claims() {
    return session.isRepeated()
        ? OrderTable.claims(session, BatchSnapshot.claimed(commands, locks.locked().keySet()))
        : Future.succeededFuture(Claims.UNKNOWN);
  }

  /**
   * The step was committed before. The orders that exist now show which grants it booked, and what
   * became of those of the other commands.
   */
  private Future<Outcome> recall() {
    return OrderTable.readWhole(session, BatchSnapshot.tokensOf(commands))
        .map(orders -> Outcome.of(Result.Applied.before(BatchSnapshot.reserved(commands), orders)));
  }
}
