package io.sluice.chaos.check;

import io.sluice.chaos.buyer.Seasons.Season;
import io.sluice.chaos.check.BookedOrder.Txn;
import io.sluice.chaos.check.SeasonBooks.SaleRow;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * A SKU that was sold from 0 to 20 s, and again from 30 to 50 s, as operator and ledger saw it,
 * written line by line.
 */
final class SeasonScene {
  static final long SKU = 7;

  private static final Season FIRST = new Season("season-1", 0, 20_000);
  private static final Season SECOND = new Season("season-2", 30_000, 50_000);

  private final List<Season> seasons = new ArrayList<>(List.of(FIRST, SECOND));
  private final List<Txn> txns = new ArrayList<>();
  private final Map<String, Long> saleNos = new TreeMap<>();
  private final Map<String, String> buyers = new TreeMap<>();
  private long soldFirst;

  /** What the ledger says that the first sale has sold. */
  SeasonScene sold(long units) {
    soldFirst = units;
    return this;
  }

  /** An order of a sale, of one unit. */
  SeasonScene order(String token, String buyer, long saleNo) {
    buyers.put(token, buyer);
    saleNos.put(token, saleNo);
    return this;
  }

  /** The ledger's next row. */
  SeasonScene booked(String token, String action, long atMs) {
    txns.add(new Txn(16L * (txns.size() + 1), token, SKU, 0, 1, action, atMs));
    return this;
  }

  SeasonScene secondSale() {
    return booked("!sale-2", "RESTOCK", 30_100);
  }

  /** The operator has put another sale, of which the ledger has nothing. */
  SeasonScene thirdSale() {
    seasons.add(new Season("season-3", 60_000, Long.MAX_VALUE));
    return this;
  }

  SeasonBooks books() {
    return new SeasonBooks(
        SKU,
        saleNos,
        List.of(new SaleRow(1, FIRST.saleId(), soldFirst), new SaleRow(2, SECOND.saleId(), null)));
  }

  List<String> breaches() {
    return SeasonCheck.breaches(books(), orders(), txns, seasons);
  }

  Map<String, BookedOrder> orders() {
    var orders = new TreeMap<String, BookedOrder>();
    buyers.forEach((token, buyer) -> orders.put(token, order(token, buyer)));
    return orders;
  }

  private BookedOrder order(String token, String buyer) {
    List<Txn> own = txns.stream().filter(txn -> txn.token().equals(token)).toList();
    String status =
        switch (own.isEmpty() ? "" : own.get(own.size() - 1).action()) {
          case "HOLD" -> "PENDING";
          case "CONFIRM" -> "CONFIRMED";
          case "CANCEL" -> "CANCELED";
          default -> "REFUNDED";
        };
    return new BookedOrder(
        token, SKU, 0, buyer, 1, 1, 1, status, "", own.size(), 0, 0, 0, own, "", 0);
  }
}
