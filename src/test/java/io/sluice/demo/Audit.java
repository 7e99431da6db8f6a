package io.sluice.demo;

import io.sluice.testkit.mysql.LedgerReader;
import io.sluice.testkit.mysql.LedgerReader.OrderRow;
import io.sluice.testkit.mysql.LedgerReader.Stock;
import io.sluice.testkit.redis.StockReader;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * The state after the sale, read from {@code inventory_view} and Redis directly.
 *
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
    Stock view = ledger.view(Shop.SKU).orElseThrow(() -> new DemoException("no ledger row"));
    List<OrderRow> orders = ledger.orders(Shop.SKU);
    long inRedis = redis.available(Shop.SKU, 0);
    Set<String> booked =
        orders.stream()
            .filter(order -> !order.status().equals("REJECTED"))
            .map(OrderRow::token)
            .collect(Collectors.toSet());
    return new Audit(
        view,
        inRedis,
        count(orders, "CONFIRMED", null),
        count(orders, "CANCELED", "BUYER"),
        count(orders, "CANCELED", "TIMEOUT"),
        Math.max(0, view.held() + view.sold() - view.total()),
        view.held() + redis.unbooked(Shop.SKU, 0) + ledger.outboxPending(),
        Math.abs(inRedis - view.available()) + ledger.skusInDisagreement(),
        toldYes.stream().filter(token -> !booked.contains(token)).count());
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
