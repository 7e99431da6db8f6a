package io.sluice.testkit.site;

import io.sluice.testkit.mysql.LedgerReader;
import io.sluice.testkit.mysql.LedgerReader.OrderRow;
import io.sluice.testkit.mysql.LedgerReader.Stock;
import io.sluice.testkit.redis.StockReader;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * All records of a site's sales, read while nothing is in flight.
 *
 * @param view {@code inventory_view}, by SKU
 * @param countersBySku the buckets' counters, summed
 * @param counters the buckets' counters
 * @param recomputed the counters recomputed from {@code stock_txn}
 * @param totals {@code inventory.total_stock} by SKU
 * @param orders by token
 * @param strays tokens in {@code stock_txn} that have no order
 * @param redis by bucket (in the order of its counters), the units that Redis would grant
 * @param left buckets that have ended and are in Redis
 * @param yeses granted answers to buyers
 * @param carts the lines of each order of several SKUs, by the token of each line
 */
record Books(
    List<Stock> view,
    List<Stock> countersBySku,
    List<Stock> counters,
    List<Stock> recomputed,
    Map<Long, Long> totals,
    Map<String, OrderRow> orders,
    List<String> strays,
    Map<Stock, Long> redis,
    List<Stock> left,
    Map<Yeses.OrderRequest, Set<String>> yeses,
    Map<String, String> carts) {

  static Books of(LedgerReader ledger, StockReader redis, Yeses yeses) {
    List<Stock> counters = ledger.counters();
    List<Stock> ended = ledger.ended();
    return new Books(
        ledger.view(),
        ledger.countersBySku(),
        counters,
        ledger.recomputed(),
        ledger.totals(),
        ledger.orders().stream().collect(Collectors.toMap(OrderRow::token, Function.identity())),
        ledger.txnsWithoutOrder(),
        counters.stream()
            .filter(bucket -> !ended.contains(bucket))
            .filter(bucket -> ledger.partition(bucket.skuId(), bucket.bucket()) >= 0)
            .collect(
                Collectors.toMap(
                    Function.identity(),
                    bucket -> redis.available(bucket.skuId(), bucket.bucket()))),
        ended.stream()
            .filter(bucket -> redis.available(bucket.skuId(), bucket.bucket()) != -1)
            .toList(),
        yeses.tokens(ledger.saleNos()),
        ledger.carts());
  }
}
