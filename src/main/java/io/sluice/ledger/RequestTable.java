package io.sluice.ledger;

import io.sluice.db.SqlSession;
import io.sluice.db.SqlSession.Items;
import io.sluice.db.SqlStatement;
import io.sluice.ledger.Ledger.OwnerRequest;
import io.sluice.ledger.Ledger.RequestKind;
import io.vertx.core.Future;
import io.vertx.sqlclient.Row;
import io.vertx.sqlclient.Tuple;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;

/** What instances ask of owners elsewhere, as the owners see it. */
final class RequestTable {
  private RequestTable() {}

  /** Open requests to the owners of these partitions with ids above that one, oldest first. */
  static Future<List<OwnerRequest>> open(
      SqlSession session, Collection<Integer> partitions, long afterId, int limit) {
    List<Tuple> numbers = partitions.stream().map(number -> Tuple.of(number)).toList();
    return session
        .selectEach(
            SqlStatement.LIST_REQUESTS,
            new Items(Tuple.of(afterId), numbers, Tuple.of(limit)),
            RequestTable::request)
        .map(
            requests ->
                requests.stream()
                    .sorted(Comparator.comparingLong(OwnerRequest::id))
                    .limit(limit)
                    .toList());
  }

  private static OwnerRequest request(Row row) {
    return new OwnerRequest(
        row.getLong(0),
        row.getInteger(1),
        RequestKind.valueOf(row.getString(2)),
        OutboxPayload.requestedBucket(row.getString(3)));
  }

  static Future<Void> answer(SqlSession session, long id, String answer) {
    return session.update(SqlStatement.ANSWER_REQUEST, Tuple.of(answer, id)).mapEmpty();
  }

  /** Deletes answered requests made before {@code beforeMs}, at most {@code limit} rows. */
  static Future<Integer> purge(SqlSession session, int partition, long beforeMs, int limit) {
    return session
        .select(
            SqlStatement.LIST_PURGEABLE_REQUESTS,
            Tuple.of(partition, limit, beforeMs),
            row -> row.getLong(0))
        .compose(
            ids ->
                session.updateEach(
                    SqlStatement.DELETE_REQUESTS,
                    Items.of(ids.stream().map(id -> Tuple.of(id)).toList())));
  }
}
