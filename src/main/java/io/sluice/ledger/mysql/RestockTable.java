package io.sluice.ledger.mysql;

import io.sluice.db.SqlSession;
import io.sluice.db.SqlSession.Items;
import io.sluice.db.SqlStatement;
import io.sluice.ledger.StockTxn;
import io.sluice.ledger.rules.OutboxPayload;
import io.sluice.ledger.rules.RestockPlan;
import io.sluice.ledger.rules.RestockPlan.Part;
import io.sluice.ledger.rules.RestockPlan.PartStatus;
import io.sluice.ledger.rules.RestockPlan.Restock;
import io.sluice.model.BucketId;
import io.vertx.core.Future;
import io.vertx.sqlclient.Tuple;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.ToLongFunction;

/** The restocks, and the parts of take-backs. Read and written while their SKU is locked. */
final class RestockTable {
  private RestockTable() {}

  /** The id of a take-back of a locked SKU that is under way. */
  static Future<Optional<String>> working(SqlSession session, long skuId) {
    return session.first(SqlStatement.FIND_RESTOCKING, Tuple.of(skuId), row -> row.getString(0));
  }

  /** A restock; empty if this id is new. */
  static Future<Optional<Restock>> read(SqlSession session, long skuId, String restockId) {
    return session.first(
        SqlStatement.READ_RESTOCK, Tuple.of(skuId, restockId), Columns.to(Restock.class));
  }

  /**
   * Appends the changes of allotments.
   *
   * @param writeOf the number of the write of each bucket that this is part of
   */
  static Future<Void> append(
      SqlSession session, List<StockTxn> rows, ToLongFunction<BucketId> writeOf, long nowMs) {
    List<Tuple> values =
        rows.stream()
            .map(
                row ->
                    Tuple.of(
                        row.bucket().skuId(),
                        row.token(),
                        row.bucket().bucket(),
                        row.qty(),
                        nowMs,
                        writeOf.applyAsLong(row.bucket())))
            .toList();
    return session.insert(SqlStatement.INSERT_RESTOCK_ROWS, values);
  }

  /** A row of units that have left a bucket for others, or come from one. */
  private record Moved(String token, int bucket, long units, long createdAtMs, long writeNo) {
    Moved asSum() {
      return new Moved(RestockPlan.movesToken(bucket), bucket, units, createdAtMs, writeNo);
    }

    Moved plus(Moved other) {
      return new Moved(
          token,
          bucket,
          units + other.units,
          Math.max(createdAtMs, other.createdAtMs),
          Math.max(writeNo, other.writeNo));
    }
  }

  /**
   * Puts one row for each bucket in the place of the next rows of moves, so the sums of each bucket
   * stay the same. The SKU must be locked; a booking may append further rows meanwhile.
   *
   * @return how many rows it took the place of
   */
  static Future<Integer> foldMoves(SqlSession session, long skuId, int rowsMax) {
    return session
        .select(SqlStatement.LIST_MOVED_UNITS, Tuple.of(skuId, rowsMax), Columns.to(Moved.class))
        .compose(page -> fold(session, skuId, page));
  }

  private static Future<Integer> fold(SqlSession session, long skuId, List<Moved> page) {
    Map<Integer, Moved> sums = new TreeMap<>();
    page.forEach(row -> sums.merge(row.bucket(), row.asSum(), Moved::plus));
    List<Tuple> rows = sums.values().stream().map(sum -> Columns.of(skuId, sum)).toList();
    Items tokens = Items.ofEach(page.stream().map(Moved::token).toList()).behind(Tuple.of(skuId));
    return session
        .insert(SqlStatement.ADD_MOVED_UNITS, rows)
        .compose(added -> session.updateEach(SqlStatement.DELETE_MOVED_UNITS, tokens))
        .compose(
            deleted -> SqlSession.expectRows(SqlStatement.DELETE_MOVED_UNITS, page.size(), deleted))
        .map(page.size());
  }

  /** Adds a restock. */
  static Future<Void> insert(SqlSession session, long skuId, String restockId, Restock restock) {
    Tuple row =
        Tuple.of(skuId, restockId, restock.qty(), restock.status().name(), restock.unsold());
    return session.insert(SqlStatement.INSERT_RESTOCK, List.of(row));
  }

  /** Changes a restock. */
  static Future<Void> update(SqlSession session, long skuId, String restockId, Restock restock) {
    return session.updateOne(
        SqlStatement.UPDATE_RESTOCK,
        Tuple.of(restock.status().name(), restock.rounds(), restock.unsold(), skuId, restockId));
  }

  /** Adds the parts of a reduction, one for each bucket. */
  static Future<Void> insertParts(
      SqlSession session, long skuId, String restockId, int round, Map<Integer, Long> units) {
    List<Tuple> rows =
        units.entrySet().stream()
            .map(part -> Tuple.of(skuId, restockId, part.getKey(), round, part.getValue()))
            .toList();
    return session.insert(SqlStatement.INSERT_RESTOCK_PARTS, rows);
  }

  /** The parts of a reduction. */
  static Future<List<Part>> parts(SqlSession session, long skuId, String restockId) {
    return session.select(
        SqlStatement.LIST_RESTOCK_PARTS, Tuple.of(skuId, restockId), Columns.to(Part.class));
  }

  /** Ends a part with what was taken. */
  static Future<Void> endPart(SqlSession session, OutboxPayload.Take take, PartStatus status) {
    return session.updateOne(
        SqlStatement.END_RESTOCK_PART,
        Tuple.of(
            status.name(),
            take.bucket().skuId(),
            take.restockId(),
            take.bucket().bucket(),
            take.round()));
  }
}
