package io.sluice.ledger.mysql;

import io.sluice.db.SqlSession;
import io.sluice.db.SqlSession.Items;
import io.sluice.db.SqlStatement;
import io.sluice.ledger.Move.Borrow;
import io.sluice.ledger.OwnerRequest;
import io.sluice.ledger.OwnerRequest.RequestKind;
import io.sluice.ledger.rules.OutboxPayload;
import io.sluice.model.BucketId;
import io.sluice.model.Placement;
import io.sluice.model.Placement.PlacedBucket;
import io.vertx.core.Future;
import io.vertx.sqlclient.Row;
import io.vertx.sqlclient.Tuple;
import java.time.Duration;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/** Requests from instances to owners on any instance. */
final class RequestTable {
  private RequestTable() {}

  /**
   * Open requests to the owners of these partitions with an id above {@code afterId}, oldest first.
   */
  static Future<List<OwnerRequest>> open(
      SqlSession session, Collection<Integer> partitions, long afterId, int limit) {
    return session
        .selectEach(
            SqlStatement.LIST_REQUESTS,
            new Items(Tuple.of(afterId), Items.ofEach(partitions).items(), Tuple.of(limit)),
            RequestTable::request)
        .map(
            requests ->
                requests.stream()
                    .sorted(Comparator.comparingLong(OwnerRequest::id))
                    .limit(limit)
                    .toList());
  }

  private static OwnerRequest request(Row row) {
    RequestKind kind = RequestKind.valueOf(row.getString(2));
    String payload = row.getString(3);
    return new OwnerRequest(
        row.getLong(0),
        row.getInteger(1),
        kind,
        OutboxPayload.requestedBucket(payload),
        kind == RequestKind.BORROW
            ? Optional.of(OutboxPayload.borrowOf(payload))
            : Optional.empty());
  }

  /** Marks a request as served; false if it is served or closed already. */
  static Future<Boolean> serve(SqlSession session, long id) {
    return session.update(SqlStatement.SERVE_REQUEST, Tuple.of(id)).map(found -> found == 1);
  }

  /** Closes a request that was served. */
  static Future<Void> closeServed(SqlSession session, long id, String answer) {
    return session.update(SqlStatement.CLOSE_SERVED, Tuple.of(answer, id)).mapEmpty();
  }

  /**
   * Opens a request for each of these buckets if none is open, and closes those that nobody has
   * served for so long.
   *
   * @return the buckets for which nothing was opened, since their requests were closed
   */
  static Future<Set<BucketId>> borrow(
      SqlSession session, List<Borrow> borrows, Duration unservedFor, long nowMs) {
    List<Borrow> sorted =
        borrows.stream()
            .sorted(Comparator.comparing(borrow -> borrowKey(borrow.to().id())))
            .toList();
    return withdraw(session, sorted, unservedFor)
        .compose(
            withdrawn ->
                session
                    .insert(
                        SqlStatement.INSERT_REQUESTS,
                        sorted.stream()
                            .filter(borrow -> !withdrawn.contains(borrow.to().id()))
                            .map(borrow -> Asked.of(borrow).row(nowMs))
                            .toList())
                    .map(withdrawn));
  }

  private static String borrowKey(BucketId target) {
    return RequestKind.BORROW + ":" + target;
  }

  private static Future<Set<BucketId>> withdraw(
      SqlSession session, List<Borrow> borrows, Duration unservedFor) {
    List<String> keys =
        borrows.stream().map(borrow -> borrowKey(borrow.to().id())).distinct().toList();
    return session
        .selectEach(
            SqlStatement.LOCK_UNSERVED,
            Items.ofEach(keys).behind(Tuple.of(unservedFor.toMillis())),
            row -> Map.entry(row.getLong(0), OutboxPayload.borrowOf(row.getString(1)).to().id()))
        .compose(
            unserved ->
                answer(
                        session,
                        unserved.stream().map(Map.Entry::getKey).toList(),
                        OutboxPayload.refused("withdrawn"))
                    .map(
                        done ->
                            unserved.stream()
                                .map(Map.Entry::getValue)
                                .collect(Collectors.toSet())));
  }

  /** Ends requests with the same answer. */
  static Future<Void> answer(SqlSession session, Collection<Long> ids, String answer) {
    return session
        .updateEach(SqlStatement.ANSWER_REQUESTS, Items.ofEach(ids).behind(Tuple.of(answer)))
        .mapEmpty();
  }

  /** Deletes answered requests that were created before {@code beforeMs}, at most {@code limit}. */
  static Future<Integer> purge(SqlSession session, int partition, long beforeMs, int limit) {
    return session
        .select(
            SqlStatement.LIST_PURGEABLE_REQUESTS,
            Tuple.of(partition, limit, beforeMs),
            row -> row.getLong(0))
        .compose(ids -> session.updateEach(SqlStatement.DELETE_REQUESTS, Items.ofEach(ids)));
  }

  /**
   * What is asked of an owner.
   *
   * @param openKey of which one request is open at most
   */
  private record Asked(int partition, RequestKind kind, String payload, String openKey) {
    static Asked of(RequestKind kind, PlacedBucket bucket) {
      String payload = OutboxPayload.bucketJson(bucket.id()).encode();
      return new Asked(bucket.partition(), kind, payload, kind + ":" + bucket.id());
    }

    static Asked ofAll(RequestKind kind, int partition) {
      String payload = OutboxPayload.partitionJson(partition).encode();
      return new Asked(partition, kind, payload, kind + ":partition " + partition);
    }

    static Asked of(Borrow borrow) {
      String payload = OutboxPayload.write(borrow);
      int partition = borrow.from().partition();
      return new Asked(partition, RequestKind.BORROW, payload, borrowKey(borrow.to().id()));
    }

    Tuple row(long nowMs) {
      return Columns.of(partition, kind, payload, openKey, nowMs);
    }
  }

  /** The id of the open request of this kind for this bucket, which may have existed before. */
  static Future<Long> ask(SqlSession session, RequestKind kind, PlacedBucket bucket) {
    return ask(session, Asked.of(kind, bucket));
  }

  /** The id of the open request of this kind for all buckets of a partition. */
  static Future<Long> askForAll(SqlSession session, RequestKind kind, int partition) {
    return ask(session, Asked.ofAll(kind, partition));
  }

  /** Whether a request of this kind for all buckets of the partition is open. */
  static Future<Boolean> isAskedForAll(SqlSession session, RequestKind kind, int partition) {
    return open(session, Asked.ofAll(kind, partition)).map(Optional::isPresent);
  }

  private static Future<Optional<Long>> open(SqlSession session, Asked asked) {
    return session.first(
        SqlStatement.FIND_OPEN_REQUEST, Tuple.of(asked.openKey()), row -> row.getLong(0));
  }

  private static Future<Long> ask(SqlSession session, Asked asked) {
    return OrderTable.nowMs(session)
        .compose(nowMs -> session.insert(SqlStatement.INSERT_REQUESTS, List.of(asked.row(nowMs))))
        .compose(written -> open(session, asked))
        .map(Optional::orElseThrow);
  }

  /** Opens a request of this kind for each of these buckets that has an owner, and none open. */
  static Future<Void> askForEach(
      SqlSession session, RequestKind kind, List<PlacedBucket> buckets, long nowMs) {
    return session.insert(
        SqlStatement.INSERT_REQUESTS,
        buckets.stream()
            .filter(bucket -> bucket.partition() != Placement.DIRECT)
            .map(bucket -> Asked.of(kind, bucket).row(nowMs))
            .toList());
  }
}
