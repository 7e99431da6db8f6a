package io.sluice.ledger.mysql;

import io.sluice.async.AsyncLoop;
import io.sluice.db.SqlSession;
import io.sluice.db.SqlSession.Items;
import io.sluice.db.SqlStatement;
import io.sluice.ledger.SaleLedger.Member;
import io.sluice.ledger.SaleLedger.Seen;
import io.sluice.ledger.rules.BatchChanges.Returned;
import io.sluice.model.Sale;
import io.sluice.model.Sku;
import io.vertx.core.Future;
import io.vertx.sqlclient.Tuple;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** The sales, and which SKUs are in them. A sale is locked before its SKUs. */
final class SaleTable {
  private SaleTable() {}

  /** Reads and locks a sale; empty if there is none. */
  static Future<Optional<Sale>> lock(SqlSession session, String saleId) {
    return session
        .first(SqlStatement.LOCK_SALE, Tuple.of(saleId), Columns.to(Seen.class))
        .map(found -> found.map(Seen::sale));
  }

  /** Reads a sale; empty if there is none. */
  static Future<Optional<Seen>> read(SqlSession session, String saleId) {
    return session.first(SqlStatement.READ_SALE, Tuple.of(saleId), Columns.to(Seen.class));
  }

  /** Adds a sale. */
  static Future<Void> insert(SqlSession session, Sale sale) {
    return session.update(SqlStatement.INSERT_SALE, Columns.of(sale)).mapEmpty();
  }

  /** Changes a sale, which its SKUs have to take over. */
  static Future<Void> update(SqlSession session, Sale sale) {
    return session.updateOne(
        SqlStatement.UPDATE_SALE,
        Columns.of(
            sale.name(),
            sale.terms(),
            sale.state(),
            sale.frozen(),
            sale.version(),
            sale.stateVersion(),
            true,
            sale.saleId()));
  }

  /** Notes that all SKUs of a sale have taken it over. */
  static Future<Void> takenOver(SqlSession session, String saleId) {
    return session.updateOne(SqlStatement.NOTE_TAKEN_OVER, Tuple.of(saleId));
  }

  /** How many SKUs a sale has, those that have left it included. */
  static Future<Long> countSkus(SqlSession session, String saleId) {
    return session.only(
        SqlStatement.COUNT_SKUS_OF_SALE, Tuple.of(saleId, saleId), row -> row.getLong(0));
  }

  /** Some SKUs of a locked sale that have not taken it over, in rising order. */
  static Future<List<Long>> skusBehind(SqlSession session, Sale sale, int limit) {
    return session
        .select(
            SqlStatement.LIST_SKUS_BEHIND,
            Tuple.of(sale.saleId(), sale.version(), limit),
            row -> row.getLong(0))
        .map(found -> found.stream().sorted().toList());
  }

  /**
   * Some SKUs of a locked sale that can begin to end, in rising order: they are not frozen, and
   * nothing is being taken back from them.
   */
  static Future<List<Long>> skusToEnd(SqlSession session, Sale sale, int limit) {
    return session.select(
        SqlStatement.LIST_SKUS_TO_END, Tuple.of(sale.saleId(), limit), row -> row.getLong(0));
  }

  /**
   * How many SKUs of a locked sale have a way to go.
   *
   * @param unended those that have not ended
   * @param unarchived those that are not archived, unended ones included, and those that have left
   *     the sale
   */
  record Ahead(long unended, long unarchived) {}

  /** Counts the SKUs of a locked sale that have a way to go. */
  static Future<Ahead> ahead(SqlSession session, Sale sale) {
    return session.only(
        SqlStatement.COUNT_SKUS_AHEAD,
        Tuple.of(sale.saleId(), sale.saleId()),
        Columns.to(Ahead.class));
  }

  /** The next SKUs whose current sale this is, in order of their ids. */
  static Future<List<Sku>> skus(SqlSession session, String saleId, long afterSkuId, int limit) {
    return session.select(
        SqlStatement.LIST_SKUS_OF_SALE, Tuple.of(saleId, afterSkuId, limit), Columns.to(Sku.class));
  }

  // ---- sales that SKUs were in before their current one; a row changes while its SKU is locked

  /**
   * In which sales that were left are changed, so that two transactions never wait for each other.
   */
  private static final Comparator<Left> IN_ORDER =
      Comparator.comparingLong(Left::skuId).thenComparingLong(Left::saleNo);

  /** Keeps what these SKUs had come to in the sales that they leave. There may be none. */
  static Future<Void> keepLeft(SqlSession session, List<Member> leaving) {
    return session.insert(
        SqlStatement.INSERT_EARLIER_SALES, leaving.stream().map(SaleTable::leftRow).toList());
  }

  private static Tuple leftRow(Member leaving) {
    Sku sku = leaving.sku();
    return Columns.of(
        sku.skuId(),
        sku.saleNo(),
        sku.membership().saleId(),
        sku.firstStock(),
        sku.totalStock(),
        sku.membership().base(),
        leaving.sold(),
        sku.settings(),
        sku.state());
  }

  /**
   * The next SKUs of a sale, in order of their ids. Its current ones are read first, so that one
   * that leaves it meanwhile is not missed.
   */
  static Future<List<Member>> members(
      SqlSession session, String saleId, long afterSkuId, int limit) {
    return skus(session, saleId, afterSkuId, limit)
        .compose(
            current ->
                session
                    .select(
                        SqlStatement.LIST_EARLIER_OF_SALE,
                        Tuple.of(saleId, afterSkuId, limit),
                        row -> new Member(Columns.to(Sku.class).apply(row), false, row.getLong(15)))
                    .map(left -> merged(current, left, limit)));
  }

  private static List<Member> merged(List<Sku> current, List<Member> left, int limit) {
    Map<Long, Member> all = new TreeMap<>();
    current.forEach(sku -> all.put(sku.skuId(), Member.current(sku)));
    left.forEach(member -> all.put(member.sku().skuId(), member));
    return all.values().stream().limit(limit).toList();
  }

  /** Those of these locked SKUs that have left the sale. */
  static Future<Set<Long>> left(SqlSession session, String saleId, List<Long> skuIds) {
    return session
        .selectEach(
            SqlStatement.FIND_EARLIER_SKUS,
            Items.ofEach(skuIds).behind(Tuple.of(saleId)),
            row -> row.getLong(0))
        .map(Set::copyOf);
  }

  /** A SKU that has left a sale, and the number that this sale had. */
  record Left(long skuId, long saleNo) {}

  /** Some SKUs that have left a locked sale, for whose orders of it the archive was not asked. */
  static Future<List<Left>> leftToArchive(SqlSession session, String saleId, int limit) {
    return session.select(
        SqlStatement.LIST_EARLIER_TO_ARCHIVE, Tuple.of(saleId, limit), Columns.to(Left.class));
  }

  /** All orders of the SKU's sales up to this one are in the archive. */
  static Future<Void> noteLeftArchived(SqlSession session, long skuId, long saleNo) {
    return session.update(SqlStatement.NOTE_EARLIER_ARCHIVED, Tuple.of(skuId, saleNo)).mapEmpty();
  }

  /** Units of orders of earlier sales have come back. */
  static Future<Void> lowerLeft(SqlSession session, List<Returned> returned) {
    Map<Left, Long> units =
        returned.stream()
            .collect(
                Collectors.groupingBy(
                    one -> new Left(one.row().bucket().skuId(), one.saleNo()),
                    Collectors.summingLong(one -> -one.row().qty())));
    return AsyncLoop.forEach(
        units.entrySet().stream().sorted(Map.Entry.comparingByKey(IN_ORDER)).toList(),
        each ->
            session
                .update(
                    SqlStatement.LOWER_SOLD,
                    Tuple.of(each.getValue(), each.getKey().skuId(), each.getKey().saleNo()))
                .mapEmpty());
  }
}
