package io.sluice.ledger.mysql;

import io.sluice.db.SqlSession;
import io.sluice.db.SqlSession.Items;
import io.sluice.db.SqlStatement;
import io.sluice.model.Sku;
import io.vertx.core.Future;
import io.vertx.core.json.JsonArray;
import io.vertx.sqlclient.Tuple;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/** The SKUs. Locked after the fence and before the buckets. */
public final class SkuTable {
  private static final int FREEZE_REASON_MAX = 512;

  private SkuTable() {}

  /** Reads and locks a SKU; empty if there is none. */
  public static Future<Optional<Sku>> lock(SqlSession session, long skuId) {
    return first(session, SqlStatement.LOCK_SKU, skuId);
  }

  /** Reads a SKU and keeps it as it is, for a transaction that does not change it. */
  public static Future<Optional<Sku>> share(SqlSession session, long skuId) {
    return first(session, SqlStatement.SHARE_SKU, skuId);
  }

  /**
   * Reads and locks those that exist among these SKUs.
   *
   * @param skuIds in rising order, to avoid deadlocks
   */
  public static Future<List<Sku>> lockEach(SqlSession session, List<Long> skuIds) {
    return session.selectEach(SqlStatement.LOCK_SKUS, items(skuIds), LedgerRows::sku);
  }

  /** The SKUs that exist among these, in no order. */
  public static Future<List<Sku>> read(SqlSession session, Collection<Long> skuIds) {
    return session.selectEach(SqlStatement.READ_SKUS, items(skuIds), LedgerRows::sku);
  }

  /** Ids as items of a statement. */
  public static Items items(Collection<Long> skuIds) {
    return Items.of(skuIds.stream().map(skuId -> Tuple.of(skuId)).toList());
  }

  private static Future<Optional<Sku>> first(
      SqlSession session, SqlStatement statement, long skuId) {
    return session
        .select(statement, Tuple.of(skuId), LedgerRows::sku)
        .map(skus -> skus.stream().findFirst());
  }

  /** The next SKUs, in order of their ids. */
  public static Future<List<Sku>> page(SqlSession session, long afterSkuId, int limit) {
    return session.select(SqlStatement.LIST_SKUS, Tuple.of(afterSkuId, limit), LedgerRows::sku);
  }

  /** Adds SKUs. */
  public static Future<Void> insert(SqlSession session, List<Sku> skus) {
    return session.insert(
        SqlStatement.INSERT_SKUS,
        skus.stream()
            .map(
                sku ->
                    Tuple.wrap(
                        Arrays.asList(
                            sku.skuId(),
                            sku.totalStock(),
                            LedgerRows.settings(sku.settings()),
                            sku.state().name(),
                            sku.firstStock(),
                            sku.buckets(),
                            sku.mode().name(),
                            sku.thawedState().name(),
                            sku.saleNo(),
                            sku.membership().saleId(),
                            flag(sku.membership().frozenBySale()),
                            sku.membership().taken())))
            .toList());
  }

  /** Changes a SKU. */
  public static Future<Void> update(SqlSession session, Sku sku) {
    return session.updateOne(
        SqlStatement.UPDATE_SKU,
        Tuple.of(
            sku.totalStock(),
            LedgerRows.settings(sku.settings()),
            sku.state().name(),
            sku.thawedState().name(),
            flag(sku.membership().frozenBySale()),
            sku.membership().taken(),
            sku.skuId()));
  }

  /** Changes settings and states of SKUs that are locked. */
  public static Future<Void> updateEach(SqlSession session, List<Sku> skus) {
    if (skus.isEmpty()) {
      return Future.succeededFuture();
    }
    JsonArray rows = new JsonArray();
    for (Sku sku : skus) {
      rows.add(
          JsonArray.of(
              sku.skuId(),
              LedgerRows.settings(sku.settings()),
              sku.state().name(),
              sku.thawedState().name(),
              flag(sku.membership().frozenBySale()),
              sku.membership().taken()));
    }
    SqlStatement statement = SqlStatement.UPDATE_SKUS;
    return session
        .update(statement, Tuple.of(rows.encode()))
        .compose(found -> session.expectRows(statement, skus.size(), found));
  }

  /** Puts SKUs, which are locked and have ended, into their next sale. */
  public static Future<Void> rejoin(SqlSession session, List<Sku> skus) {
    JsonArray rows = new JsonArray();
    for (Sku sku : skus) {
      rows.add(
          JsonArray.of(
              sku.skuId(),
              sku.firstStock(),
              sku.totalStock(),
              LedgerRows.settings(sku.settings()),
              sku.state().name(),
              sku.thawedState().name(),
              sku.saleNo(),
              sku.membership().saleId(),
              flag(sku.membership().frozenBySale()),
              sku.membership().taken()));
    }
    SqlStatement statement = SqlStatement.REJOIN_SKUS;
    return session
        .update(statement, Tuple.of(rows.encode()))
        .compose(found -> session.expectRows(statement, skus.size(), found));
  }

  /**
   * Those of the first SKUs that are in a later sale than their first one, and all of the others,
   * locked. Orders of earlier sales may change the totals of the first.
   */
  public static Future<List<Sku>> lockRejoined(
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
        : session.selectEach(SqlStatement.LIST_REJOINED_SKUS, items(skuIds), row -> row.getLong(0));
  }

  /** Lowers the total of a SKU whose allotments have fallen by as many units. */
  public static Future<Void> lowerTotal(SqlSession session, long skuId, long units) {
    return session.updateOne(SqlStatement.LOWER_TOTAL, Tuple.of(units, skuId));
  }

  private static int flag(boolean set) {
    return set ? 1 : 0;
  }

  /** Notes why a SKU is frozen. */
  public static Future<Void> noteFreeze(SqlSession session, long skuId, String why) {
    String cut = why.substring(0, Math.min(why.length(), FREEZE_REASON_MAX));
    return session.updateOne(SqlStatement.NOTE_FREEZE, Tuple.of(cut, skuId));
  }
}
