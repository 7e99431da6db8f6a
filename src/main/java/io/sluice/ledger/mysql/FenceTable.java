package io.sluice.ledger.mysql;

import io.sluice.db.SqlSession;
import io.sluice.db.SqlStatement;
import io.sluice.ledger.Fence;
import io.sluice.ledger.Step;
import io.sluice.ledger.rules.FenceCheck;
import io.vertx.core.Future;
import io.vertx.sqlclient.Tuple;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * The fences: which term may write for a partition, and up to which offset its log is booked.
 * Locked before everything else.
 */
public final class FenceTable {
  private FenceTable() {}

  /** The result of checking the fence, and the fence as it is now. */
  public record Asked(FenceCheck passage, Fence now) {}

  /** Checks the fence, or advances it, and locks it until the transaction ends. */
  public static Future<Asked> pass(SqlSession session, Step step) {
    Fence known = new Fence(step.partition(), step.term(), step.beginOffset());
    return step.advances()
        ? advance(session, step, known)
        : ask(session, known)
            .map(now -> new Asked(isHeld(known, now) ? FenceCheck.PASSED : FenceCheck.LOST, now));
  }

  /**
   * Whether the partition still has this fence's term and at least its offset; locks the fence
   * until the transaction ends.
   */
  public static Future<Boolean> holds(SqlSession session, Fence fence) {
    return ask(session, fence).map(now -> isHeld(fence, now));
  }

  private static boolean isHeld(Fence known, Fence now) {
    return now.term() == known.term() && !now.isBehind(known);
  }

  /**
   * Reads and locks the fence. A fence older than the one that its owner knows means that the
   * ledger was restored to an earlier state, or that this server is no longer the primary. The
   * write to the row makes the call fail on the latter.
   */
  private static Future<Fence> ask(SqlSession session, Fence known) {
    return lock(session, known.partition())
        .compose(
            now ->
                now.isBehind(known)
                    ? session.update(SqlStatement.TOUCH_FENCE, Tuple.of(known.partition())).map(now)
                    : Future.succeededFuture(now));
  }

  private static Future<Asked> advance(SqlSession session, Step step, Fence known) {
    return session
        .update(
            SqlStatement.ADVANCE_FENCE,
            Tuple.of(step.endOffset(), step.partition(), step.term(), step.beginOffset()))
        .compose(
            found ->
                found == 1
                    ? Future.succeededFuture(
                        new Asked(
                            FenceCheck.PASSED,
                            new Fence(step.partition(), step.term(), step.endOffset())))
                    : ask(session, known).map(now -> new Asked(refused(step, now), now)));
  }

  private static FenceCheck refused(Step step, Fence now) {
    boolean mine = now.term() == step.term();
    return mine && now.nextOffset() == step.endOffset() ? FenceCheck.ALREADY : FenceCheck.LOST;
  }

  private static Future<Fence> lock(SqlSession session, int partition) {
    return session
        .select(SqlStatement.LOCK_FENCE, Tuple.of(partition), LedgerRows::fence)
        .map(fences -> fences.isEmpty() ? new Fence(partition, 0, 0) : fences.get(0));
  }

  /** Raises the term above every term seen, so that the previous owner loses the fence. */
  public static Future<Fence> takeOver(SqlSession session, int partition, long termSeen) {
    return session
        .update(
            SqlStatement.RAISE_TERM,
            Tuple.of(partition, termSeen + 1, String.valueOf(partition), termSeen + 1))
        .compose(raised -> lock(session, partition));
  }

  /** Takes a partition over at an offset that an operator chose. */
  public static Future<Fence> reset(SqlSession session, int partition, long nextOffset) {
    return session
        .update(SqlStatement.RESET_FENCE, Tuple.of(partition, nextOffset, nextOffset))
        .compose(raised -> lock(session, partition));
  }

  /**
   * Skips records that can no longer be read, unless the fence has moved meanwhile. Raises the
   * term, so that the owner starts again.
   */
  public static Future<Boolean> skip(SqlSession session, int partition, long from, long to) {
    return lock(session, partition)
        .compose(
            now ->
                now.nextOffset() == from && now.term() > 0
                    ? reset(session, partition, to).map(true)
                    : Future.succeededFuture(false));
  }

  /** The fences of all partitions. */
  public static Future<List<Fence>> all(SqlSession session) {
    return session.select(SqlStatement.LIST_FENCES, Tuple.tuple(), LedgerRows::fence);
  }

  /** The same by the numbers of their partitions. */
  public static Future<Map<Integer, Fence>> byPartition(SqlSession session) {
    return all(session)
        .map(
            fences ->
                fences.stream().collect(Collectors.toMap(Fence::partition, Function.identity())));
  }
}
