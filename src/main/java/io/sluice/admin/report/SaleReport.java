package io.sluice.admin.report;

import io.sluice.ledger.SaleCounts.Incident;
import io.sluice.ledger.SaleHistory.Kind;
import io.sluice.ledger.SaleLedger.Seen;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.ToLongFunction;

/**
 * The report of a sale.
 *
 * @param skus those that sold most first
 * @param timeline from the ledger
 * @param later what happened to orders after the end of the timeline, as refunds do
 * @param waits orders by the number of their time from grant to payment
 * @param requests the counts of instances
 */
record SaleReport(
    Seen seen,
    List<SkuLine> skus,
    Timeline timeline,
    Map<Kind, Count> later,
    Map<Kind, Count> totals,
    List<Long> waits,
    Requests requests,
    List<Incident> incidents,
    Audited audited) {

  static final Comparator<SkuLine> BEST_FIRST =
      Comparator.comparingLong(SkuLine::sold).reversed().thenComparingLong(SkuLine::skuId);

  /** Orders, and their units. */
  record Count(long orders, long units) {
    static final Count NONE = new Count(0, 0);

    Count plus(long more, long moreUnits) {
      return new Count(orders + more, units + moreUnits);
    }
  }

  /**
   * A SKU.
   *
   * @param onSale its units
   * @param sold units that were paid in this sale, and not refunded
   * @param held units of orders that may still be paid
   * @param granted orders
   */
  record SkuLine(long skuId, long onSale, long sold, long held, long granted) {}

  /**
   * The counts of instances.
   *
   * @param refused by reason
   * @param times of all grants
   * @param gaps when orders were granted, and nothing was counted
   */
  record Requests(
      long intervalMs,
      List<RequestPoint> points,
      Map<String, Long> refused,
      GrantTimes times,
      List<Period> gaps) {
    long refusals() {
      return refused.values().stream().mapToLong(Long::longValue).sum();
    }
  }

  /** An interval in which instances have counted something. */
  record RequestPoint(long atMs, Map<String, Long> refused, GrantTimes times) {}

  /**
   * Whether the counters of the ledger equal its rows.
   *
   * @param differing SKUs of which they do not
   * @param moving how many SKUs were not compared, since they sold during the comparison
   * @param oversold units that were held or sold beyond those on sale
   */
  record Audited(List<Long> differing, long moving, long oversold) {
    boolean isClean() {
      return differing.isEmpty() && moving == 0 && oversold == 0;
    }
  }

  Count total(Kind kind) {
    return totals.getOrDefault(kind, Count.NONE);
  }

  long sum(ToLongFunction<SkuLine> value) {
    return skus.stream().mapToLong(value).sum();
  }

  /** When its timeline or its requests begin; empty if nothing happened. */
  Optional<Period> period() {
    long from = Long.MAX_VALUE;
    long until = Long.MIN_VALUE;
    if (!timeline.isEmpty()) {
      from = timeline.fromMs();
      until = timeline.untilMs();
    }
    if (!requests.points().isEmpty()) {
      from = Math.min(from, requests.points().get(0).atMs());
      RequestPoint last = requests.points().get(requests.points().size() - 1);
      until = Math.max(until, last.atMs() + requests.intervalMs());
    }
    return from > until ? Optional.empty() : Optional.of(new Period(from, until));
  }

  /** A time. */
  record Period(long fromMs, long untilMs) {}
}
