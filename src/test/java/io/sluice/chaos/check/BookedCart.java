package io.sluice.chaos.check;

import io.sluice.chaos.check.BookedOrder.Txn;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * An order of several SKUs: what its lines in the ledger are together.
 *
 * @param lines those that there are, the lead's first
 */
record BookedCart(List<BookedOrder> lines) {
  /** What is found where lines have parted. */
  private static final String TORN = "TORN";

  /** The orders as callers know them, by token: each line is replaced by its whole. */
  static Map<String, BookedOrder> wholes(Map<String, BookedOrder> orders) {
    var wholes = new TreeMap<String, BookedOrder>();
    for (BookedOrder order : orders.values()) {
      BookedOrder whole = order.isLine() ? of(order, orders).whole() : order;
      wholes.put(whole.token(), whole);
    }
    return wholes;
  }

  static BookedCart of(BookedOrder line, Map<String, BookedOrder> orders) {
    return new BookedCart(line.lines().stream().map(orders::get).filter(Objects::nonNull).toList());
  }

  /** Of the lead, with the status, the version and the rows of all. */
  BookedOrder whole() {
    BookedOrder lead = lines.get(0);
    List<Txn> txns = new ArrayList<>();
    lines.forEach(line -> txns.addAll(line.txns()));
    txns.sort(Comparator.comparingLong(Txn::createdAtMs));
    return new BookedOrder(
        lead.token(),
        lead.skuId(),
        lead.bucket(),
        lead.userId(),
        lead.qty(),
        lead.epoch(),
        lead.seq(),
        status(),
        lead.reason(),
        lines.stream().mapToLong(BookedOrder::version).sum(),
        lead.payBeforeMs(),
        lead.latePaidAtMs(),
        lines.stream().mapToLong(BookedOrder::updatedAtMs).max().orElse(0),
        txns,
        lead.cart(),
        lines.stream().mapToInt(BookedOrder::notes).sum());
  }

  /** Refunds alone are in parts: an order is CONFIRMED until all of it is refunded. */
  private String status() {
    var all = lines.stream().map(BookedOrder::status).collect(Collectors.toSet());
    if (all.size() == 1) {
      return lines.get(0).status();
    }
    all.remove("REFUNDED");
    all.remove("CONFIRMED");
    return all.isEmpty() ? "CONFIRMED" : TORN;
  }
}
