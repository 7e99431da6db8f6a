package io.sluice.ledger.mysql;

import io.sluice.db.SqlSession;
import io.sluice.db.SqlSession.Items;
import io.sluice.db.SqlStatement;
import io.sluice.model.Placement;
import io.sluice.model.Sku;
import io.sluice.model.Sku.Membership;
import io.sluice.model.SkuState;
import io.vertx.core.Future;
import io.vertx.core.json.JsonObject;
import io.vertx.sqlclient.Row;
import io.vertx.sqlclient.Tuple;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.IntStream;

/** The SKUs. Locked after the fence and before the buckets. */
final class SkuTable {
  private static final int FREEZE_REASON_MAX = 512;

  private SkuTable() {}

  /** Reads and locks a SKU; empty if there is none. */
  static Future<Optional<Sku>> lock(SqlSession session, long skuId) {
    return first(session, SqlStatement.LOCK_SKU, skuId);
  }

  /** Reads a SKU and keeps it as it is, for a transaction that does not change it. */
  static Future<Optional<Sku>> share(SqlSession session, long skuId) {
    return first(session, SqlStatement.SHARE_SKU, skuId);
  }

  /**
   * Reads and locks those that exist among these SKUs.
   *
   * @param skuIds in rising order, to avoid deadlocks
   */
  static Future<List<Sku>> lockEach(SqlSession session, List<Long> skuIds) {
    return session.selectEach(SqlStatement.LOCK_SKUS, Items.ofEach(skuIds), SkuTable::sku);
  }

  /** The SKUs that exist among these, in no order. */
  static Future<List<Sku>> read(SqlSession session, Collection<Long> skuIds) {
    return session.selectEach(SqlStatement.READ_SKUS, Items.ofEach(skuIds), SkuTable::sku);
  }

  private static Future<Optional<Sku>> first(
      SqlSession session, SqlStatement statement, long skuId) {
    return session.first(statement, Tuple.of(skuId), SkuTable::sku);
  }

  /** Adds SKUs. */
  static Future<Void> insert(SqlSession session, List<Sku> skus) {
    return session.insert(
        SqlStatement.INSERT_SKUS,
        skus.stream()
            .map(
                sku ->
                    Columns.of(
                        sku.skuId(),
                        sku.totalStock(),
                        sku.settings(),
                        sku.state(),
                        sku.firstStock(),
                        sku.buckets(),
                        sku.mode(),
                        sku.thawedState(),
                        sku.saleNo(),
                        sku.membership().saleId(),
                        sku.membership().frozenBySale(),
                        sku.membership().taken()))
            .toList());
  }

  /** Changes a SKU. */
  static Future<Void> update(SqlSession session, Sku sku) {
    return session.updateOne(
        SqlStatement.UPDATE_SKU,
        Columns.of(
            sku.totalStock(),
            sku.settings(),
            sku.state(),
            sku.thawedState(),
            sku.membership().frozenBySale(),
            sku.membership().taken(),
            sku.skuId()));
  }

  /** Changes settings and states of SKUs that are locked. */
  static Future<Void> updateEach(SqlSession session, List<Sku> skus) {
    return session.updateRows(
        SqlStatement.UPDATE_SKUS,
        skus.stream()
            .map(
                sku ->
                    Columns.of(
                        sku.skuId(),
                        sku.settings(),
                        sku.state(),
                        sku.thawedState(),
                        sku.membership().frozenBySale(),
                        sku.membership().taken()))
            .toList());
  }

  /** Puts SKUs, which are locked and have ended, into their next sale. */
  static Future<Void> rejoin(SqlSession session, List<Sku> skus) {
    return session.updateRows(
        SqlStatement.REJOIN_SKUS,
        skus.stream()
            .map(
                sku ->
                    Columns.of(
                        sku.skuId(),
                        sku.firstStock(),
                        sku.totalStock(),
                        sku.settings(),
                        sku.state(),
                        sku.thawedState(),
                        sku.saleNo(),
                        sku.membership().saleId(),
                        sku.membership().frozenBySale(),
                        sku.membership().taken()))
            .toList());
  }

  /**
   * Those of the first SKUs that are in a later sale than their first one, and all of the others,
   * locked. Orders of earlier sales may change the totals of the first.
   */
  static Future<List<Sku>> lockRejoined(
      SqlSession session, Collection<Long> skuIds, Collection<Long> all) {
    return rejoined(session, skuIds)
        .compose(
            found -> {
              Set<Long> ids = new TreeSet<>(all);
              ids.addAll(found);
              return ids.isEmpty()
                  ? Future.succeededFuture(List.of())
                  : lockEach(session, List.copyOf(ids));
            });
  }

  private static Future<List<Long>> rejoined(SqlSession session, Collection<Long> skuIds) {
    return skuIds.isEmpty()
        ? Future.succeededFuture(List.of())
        : session.selectEach(
            SqlStatement.LIST_REJOINED_SKUS, Items.ofEach(skuIds), row -> row.getLong(0));
  }

  /** Lowers the total of a SKU whose allotments have fallen by as many units. */
  static Future<Void> lowerTotal(SqlSession session, long skuId, long units) {
    return session.updateOne(SqlStatement.LOWER_TOTAL, Tuple.of(units, skuId));
  }

  /** Notes why a SKU is frozen. */
  static Future<Void> noteFreeze(SqlSession session, long skuId, String why) {
    String cut = why.substring(0, Math.min(why.length(), FREEZE_REASON_MAX));
    return session.updateOne(SqlStatement.NOTE_FREEZE, Tuple.of(cut, skuId));
  }

  /** A row of SKUs. */
  static Sku sku(Row row) {
    return new Sku(
        row.getLong(0),
        row.getLong(1),
        row.getLong(2),
        row.getInteger(3),
        Sku.Mode.valueOf(row.getString(4)),
        Columns.settings(row.getString(5)),
        SkuState.valueOf(row.getString(6)),
        SkuState.valueOf(row.getString(7)),
        placement(row.getInteger(3), new JsonObject(row.getString(8))),
        membership(row));
  }

  private static Membership membership(Row row) {
    long saleNo = row.getLong(9);
    return saleNo == 0
        ? Membership.NONE
        : new Membership(
            saleNo, row.getString(10), row.getInteger(11) != 0, row.getLong(12), row.getLong(13));
  }

  private static Placement placement(int buckets, JsonObject partitions) {
    return new Placement(
        IntStream.range(0, buckets)
            .mapToObj(bucket -> partitions.getInteger(Integer.toString(bucket)))
            .toList());
  }

  /** The longest time to pay of any SKU, in milliseconds. */
  static Future<Long> longestWindowMs(SqlSession session) {
    return session.only(
        SqlStatement.READ_LONGEST_WINDOW, Tuple.tuple(), row -> row.getLong(0) * 1_000);
  }
}
