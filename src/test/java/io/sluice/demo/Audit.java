package io.sluice.demo;

import io.sluice.testkit.mysql.LedgerReader;
import io.sluice.testkit.mysql.LedgerReader.OrderRow;
import io.sluice.testkit.mysql.LedgerReader.Stock;
import io.sluice.testkit.redis.StockReader;
import java.util.List;
import java.util.Set;
import java.util.function.ToLongFunction;
import java.util.stream.Collectors;

/**
 * The state after the sale, read from {@code inventory_view} and Redis directly.
 *
 * @param ledger the units of all SKUs
 * @param oversold units held or sold beyond the total
 * @param stranded units that are neither available nor sold although no payment is due, grants that
 *     never reached the ledger, and rows that were not passed on
 * @param drift units by which Redis, counters and {@code inventory_view} differ
 * @param lost orders that a buyer was told yes for and that the ledger does not have
 */
record Audit(
    Stock ledger,
    long availableInRedis,
    long confirmed,
    long canceledByBuyer,
    long canceledByTimeout,
    long oversold,
    long stranded,
    long drift,
    long lost) {

  static Audit of(LedgerReader ledger, StockReader redis, Set<String> toldYes) {
    List<Stock> views = Shop.SKUS.stream().map(sku -> view(ledger, sku)).toList();
    List<OrderRow> orders = Shop.SKUS.stream().flatMap(sku -> ledger.orders(sku).stream()).toList();
    Set<String> booked =
        orders.stream()
            .filter(order -> !order.status().equals("REJECTED"))
            .map(OrderRow::token)
            .collect(Collectors.toSet());
    return new Audit(
        new Stock(
            Shop.SKUS.get(0),
            0,
            sum(views, Stock::total),
            sum(views, Stock::held),
            sum(views, Stock::sold)),
        sum(views, view -> redis.available(view.skuId(), 0)),
        count(orders, "CONFIRMED", null),
        count(orders, "CANCELED", "BUYER"),
        count(orders, "CANCELED", "TIMEOUT"),
        sum(views, view -> Math.max(0, view.held() + view.sold() - view.total())),
        sum(views, view -> view.held() + redis.unbooked(view.skuId(), 0)) + ledger.outboxPending(),
        sum(views, view -> Math.abs(redis.available(view.skuId(), 0) - view.available()))
            + ledger.skusInDisagreement(),
        toldYes.stream().filter(token -> !booked.contains(token)).count());
  }

  static Stock view(LedgerReader ledger, long sku) {
    return ledger.view(sku).orElseThrow(() -> new DemoException("no ledger row"));
  }

  private static long sum(List<Stock> views, ToLongFunction<Stock> value) {
    return views.stream().mapToLong(value).sum();
  }

  boolean isClean() {
    return oversold == 0 && stranded == 0 && drift == 0 && lost == 0;
  }

  private static long count(List<OrderRow> orders, String status, String reason) {
    return orders.stream()
        .filter(order -> order.status().equals(status))
        .filter(order -> reason == null || reason.equals(order.reason()))
        .count();
  }
}
