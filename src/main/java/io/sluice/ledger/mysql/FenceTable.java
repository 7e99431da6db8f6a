package io.sluice.ledger.mysql;

import io.sluice.db.SqlSession;
import io.sluice.db.SqlStatement;
import io.sluice.ledger.Bookings.Step;
import io.sluice.ledger.Fence;
import io.sluice.ledger.rules.Passage;
import io.vertx.core.Future;
import io.vertx.sqlclient.Tuple;
import java.util.List;

/**
 * The fences: who may write for a partition, and how far the log is booked. Locked before all else.
 */
final class FenceTable {
  private FenceTable() {}

  /** The fence after it was asked. */
  record Asked(Passage passage, Fence now) {}

  /** Asks the fence, and holds it until the transaction ends. */
  static Future<Asked> pass(SqlSession session, Step step) {
    Fence known = new Fence(step.partition(), step.term(), step.beginOffset());
    return step.advances()
        ? advance(session, step, known)
        : ask(session, known)
            .map(now -> new Asked(isHeld(known, now) ? Passage.PASSED : Passage.LOST, now));
  }

  /**
   * Whether this fence's term is still the partition's, and what was booked under it still is;
   * holds it until the transaction ends.
   */
  static Future<Boolean> holds(SqlSession session, Fence fence) {
    return ask(session, fence).map(now -> isHeld(fence, now));
  }

  private static boolean isHeld(Fence known, Fence now) {
    return now.term() == known.term() && !now.isBehind(known);
  }

  /**
   * A fence that is behind what its owner knows is of a ledger that was put back to an earlier
   * state, or is read from a server that is no longer the one to write to: that one fails here.
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
                            Passage.PASSED,
                            new Fence(step.partition(), step.term(), step.endOffset())))
                    : ask(session, known).map(now -> new Asked(refused(step, now), now)));
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

  /** Raises the term above what was seen, and so ends the right of whoever had it. */
  static Future<Fence> takeOver(SqlSession session, int partition, long termSeen) {
    return session
        .update(
            SqlStatement.RAISE_TERM,
            Tuple.of(partition, termSeen + 1, String.valueOf(partition), termSeen + 1))
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
