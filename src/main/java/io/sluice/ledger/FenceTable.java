package io.sluice.ledger;

import io.sluice.db.SqlSession;
import io.sluice.db.SqlStatement;
import io.sluice.ledger.Ledger.Step;
import io.vertx.core.Future;
import io.vertx.sqlclient.Tuple;
import java.util.List;

/**
 * The fences: who may write for a partition, and how far the log is booked. Locked before all else.
 */
final class FenceTable {
  private FenceTable() {}

  /** What the fence says to a step. */
  enum Passage {
    PASSED,
    /** The same step was committed before; its reply was lost. */
    ALREADY,
    LOST
  }

  /** The fence after it was asked. */
  record Asked(Passage passage, Fence now) {}

  /** Asks the fence, and holds it until the transaction ends. */
  static Future<Asked> pass(SqlSession session, Step step) {
    return step.advances()
        ? advance(session, step)
        : lock(session, step.partition())
            .map(now -> new Asked(now.term() == step.term() ? Passage.PASSED : Passage.LOST, now));
  }

  /** Whether this fence's term is still the partition's; holds it until the transaction ends. */
  static Future<Boolean> holds(SqlSession session, Fence fence) {
    return lock(session, fence.partition()).map(now -> now.term() == fence.term());
  }

  private static Future<Asked> advance(SqlSession session, Step step) {
    return session
        .update(
            SqlStatement.ADVANCE_FENCE,
            Tuple.of(step.endOffset(), step.partition(), step.term(), step.beginOffset()))
        .compose(
            found ->
                found == 1
                    ? Future.succeededFuture(
                        new Asked(
                            Passage.PASSED,
                            new Fence(step.partition(), step.term(), step.endOffset())))
                    : lock(session, step.partition())
                        .map(now -> new Asked(refused(step, now), now)));
  }

  private static Passage refused(Step step, Fence now) {
    boolean mine = now.term() == step.term();
    return mine && now.nextOffset() == step.endOffset() ? Passage.ALREADY : Passage.LOST;
  }

  private static Future<Fence> lock(SqlSession session, int partition) {
    return session
        .select(SqlStatement.LOCK_FENCE, Tuple.of(partition), LedgerRows::fence)
        .map(fences -> fences.isEmpty() ? new Fence(partition, 0, 0) : fences.get(0));
  }

  /** Raises the term, and so ends the right of whoever had it. */
  static Future<Fence> takeOver(SqlSession session, int partition) {
    return session
        .update(SqlStatement.RAISE_TERM, Tuple.of(partition, String.valueOf(partition)))
        .compose(raised -> lock(session, partition));
  }

  static Future<Fence> reset(SqlSession session, int partition, long nextOffset) {
    return session
        .update(SqlStatement.RESET_FENCE, Tuple.of(partition, nextOffset, nextOffset))
        .compose(raised -> lock(session, partition));
  }

  /**
   * Passes records that nobody can read any more, unless the fence has moved meanwhile; raises the
   * term, so that the owner begins anew.
   */
  static Future<Boolean> skip(SqlSession session, int partition, long from, long to) {
    return lock(session, partition)
        .compose(
            now ->
                now.nextOffset() == from && now.term() > 0
                    ? reset(session, partition, to).map(true)
                    : Future.succeededFuture(false));
  }

  static Future<List<Fence>> all(SqlSession session) {
    return session.select(SqlStatement.LIST_FENCES, Tuple.tuple(), LedgerRows::fence);
  }
}
