package io.sluice.ledger.mysql;

import io.sluice.async.AsyncLoop;
import io.sluice.db.SqlSession;
import io.sluice.db.SqlSession.Items;
import io.sluice.db.SqlStatement;
import io.sluice.ledger.Fence;
import io.sluice.ledger.Ledger.Glance;
import io.sluice.ledger.OutboxRow.OutboxKind;
import io.sluice.ledger.Reading;
import io.sluice.ledger.Step;
import io.sluice.ledger.rules.FenceCheck;
import io.vertx.core.Future;
import io.vertx.sqlclient.Row;
import io.vertx.sqlclient.Tuple;
import java.util.Collection;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Collectors;

/**
 * What is kept of each partition. The fence: which term may write for it, and up to which offset
 * its log is booked; locked before everything else. When its log could last be read, and how far
 * its holds were looked at.
 */
final class PartitionTable {
  private PartitionTable() {}

  /** The result of checking a fence, and the fence as it is now. */
  record Asked(FenceCheck passage, Fence now) {}

  /** Checks the fences of these steps, and locks them until the transaction ends; by partition. */
  static Future<Map<Integer, Asked>> check(SqlSession session, Collection<Step> steps) {
    List<Integer> partitions = steps.stream().map(Step::partition).sorted().toList();
    return session
        .selectEach(SqlStatement.LOCK_FENCES, Items.ofEach(partitions), PartitionTable::fence)
        .map(PartitionTable::byPartition)
        .compose(
            found -> {
              Map<Integer, Asked> asked = new HashMap<>();
              for (Step step : steps) {
                Fence now = found.getOrDefault(step.partition(), none(step.partition()));
                asked.put(step.partition(), new Asked(FenceCheck.of(step, now), now));
              }
              return AsyncLoop.forEach(asked.values(), one -> expectPrimary(session, one))
                  .map(asked);
            });
  }

  /**
   * A fence that the owner does not expect may be that of a server that is no longer the primary.
   * The write to the row makes the call fail there.
   */
  private static Future<?> expectPrimary(SqlSession session, Asked asked) {
    return asked.passage() == FenceCheck.PASSED
        ? Future.succeededFuture()
        : touch(session, asked.now());
  }

  private static Future<?> touch(SqlSession session, Fence fence) {
    return session.update(SqlStatement.TOUCH_FENCE, Tuple.of(fence.partition()));
  }

  private static Fence none(int partition) {
    return new Fence(partition, 0, 0);
  }

  /** Advances the fences of these steps, which have passed. */
  static Future<Void> advance(SqlSession session, List<Step> steps) {
    return session.updateRows(
        SqlStatement.ADVANCE_FENCES,
        steps.stream()
            .<Tuple>map(
                step ->
                    Tuple.of(step.partition(), step.term(), step.beginOffset(), step.endOffset()))
            .toList());
  }

  /**
   * Does this while the fence is held, which is locked until the transaction ends.
   *
   * @param lost the result if it is lost
   */
  static <T> Future<T> under(SqlSession session, Fence fence, T lost, Supplier<Future<T>> work) {
    return holds(session, fence).compose(mine -> mine ? work.get() : Future.succeededFuture(lost));
  }

  /**
   * Whether the partition still has this fence's term and at least its offset; locks the fence
   * until the transaction ends.
   */
  static Future<Boolean> holds(SqlSession session, Fence fence) {
    return lock(session, fence.partition())
        .compose(
            now ->
                now.keeps(fence) ? Future.succeededFuture(true) : touch(session, now).map(false));
  }

  private static Future<Fence> lock(SqlSession session, int partition) {
    return session
        .select(SqlStatement.LOCK_FENCE, Tuple.of(partition), PartitionTable::fence)
        .map(fences -> fences.isEmpty() ? none(partition) : fences.get(0));
  }

  /** Raises the term above every term seen, so that the previous owner loses the fence. */
  static Future<Fence> takeOver(SqlSession session, int partition, long termSeen) {
    return session
        .update(
            SqlStatement.RAISE_TERM,
            Tuple.of(partition, termSeen + 1, String.valueOf(partition), termSeen + 1))
        .compose(raised -> lock(session, partition));
  }

  /** Takes a partition over at an offset that an operator chose. */
  static Future<Fence> reset(SqlSession session, int partition, long nextOffset) {
    return session
        .update(SqlStatement.RESET_FENCE, Tuple.of(partition, nextOffset, nextOffset))
        .compose(raised -> lock(session, partition));
  }

  /**
   * Skips records that can no longer be read, unless the fence has moved meanwhile. Raises the
   * term, so that the owner starts again.
   */
  static Future<Boolean> skip(SqlSession session, int partition, long from, long to) {
    return lock(session, partition)
        .compose(
            now ->
                now.nextOffset() == from && now.term() > 0
                    ? reset(session, partition, to).map(true)
                    : Future.succeededFuture(false));
  }

  /** The fences of all partitions. */
  static Future<List<Fence>> all(SqlSession session) {
    return session.select(SqlStatement.LIST_FENCES, Tuple.tuple(), PartitionTable::fence);
  }

  /** The same by the numbers of their partitions. */
  static Future<Map<Integer, Fence>> byPartition(SqlSession session) {
    return all(session).map(PartitionTable::byPartition);
  }

  private static Map<Integer, Fence> byPartition(List<Fence> fences) {
    // Of a chunk that is padded, the last one is read more than once.
    return fences.stream()
        .collect(Collectors.toMap(Fence::partition, Function.identity(), (one, same) -> one));
  }

  static Fence fence(Row row) {
    return new Fence(row.getInteger(0), row.getLong(1), row.getLong(2));
  }

  // ---- glances

  /** In the order of the statement's columns. */
  private static final List<OutboxKind> KINDS =
      List.of(OutboxKind.EVENT, OutboxKind.RELEASE, OutboxKind.RESTOCK, OutboxKind.DEAD);

  private static final int FIRST_KIND = 4;

  /** By the number of the partition; those that never had an owner are missing. */
  static Future<Map<Integer, Glance>> glances(SqlSession session) {
    return session
        .select(SqlStatement.LIST_GLANCES, Tuple.tuple(), PartitionTable::glance)
        .map(
            rows ->
                rows.stream()
                    .collect(
                        Collectors.toMap(
                            glance -> glance.fence().orElseThrow().partition(),
                            Function.identity())));
  }

  private static Glance glance(Row row) {
    Set<OutboxKind> pending = EnumSet.noneOf(OutboxKind.class);
    for (int i = 0; i < KINDS.size(); i++) {
      if (row.getLong(FIRST_KIND + i) != 0) {
        pending.add(KINDS.get(i));
      }
    }
    return new Glance(row.getLong(3), Optional.of(fence(row)), pending);
  }

  // ---- readings

  /** The reading kept of a partition; empty if none is. */
  static Future<Optional<Reading>> reading(SqlSession session, int partition) {
    return session.first(SqlStatement.READ_READING, Tuple.of(partition), Columns.to(Reading.class));
  }

  /** Writes under the fence; false if the fence is lost. */
  static Future<Boolean> keepReading(SqlSession session, Fence fence, Reading reading) {
    return under(
        session,
        fence,
        false,
        () -> keepReadingAlone(session, fence.partition(), reading).map(true));
  }

  /** Writes in a transaction in which nobody else writes a reading of this partition. */
  static Future<Void> keepReadingAlone(SqlSession session, int partition, Reading reading) {
    return session
        .update(SqlStatement.KEEP_READING, Columns.of(partition, reading, reading))
        .<Void>mapEmpty();
  }
}
