package io.sluice.ledger.mysql;

import io.sluice.db.Database;
import io.sluice.db.SqlStatement;
import io.sluice.ledger.SaleCounts;
import io.vertx.core.Future;
import io.vertx.core.json.JsonObject;
import io.vertx.sqlclient.Row;
import io.vertx.sqlclient.Tuple;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The counts of instances, in MySQL or MariaDB. Each call is one or two statements. */
public final class MySqlSaleCounts implements SaleCounts {
  private final LedgerDatabase database;

  /**
   * @param lookups connections that owners do not wait for
   */
  public MySqlSaleCounts(Database lookups) {
    this.database = new LedgerDatabase(lookups);
  }

  @Override
  public Future<Void> keep(List<Interval> intervals) {
    List<Tuple> rows =
        intervals.stream()
            .map(
                one ->
                    Tuple.of(
                        one.saleId(),
                        one.beganMs(),
                        one.instanceId(),
                        one.lengthMs(),
                        json(one.counts())))
            .toList();
    return database.read(session -> session.insert(SqlStatement.KEEP_SALE_COUNTS, rows));
  }

  @Override
  public Future<Void> keepIncidents(List<Incident> incidents) {
    List<Tuple> rows =
        incidents.stream()
            .map(
                one ->
                    Tuple.of(
                        one.firstMs(),
                        one.instanceId(),
                        one.alarm(),
                        one.lastMs(),
                        one.times(),
                        one.text()))
            .toList();
    return database.read(session -> session.insert(SqlStatement.KEEP_INCIDENTS, rows));
  }

  @Override
  public Future<List<Interval>> intervals(String saleId, long afterMs, String afterInstanceId) {
    return database.read(
        session ->
            session.select(
                SqlStatement.LIST_SALE_COUNTS,
                Tuple.of(saleId, afterMs, afterMs, afterInstanceId, ROWS_MAX),
                row -> interval(saleId, row)));
  }

  private static Interval interval(String saleId, Row row) {
    return new Interval(
        saleId,
        row.getLong(0),
        row.getString(1),
        row.getLong(2),
        counts(new JsonObject(row.getString(3))));
  }

  @Override
  public Future<List<Incident>> incidents(long fromMs, long untilMs) {
    return database.read(
        session ->
            session.select(
                SqlStatement.LIST_INCIDENTS,
                Tuple.of(fromMs, untilMs, ROWS_MAX),
                row ->
                    new Incident(
                        row.getLong(0),
                        row.getString(1),
                        row.getString(2),
                        row.getLong(3),
                        row.getLong(4),
                        row.getString(5))));
  }

  @Override
  public Future<Boolean> forget(long beforeMs) {
    Tuple before = Tuple.of(beforeMs, ROWS_MAX);
    return database
        .read(session -> session.update(SqlStatement.DELETE_SALE_COUNTS, before))
        .compose(
            counts ->
                database
                    .read(session -> session.update(SqlStatement.DELETE_INCIDENTS, before))
                    .map(incidents -> Math.max(counts, incidents) < ROWS_MAX));
  }

  // ---- the JSON of a row

  private static String json(Counts counts) {
    JsonObject granted = new JsonObject();
    counts.granted().forEach((withinMs, count) -> granted.put(String.valueOf(withinMs), count));
    JsonObject refused = new JsonObject();
    counts.refused().forEach(refused::put);
    return new JsonObject().put("refused", refused).put("granted", granted).encode();
  }

  private static Counts counts(JsonObject json) {
    Map<String, Long> refused = new HashMap<>();
    json.getJsonObject("refused", new JsonObject())
        .forEach(each -> refused.put(each.getKey(), ((Number) each.getValue()).longValue()));
    Map<Long, Long> granted = new HashMap<>();
    json.getJsonObject("granted", new JsonObject())
        .forEach(
            each ->
                granted.put(Long.valueOf(each.getKey()), ((Number) each.getValue()).longValue()));
    return new Counts(refused, granted);
  }
}
