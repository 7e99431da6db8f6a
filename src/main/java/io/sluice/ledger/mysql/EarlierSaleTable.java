package io.sluice.ledger.mysql;

import io.sluice.async.AsyncLoop;
import io.sluice.db.SqlSession;
import io.sluice.db.SqlSession.Items;
import io.sluice.db.SqlStatement;
import io.sluice.ledger.SaleLedger.Member;
import io.sluice.ledger.rules.BatchChanges.Returned;
import io.sluice.model.Sku;
import io.vertx.core.Future;
import io.vertx.sqlclient.Tuple;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** The sales that SKUs were in before their current one. A row changes while its SKU is locked. */
public final class EarlierSaleTable {
  /** In which they are changed, so that two transactions never wait for each other. */
  private static final Comparator<Left> IN_ORDER =
      Comparator.comparingLong(Left::skuId).thenComparingLong(Left::saleNo);

  private EarlierSaleTable() {}

  /** Keeps what these SKUs had come to in the sales that they leave. There may be none. */
  public static Future<Void> insert(SqlSession session, List<Member> leaving) {
    return leaving.isEmpty()
        ? Future.succeededFuture()
        : session.insert(
            SqlStatement.INSERT_EARLIER_SALES,
            leaving.stream().map(EarlierSaleTable::row).toList());
  }

  private static Tuple row(Member leaving) {
    Sku sku = leaving.sku();
    return Tuple.wrap(
        Arrays.asList(
            sku.skuId(),
            sku.saleNo(),
            sku.membership().saleId(),
            sku.firstStock(),
            sku.totalStock(),
            sku.membership().base(),
            leaving.sold(),
            LedgerRows.settings(sku.settings()),
            sku.state().name()));
  }

  /**
   * The next SKUs of a sale, in order of their ids. Its current ones are read first, so that one
   * that leaves it meanwhile is not missed.
   */
  public static Future<List<Member>> members(
      SqlSession session, String saleId, long afterSkuId, int limit) {
    return SaleTable.skus(session, saleId, afterSkuId, limit)
        .compose(
            current ->
                session
                    .select(
                        SqlStatement.LIST_EARLIER_OF_SALE,
                        Tuple.of(saleId, afterSkuId, limit),
                        row -> new Member(LedgerRows.sku(row), false, row.getLong(14)))
                    .map(left -> merged(current, left, limit)));
  }

  private static List<Member> merged(List<Sku> current, List<Member> left, int limit) {
    Map<Long, Member> all = new TreeMap<>();
    current.forEach(sku -> all.put(sku.skuId(), Member.current(sku)));
    left.forEach(member -> all.put(member.sku().skuId(), member));
    return all.values().stream().limit(limit).toList();
  }

  /** Those of these locked SKUs that have left the sale. */
  public static Future<Set<Long>> left(SqlSession session, String saleId, List<Long> skuIds) {
    return skuIds.isEmpty()
        ? Future.succeededFuture(Set.of())
        : session
            .selectEach(
                SqlStatement.FIND_EARLIER_SKUS,
                new Items(Tuple.of(saleId), SkuTable.items(skuIds).items(), Tuple.tuple()),
                row -> row.getLong(0))
            .map(Set::copyOf);
  }

  /** A SKU that has left a sale, and the number that this sale had. */
  public record Left(long skuId, long saleNo) {}

  /** Some SKUs that have left a locked sale, for whose orders of it the archive was not asked. */
  public static Future<List<Left>> toArchive(SqlSession session, String saleId, int limit) {
    return session.select(
        SqlStatement.LIST_EARLIER_TO_ARCHIVE,
        Tuple.of(saleId, limit),
        row -> new Left(row.getLong(0), row.getLong(1)));
  }

  /** All orders of the SKU's sales up to this one are in the archive. */
  public static Future<Void> archived(SqlSession session, long skuId, long saleNo) {
    return session.update(SqlStatement.NOTE_EARLIER_ARCHIVED, Tuple.of(skuId, saleNo)).mapEmpty();
  }

  /** Units of orders of earlier sales have come back. */
  public static Future<Void> lower(SqlSession session, List<Returned> returned) {
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
