package io.sluice.testkit;

import io.sluice.testkit.LedgerReader.OrderRow;
import io.sluice.testkit.LedgerReader.Stock;
import io.vertx.core.json.JsonObject;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.awaitility.Awaitility;
import org.awaitility.core.ConditionTimeoutException;

/**
 * What Sluice promises, checked on what a test left behind: first waits until all is settled, then
 * compares ledger, counters, Redis and what buyers were told.
 */
final class Promises {
  private static final Duration SETTLE_LIMIT = Duration.ofSeconds(30);
  private static final Duration POLL = Duration.ofMillis(50);

  /** By status, how often HOLD, CONFIRM, CANCEL and REFUND must stand in the ledger. */
  private static final Map<String, List<Long>> ROWS =
      Map.of(
          "PENDING", List.of(1L, 0L, 0L, 0L),
          "CONFIRMED", List.of(1L, 1L, 0L, 0L),
          "CANCELED", List.of(1L, 0L, 1L, 0L),
          "REFUNDED", List.of(1L, 1L, 0L, 1L),
          "REJECTED", List.of(0L, 0L, 0L, 0L));

  private final SaleSite site;
  private final LedgerReader ledger;
  private final List<String> breaches = new ArrayList<>();
  private List<String> unsettled = List.of("not looked yet");

  Promises(SaleSite site) {
    this.site = site;
    this.ledger = site.ledger();
  }

  void check() {
    awaitSettled();
    List<Stock> counters = ledger.counters();
    Map<String, OrderRow> orders =
        ledger.orders().stream().collect(Collectors.toMap(OrderRow::token, Function.identity()));
    checkNeverOversold(counters);
    checkCountersAreRecomputed(counters);
    checkNothingStranded(counters);
    checkEachHoldEndsOnce(orders);
    checkYesIsDurable(orders);
    if (!breaches.isEmpty()) {
      throw new AssertionError("Promises were broken:\n  " + String.join("\n  ", breaches));
    }
  }

  /** No request is under way any more, so all books must agree to the unit. */
  private void awaitSettled() {
    try {
      Awaitility.await()
          .atMost(SETTLE_LIMIT)
          .pollInterval(POLL)
          .until(
              () -> {
                unsettled = unsettled();
                return unsettled.isEmpty();
              });
    } catch (ConditionTimeoutException e) {
      throw new AssertionError(
          "P3: still under way after %s:%n  %s"
              .formatted(SETTLE_LIMIT, String.join("\n  ", unsettled)),
          e);
    }
  }

  private List<String> unsettled() {
    var reasons = new ArrayList<String>();
    Map<Integer, Long> booked = ledger.nextOffsets();
    Map<Integer, Long> ends = site.topics().endOffsets(site.ordersTopic());
    if (ends.size() != site.partitions() || !booked.equals(ends)) {
      reasons.add("the log ends at %s, booked is %s".formatted(ends, booked));
    }
    addIfAny(reasons, ledger.outboxPending(), "outbox rows are PENDING");
    addIfAny(reasons, ledger.holdsOverdue(), "holds are overdue");
    for (Stock bucket : ledger.counters()) {
      addIfAny(
          reasons,
          site.stock().unbooked(bucket.skuId(), bucket.bucket()),
          "grants are unbooked in " + bucket);
    }
    return reasons;
  }

  private static void addIfAny(List<String> reasons, long count, String what) {
    if (count != 0) {
      reasons.add(count + " " + what);
    }
  }

  private void checkNeverOversold(List<Stock> counters) {
    List<Stock> view = ledger.view();
    view.forEach(sku -> expect(sound(sku), "P1: oversold by inventory_view: %s", sku));
    counters.forEach(bucket -> expect(sound(bucket), "P1: oversold by counters: %s", bucket));
    expectSame("P6: inventory_view and counters", view, ledger.countersBySku());
    Map<Long, Long> totals = ledger.totals();
    view.forEach(
        sku ->
            expect(
                totals.get(sku.skuId()).equals(sku.total()),
                "P6: inventory says %s, the view %s",
                totals.get(sku.skuId()),
                sku));
  }

  private static boolean sound(Stock stock) {
    return stock.held() >= 0 && stock.sold() >= 0 && stock.available() >= 0;
  }

  private void checkCountersAreRecomputed(List<Stock> counters) {
    expectSame("P6: recomputed counters and counters", ledger.recomputed(), counters);
    List<String> strays = ledger.txnsWithoutOrder();
    expect(strays.isEmpty(), "P6: ledger rows without an order: %s", strays);
  }

  private void expectSame(String what, List<Stock> left, List<Stock> right) {
    var onlyLeft = new ArrayList<>(left);
    onlyLeft.removeAll(right);
    var onlyRight = new ArrayList<>(right);
    onlyRight.removeAll(left);
    expect(
        onlyLeft.isEmpty() && onlyRight.isEmpty(), "%s differ: %s, %s", what, onlyLeft, onlyRight);
  }

  private void checkNothingStranded(List<Stock> counters) {
    for (Stock bucket : counters) {
      long inRedis = site.stock().available(bucket.skuId(), bucket.bucket());
      expect(
          inRedis == bucket.available(), "P3: %d available in Redis, but %s", inRedis, bucket);
    }
    counters.stream().mapToLong(Stock::skuId).distinct().forEach(this::checkShownSideBySide);
  }

  private void checkShownSideBySide(long skuId) {
    Answer shown = site.http().ask(Call.get(site.next().adminUrl() + "/admin/skus/" + skuId));
    if (shown.status() != 200) {
      breaches.add("P6: GET /admin/skus/%d: %s".formatted(skuId, shown));
      return;
    }
    for (Object each : shown.json().getJsonArray("buckets")) {
      JsonObject bucket = (JsonObject) each;
      expect(bucket.getLong("drift") == 0, "P3: drift is shown: %s", bucket);
    }
  }

  private void checkEachHoldEndsOnce(Map<String, OrderRow> orders) {
    for (OrderRow order : orders.values()) {
      List<Long> rows =
          List.of(order.holds(), order.confirms(), order.cancels(), order.refunds());
      expect(rows.equals(ROWS.get(order.status())), "P5: rows do not fit the status: %s", order);
      expect(order.rowsOfOtherQty() == 0, "P6: rows with another quantity: %s", order);
    }
  }

  private void checkYesIsDurable(Map<String, OrderRow> orders) {
    site.yeses()
        .tokens()
        .forEach(
            (wish, tokens) -> {
              expect(tokens.size() == 1, "P4: %s was answered with %s", wish, tokens);
              tokens.forEach(token -> checkYes(wish, orders.get(token), token));
            });
    expectOneOrderPerToken(orders);
  }

  private void checkYes(Yeses.Wish wish, OrderRow order, String token) {
    if (order == null || order.status().equals("REJECTED")) {
      breaches.add("P2: %s was told yes (%s), but the ledger has %s".formatted(wish, token, order));
      return;
    }
    boolean fits = order.skuId() == wish.skuId() && order.userId().equals(wish.userId());
    expect(fits, "P2: %s was told yes (%s), but the ledger has %s", wish, token, order);
  }

  private void expectOneOrderPerToken(Map<String, OrderRow> orders) {
    orders.forEach(
        (token, order) ->
            expect(
                token.startsWith(order.skuId() + "." + order.bucket() + "."),
                "P6: the token does not route to %s",
                order));
  }

  private void expect(boolean kept, String breach, Object... details) {
    if (!kept) {
      breaches.add(breach.formatted(details));
    }
  }
}
