package io.sluice.ledger.mysql;

import io.sluice.db.SqlSession;
import io.sluice.db.SqlSession.Items;
import io.sluice.db.SqlStatement;
import io.sluice.ledger.DirectLedger.NumberedEvent;
import io.sluice.ledger.rules.DirectGate;
import io.sluice.ledger.rules.DirectGate.Holder;
import io.sluice.model.BucketId;
import io.sluice.model.Order;
import io.sluice.model.SkuState;
import io.vertx.core.Future;
import io.vertx.sqlclient.Row;
import io.vertx.sqlclient.Tuple;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The rows that only SKUs need that sell in the ledger alone. */
public final class DirectTable {
  /** The tasks that instances do in turn; the names of the rows. */
  public enum Duty {
    EVENTS,
    MARKS,
    READING
  }

  private DirectTable() {}

  /** A SKU, read while buckets of it are locked, and the database's clock then. */
  public record DirectSku(DirectGate.State state, long nowMs) {}

  /** The SKU, which exists, as it decides requests for these of its buckets, which are locked. */
  public static Future<DirectSku> sku(
      SqlSession session, long skuId, Collection<BucketId> buckets) {
    Map<BucketId, Long> seqs = new HashMap<>();
    return session
        .selectEach(
            SqlStatement.READ_DIRECT_SKU,
            new Items(
                Tuple.of(skuId, skuId, skuId),
                buckets.stream().map(id -> Tuple.of(id.bucket())).toList(),
                Tuple.tuple()),
            row -> {
              seqs.put(new BucketId(skuId, row.getInteger(5)), row.getLong(6));
              return row;
            })
        .map(rows -> rows.get(0))
        .map(
            row ->
                new DirectSku(
                    new DirectGate.State(
                        SkuState.valueOf(row.getString(0)),
                        LedgerRows.settings(row.getString(1)),
                        row.getLong(2),
                        row.getLong(3),
                        seqs),
                    row.getLong(4)));
  }

  /** The units that these buyers have in the current sale; those who have none are left out. */
  public static Future<Map<Holder, Long>> units(SqlSession session, Collection<Holder> holders) {
    Map<Holder, Long> units = new HashMap<>();
    return session
        .selectEach(
            SqlStatement.SUM_DIRECT_HOLDS,
            Items.of(
                holders.stream()
                    .map(
                        each ->
                            Tuple.of(each.bucket().skuId(), each.bucket().bucket(), each.userId()))
                    .toList()),
            row -> units.put(new Holder(bucket(row), row.getString(2)), row.getLong(3)))
        .map(units);
  }

  private static BucketId bucket(Row row) {
    return new BucketId(row.getLong(0), row.getInteger(1));
  }

  /** Notes by whom new holds are. */
  public static Future<Void> insert(SqlSession session, List<Order> booked) {
    return session.insert(
        SqlStatement.INSERT_DIRECT_HOLDS,
        booked.stream()
            .map(
                order ->
                    Tuple.of(
                        order.token().skuId(),
                        order.token().bucket(),
                        order.userId(),
                        order.epoch(),
                        order.seq()))
            .toList());
  }

  /** Forgets some buyers of a bucket that ends; returns how many of its holds had one. */
  public static Future<Integer> forget(SqlSession session, BucketId id, int max) {
    return session.update(SqlStatement.DELETE_DIRECT_HOLDS, Tuple.of(id.skuId(), id.bucket(), max));
  }

  /** The value of a duty, which is locked until the transaction ends. */
  public static Future<Long> lock(SqlSession session, Duty duty) {
    return session
        .select(SqlStatement.LOCK_DUTY, Tuple.of(duty.name()), row -> row.getLong(0))
        .map(values -> values.get(0));
  }

  /** Writes the value of a locked duty. */
  public static Future<Void> update(SqlSession session, Duty duty, long value) {
    return session.updateOne(SqlStatement.UPDATE_DUTY, Tuple.of(value, duty.name()));
  }

  // ---- numbered events

  /** Appends events with the numbers after {@code last}. */
  public static Future<Void> append(
      SqlSession session, long last, List<String> payloads, long nowMs) {
    List<Tuple> rows = new ArrayList<>(payloads.size());
    for (int i = 0; i < payloads.size(); i++) {
      rows.add(Tuple.of(last + 1 + i, payloads.get(i), nowMs));
    }
    return session.insert(SqlStatement.INSERT_DIRECT_EVENTS, rows);
  }

  /** The next events. */
  public static Future<List<NumberedEvent>> events(SqlSession session, long after, int limit) {
    return session.select(
        SqlStatement.LIST_DIRECT_EVENTS,
        Tuple.of(after, limit),
        row -> new NumberedEvent(row.getLong(0), row.getString(1)));
  }

  /** Deletes the oldest events, if they are numbered before this time; returns how many. */
  public static Future<Integer> purge(SqlSession session, long beforeMs, int limit) {
    return session
        .select(
            SqlStatement.LIST_PURGEABLE_EVENTS,
            Tuple.of(limit, beforeMs),
            row -> Optional.ofNullable(row.getLong(0)))
        .compose(
            last ->
                last.get(0).isEmpty()
                    ? Future.succeededFuture(0)
                    : session.update(
                        SqlStatement.DELETE_DIRECT_EVENTS, Tuple.of(last.get(0).get())));
  }
}
