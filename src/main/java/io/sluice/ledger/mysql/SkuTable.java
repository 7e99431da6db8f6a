package io.sluice.ledger.mysql;

import io.sluice.db.SqlSession;
import io.sluice.db.SqlSession.Items;
import io.sluice.db.SqlStatement;
import io.sluice.ledger.rules.SkuRules.Shape;
import io.sluice.model.Sku;
import io.vertx.core.Future;
import io.vertx.sqlclient.Tuple;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The SKUs. Locked after the fence and before the buckets. */
final class SkuTable {
  private static final int FREEZE_REASON_MAX = 512;

  private SkuTable() {}

  /** Reads and locks a SKU; empty if there is none. */
  static Future<Optional<Sku>> lock(SqlSession session, long skuId) {
    return first(session, SqlStatement.LOCK_SKU, skuId);
  }

  /** Does this with a SKU that is locked for it; {@code none} if there is no such SKU. */
  static <T> Future<T> onLocked(
      SqlSession session, long skuId, T none, Function<Sku, Future<T>> work) {
    return lock(session, skuId)
        .compose(sku -> sku.isPresent() ? work.apply(sku.get()) : Future.succeededFuture(none));
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
    return session.selectEach(SqlStatement.LOCK_SKUS, Items.ofEach(skuIds), Columns.to(Sku.class));
  }

  /** The SKUs that exist among these, in no order. */
  static Future<List<Sku>> read(SqlSession session, Collection<Long> skuIds) {
    return session.selectEach(SqlStatement.READ_SKUS, Items.ofEach(skuIds), Columns.to(Sku.class));
  }

  private static Future<Optional<Sku>> first(
      SqlSession session, SqlStatement statement, long skuId) {
    return session.first(statement, Tuple.of(skuId), Columns.to(Sku.class));
  }

  /** Adds SKUs. */
  static Future<Void> insert(SqlSession session, List<Sku> skus) {
    return session.insert(SqlStatement.INSERT_SKUS, rows(skus));
  }

  /** Writes down what SKUs that are locked are called. */
  static Future<Void> keepNames(SqlSession session, Map<Long, @Nullable String> names) {
    return session.insert(
        SqlStatement.KEEP_SKU_NAMES,
        names.entrySet().stream().map(one -> Columns.of(one.getKey(), one.getValue())).toList());
  }

  /** Changes totals, settings and states of SKUs that are locked. */
  static Future<Void> update(SqlSession session, List<Sku> skus) {
    return session.updateRows(SqlStatement.UPDATE_SKUS, rows(skus));
  }

  /** Changes a SKU that is locked. */
  static Future<Void> update(SqlSession session, Sku sku) {
    return update(session, List.of(sku));
  }

  /**
   * What is remembered of the SKUs that were deleted under these ids, by id. Their numbers count
   * only if SKUs that have these ids were inserted in this transaction: none of them can be deleted
   * before its end.
   */
  static Future<Map<Long, DeletedSku>> deleted(SqlSession session, List<Long> skuIds) {
    return session
        .selectEach(
            SqlStatement.READ_DELETED_SKUS,
            Items.ofEach(skuIds),
            row ->
                new DeletedSku(
                    row.getLong(0),
                    row.getLong(1),
                    row.getLong(2),
                    row.getLong(3),
                    new Shape(row.getInteger(4), Sku.Mode.valueOf(row.getString(5)))))
        .map(
            found ->
                found.stream()
                    .collect(Collectors.toMap(DeletedSku::skuId, each -> each, (a, b) -> a)));
  }

  /** Puts SKUs, which are locked and have ended, or have just been inserted, into a later sale. */
  static Future<Void> rejoin(SqlSession session, List<Sku> skus) {
    return session.updateRows(SqlStatement.REJOIN_SKUS, rows(skus));
  }

  private static List<Tuple> rows(List<Sku> skus) {
    return skus.stream().map(SkuTable::row).toList();
  }

  /** All that is written of a SKU; each statement takes what it may change. */
  private static Tuple row(Sku sku) {
    return Columns.of(
        sku.skuId(),
        sku.firstStock(),
        sku.totalStock(),
        sku.settings(),
        sku.state(),
        sku.thawedState(),
        sku.saleNo(),
        sku.membership().saleId(),
        sku.membership().frozenBySale(),
        sku.membership().taken(),
        sku.buckets(),
        sku.mode());
  }

  /**
   * Those of the first SKUs that are in a later sale than their first one, and all of the others,
   * locked. Orders of earlier sales may change the totals of the first.
   */
  static Future<List<Sku>> lockRejoined(
      SqlSession session, Collection<Long> skuIds, Collection<Long> all) {
    return session
        .selectEach(SqlStatement.LIST_REJOINED_SKUS, Items.ofEach(skuIds), row -> row.getLong(0))
        .compose(
            found -> {
              Set<Long> ids = new TreeSet<>(all);
              ids.addAll(found);
              return lockEach(session, List.copyOf(ids));
            });
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

  /**
   * The numbers that a deleted SKU has used up.
   *
   * @param saleNo that of its last sale
   * @param epoch the highest of its buckets
   * @param version the highest of its buckets
   * @param shape what one that is made again must have
   */
  record DeletedSku(long skuId, long saleNo, long epoch, long version, Shape shape) {
    /** Of an id that no SKU had. */
    static DeletedSku none(Sku sku) {
      return new DeletedSku(sku.skuId(), 0, 0, 0, new Shape(sku.buckets(), sku.mode()));
    }
  }

  /** What new SKUs must have whose ids deleted ones had. */
  static Future<Map<Long, Shape>> shapes(SqlSession session, List<Long> skuIds) {
    return deleted(session, skuIds)
        .map(
            found ->
                found.values().stream()
                    .collect(Collectors.toMap(DeletedSku::skuId, DeletedSku::shape)));
  }

  /** The longest time to pay of any SKU, in milliseconds. */
  static Future<Long> longestWindowMs(SqlSession session) {
    return session.only(
        SqlStatement.READ_LONGEST_WINDOW, Tuple.tuple(), row -> row.getLong(0) * 1_000);
  }
}
