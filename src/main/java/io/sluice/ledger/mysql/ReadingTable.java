package io.sluice.ledger.mysql;

import io.sluice.db.SqlSession;
import io.sluice.db.SqlStatement;
import io.sluice.ledger.Fence;
import io.sluice.ledger.Reading;
import io.sluice.ledger.Reading.Looked;
import io.vertx.core.Future;
import io.vertx.sqlclient.Tuple;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** When the log of each partition could last be read, and how far its holds were looked at. */
public final class ReadingTable {
  private ReadingTable() {}

  /** The reading kept of a partition; empty if none is. */
  public static Future<Optional<Reading>> read(SqlSession session, int partition) {
    return session
        .select(
            SqlStatement.READ_READING,
            Tuple.of(partition),
            row ->
                new Reading(
                    row.getLong(0),
                    row.getLong(1),
                    row.getLong(2),
                    new Looked(row.getLong(3), row.getLong(4))))
        .map(found -> found.stream().findFirst());
  }

  /** Writes under the fence; false if the fence is lost. */
  public static Future<Boolean> keep(SqlSession session, Fence fence, Reading reading) {
    return FenceTable.holds(session, fence)
        .compose(
            mine ->
                mine
                    ? keepAlone(session, fence.partition(), reading).map(true)
                    : Future.succeededFuture(false));
  }

  /** Writes in a transaction in which nobody else writes a reading of this partition. */
  public static Future<Void> keepAlone(SqlSession session, int partition, Reading reading) {
    return session.update(SqlStatement.KEEP_READING, tuple(partition, reading)).<Void>mapEmpty();
  }

  private static Tuple tuple(int partition, Reading reading) {
    List<Object> values =
        List.of(
            reading.readAtMs(),
            reading.shiftMs(),
            reading.shiftUntilMs(),
            reading.looked().fromMs(),
            reading.looked().allAtMs());
    List<Object> parameters = new ArrayList<>();
    parameters.add(partition);
    parameters.addAll(values);
    parameters.addAll(values);
    return Tuple.wrap(parameters);
  }

  /** The longest time to pay of any SKU, in milliseconds. */
  public static Future<Long> longestWindowMs(SqlSession session) {
    return session
        .select(SqlStatement.READ_LONGEST_WINDOW, Tuple.tuple(), row -> row.getLong(0) * 1_000)
        .map(found -> found.get(0));
  }
}
