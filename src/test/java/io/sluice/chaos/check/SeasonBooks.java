package io.sluice.chaos.check;

import io.sluice.chaos.buyer.OrderStory;
import io.sluice.testkit.mysql.LedgerReader;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * What the ledger has of a SKU that was sold in one sale after the other.
 *
 * @param saleNos the number of the sale of each order, by its token
 * @param sales oldest first
 */
public record SeasonBooks(long skuId, Map<String, Long> saleNos, List<SaleRow> sales) {
  /**
   * A sale of the SKU.
   *
   * @param sold what its orders hold or have bought; null of the current one
   */
  public record SaleRow(long saleNo, String saleId, Long sold) {}

  private static final String SALES =
      """
      SELECT sale_no, sale_id, sold FROM earlier_sale WHERE sku_id = ?
      UNION ALL
      SELECT sale_no, sale_id, NULL FROM inventory WHERE sku_id = ?
      ORDER BY sale_no""";

  public static SeasonBooks of(LedgerReader ledger, long skuId) {
    List<SaleRow> sales =
        ledger.query(
            SALES,
            row -> new SaleRow(row.getLong(0), row.getString(1), row.getLong(2)),
            skuId,
            skuId);
    return new SeasonBooks(skuId, ledger.saleNos(), sales);
  }

  /**
   * The same request in the next sale is another order: so a story has a part for each sale, and
   * one for what was asked and refused before there was an order. Those of other SKUs stay whole.
   */
  public Stream<OrderStory> parts(OrderStory story) {
    if (story.wanted().skuId() != skuId) {
      return Stream.of(story);
    }
    Map<String, Set<String>> bySale =
        story.tokens().stream()
            .collect(Collectors.groupingBy(this::saleOf, TreeMap::new, Collectors.toSet()));
    return Stream.concat(
        Stream.of(story.about(Set.of())), bySale.values().stream().map(story::about));
  }

  /** What the ledger does not have is of a sale of its own. */
  private String saleOf(String token) {
    return saleNos.containsKey(token) ? String.valueOf(saleNos.get(token)) : token;
  }

  long saleNo(BookedOrder order) {
    return saleNos.getOrDefault(order.token(), 0L);
  }
}
