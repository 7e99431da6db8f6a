package io.sluice.testkit.site;

import io.sluice.model.Cart;
import io.sluice.model.OrderToken;
import io.sluice.testkit.mysql.LedgerReader.OrderRow;
import io.sluice.testkit.mysql.LedgerReader.Stock;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/** Checks Sluice's promises on the books that a test left behind. */
final class Promises {
  /** By status, the number of HOLD, CONFIRM, CANCEL and REFUND rows in the ledger. */
  private static final Map<String, List<Long>> ROWS =
      Map.of(
          "PENDING", List.of(1L, 0L, 0L, 0L),
          "CONFIRMED", List.of(1L, 1L, 0L, 0L),
          "CANCELED", List.of(1L, 0L, 1L, 0L),
          "REFUNDED", List.of(1L, 1L, 0L, 1L),
          "REJECTED", List.of(0L, 0L, 0L, 0L));

  /** How a pseudonym begins that an id was replaced by. */
  private final Books books;

  private final List<String> breaches = new ArrayList<>();

  private Promises(Books books) {
    this.books = books;
  }

  /** One line per breach; none in a sound system. */
  static List<String> breaches(Books books) {
    var promises = new Promises(books);
    promises.neverOversold();
    promises.yesIsDurable();
    promises.nothingStranded();
    promises.givenBack();
    promises.oneAnswerPerKey();
    promises.eachHoldEndsOnce();
    promises.auditable();
    promises.cartsAreWhole();
    return promises.breaches;
  }

  private void neverOversold() {
    for (Stock sku : books.view()) {
      expect(isSound(sku), "P1: oversold by inventory_view: %s", sku);
    }
    for (Stock bucket : books.counters()) {
      expect(isSound(bucket), "P1: oversold by the counters: %s", bucket);
    }
  }

  private static boolean isSound(Stock stock) {
    return stock.held() >= 0 && stock.sold() >= 0 && stock.available() >= 0;
  }

  private void yesIsDurable() {
    books
        .yeses()
        .forEach(
            (wanted, tokens) ->
                tokens.forEach(
                    token ->
                        expect(
                            isOrderOf(wanted, books.orders().get(token)),
                            "P2: %s was granted %s, but the ledger has %s",
                            wanted,
                            token,
                            books.orders().get(token))));
  }

  private static boolean isOrderOf(Yeses.OrderRequest wanted, OrderRow order) {
    return order != null
        && !order.status().equals("REJECTED")
        && order.skuId() == wanted.skuId()
        && order.userId().equals(wanted.userId());
  }

  private void nothingStranded() {
    books
        .redis()
        .forEach(
            (bucket, available) ->
                expect(
                    available == bucket.available(),
                    "P3: Redis would grant %d units, but the ledger has %s",
                    available,
                    bucket));
  }

  private void givenBack() {
    expect(books.left().isEmpty(), "P10: sales have ended, but Redis has %s", books.left());
  }

  private void oneAnswerPerKey() {
    books
        .yeses()
        .forEach(
            (wanted, tokens) ->
                expect(tokens.size() == 1, "P4: %s was answered with %s", wanted, tokens));
  }

  private void eachHoldEndsOnce() {
    for (OrderRow order : books.orders().values()) {
      List<Long> rows = List.of(order.holds(), order.confirms(), order.cancels(), order.refunds());
      expect(rows.equals(ROWS.get(order.status())), "P5: rows do not fit the status: %s", order);
    }
  }

  /** All lines of a cart are there, and were paid or ended together; refunds alone are in parts. */
  private void cartsAreWhole() {
    books
        .carts()
        .forEach(
            (token, text) -> {
              Cart cart = Cart.parse(text).orElseThrow();
              List<OrderRow> lines =
                  cart.tokens(OrderToken.parse(token).orElseThrow()).stream()
                      .map(line -> books.orders().get(line.value()))
                      .toList();
              expect(
                  lines.stream().allMatch(Objects::nonNull)
                      && lines.stream().map(Promises::fate).distinct().count() == 1,
                  "P8: the lines of %s are %s",
                  token,
                  lines);
            });
  }

  private static String fate(OrderRow line) {
    return line.status().equals("REFUNDED") ? "CONFIRMED" : line.status();
  }

  private void auditable() {
    expectSame("inventory_view and the counters", books.view(), books.countersBySku());
    expectSame("the recomputed counters and the counters", books.recomputed(), books.counters());
    expect(books.strays().isEmpty(), "P6: ledger rows of no order: %s", books.strays());
    for (Stock sku : books.view()) {
      Long total = books.totals().get(sku.skuId());
      expect(
          total != null && total == sku.total(), "P6: inventory has %s, the view %s", total, sku);
    }
    for (OrderRow order : books.orders().values()) {
      expect(order.rowsOfOtherQty() == 0, "P6: rows with another quantity: %s", order);
    }
  }

  private void expectSame(String what, List<Stock> left, List<Stock> right) {
    var onlyLeft = new ArrayList<>(left);
    onlyLeft.removeAll(right);
    var onlyRight = new ArrayList<>(right);
    onlyRight.removeAll(left);
    expect(
        onlyLeft.isEmpty() && onlyRight.isEmpty(),
        "P6: %s differ: %s, %s",
        what,
        onlyLeft,
        onlyRight);
  }

  private void expect(boolean kept, String breach, Object... details) {
    if (!kept) {
      breaches.add(breach.formatted(details));
    }
  }
}
