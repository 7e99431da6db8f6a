package io.sluice.ledger.mysql;

import io.sluice.async.AsyncLoop;
import io.sluice.db.SqlSession;
import io.sluice.db.SqlStatement;
import io.sluice.ledger.Fence;
import io.sluice.ledger.IdentityMismatchException;
import io.sluice.ledger.OwnerRequest.RequestKind;
import io.vertx.core.Future;
import io.vertx.sqlclient.Tuple;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/**
 * Founds a new order log in a ledger whose own one is lost. One transaction, so that a kill leaves
 * all of it or nothing. The owners do the rest, since the requests to rebuild are part of it.
 */
record LogAdoption(
    LedgerDatabase database, int partitions, String topicId, Map<Integer, Long> ends) {
  /**
   * The outcome of the transaction.
   *
   * @param refusal why nothing was changed
   */
  private record Outcome(Optional<String> refusal, List<Fence> before) {
    static Outcome refused(String why) {
      return new Outcome(Optional.of(why), List.of());
    }

    static Outcome of(List<Fence> before) {
      return new Outcome(Optional.empty(), before);
    }

    Future<List<Fence>> fences() {
      return refusal.isEmpty()
          ? Future.succeededFuture(before)
          : Future.failedFuture(new IdentityMismatchException(refusal.get()));
    }
  }

  /** The fences as they are, if {@link #run} would not be refused. */
  Future<List<Fence>> foresee() {
    return database
        .read(session -> ifPossible(session, now -> PartitionTable.all(now).map(Outcome::of)))
        .compose(Outcome::fences);
  }

  /** Returns the fences as they were. */
  Future<List<Fence>> run() {
    return database
        .read(FoundationTable::list)
        .compose(
            found ->
                refusal(found).isPresent()
                    ? Future.succeededFuture(new Outcome(refusal(found), List.of()))
                    : database.inTransaction(this::inTurn))
        .compose(Outcome::fences);
  }

  private Optional<String> refusal(Map<String, String> found) {
    String kept = found.get(FoundationTable.TOPIC_ID);
    String count = found.get(FoundationTable.PARTITIONS);
    if (kept == null || count == null) {
      return Optional.of(
          "Expected a ledger whose order log is lost, but it has none yet: start without"
              + " --adopt-log");
    }
    if (kept.equals(topicId)) {
      return Optional.of(
          "Expected an order log that is not the ledger's, to adopt it, but topic id "
              + topicId
              + " is: start without --adopt-log");
    }
    return FoundationTable.isOf(count, partitions)
        ? Optional.empty()
        : Optional.of(
            "Expected kafka.partitions %s, with which the ledger was founded, but it is %s"
                .formatted(count, FoundationTable.partitions(partitions)));
  }

  /** A second instance that adopts waits at the first row, and is then refused. */
  private Future<Outcome> inTurn(SqlSession session) {
    return FoundationTable.insert(session, Map.of(FoundationTable.TOPIC_ID, topicId))
        .compose(locked -> ifPossible(session, this::adopt));
  }

  private Future<Outcome> ifPossible(
      SqlSession session, Function<SqlSession, Future<Outcome>> next) {
    return FoundationTable.list(session)
        .compose(
            found ->
                refusal(found).isPresent()
                    ? Future.succeededFuture(new Outcome(refusal(found), List.of()))
                    : ifNobodyIsAlive(session, next));
  }

  private static Future<Outcome> ifNobodyIsAlive(
      SqlSession session, Function<SqlSession, Future<Outcome>> next) {
    long aliveMs = MySqlInstances.ALIVE_FOR.toMillis();
    return session
        .only(SqlStatement.COUNT_INSTANCES, Tuple.of(aliveMs), row -> row.getLong(0))
        .compose(
            count ->
                count == 0
                    ? next.apply(session)
                    : Future.succeededFuture(
                        Outcome.refused(
                            ("Expected no instance to run while an order log is adopted, but %d was"
                                    + " seen within %d s: end all; one that was killed is forgotten"
                                    + " after that time")
                                .formatted(count, aliveMs / 1_000))));
  }

  private Future<Outcome> adopt(SqlSession session) {
    Map<String, String> values = FoundationTable.begins(ends);
    values.put(FoundationTable.TOPIC_ID, topicId);
    return PartitionTable.all(session)
        .compose(
            before ->
                AsyncLoop.forEach(
                        values.entrySet(),
                        value -> FoundationTable.change(session, value.getKey(), value.getValue()))
                    .compose(
                        changed -> AsyncLoop.forEach(ends.entrySet(), end -> beginAt(session, end)))
                    .map(Outcome.of(before)));
  }

  /** The term rises, so that an owner of the old log can write nothing any more. */
  private static Future<Void> beginAt(SqlSession session, Map.Entry<Integer, Long> end) {
    return PartitionTable.reset(session, end.getKey(), end.getValue())
        .compose(reset -> RequestTable.askForAll(session, RequestKind.REBUILD, end.getKey()))
        .mapEmpty();
  }
}
