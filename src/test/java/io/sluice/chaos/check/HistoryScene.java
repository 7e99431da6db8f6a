package io.sluice.chaos.check;

import io.sluice.chaos.buyer.OrderStory;
import io.sluice.chaos.buyer.OrderStory.Ask;
import io.sluice.chaos.buyer.OrderStory.BookedMark;
import io.sluice.chaos.buyer.OrderStory.GrantedUnits;
import io.sluice.chaos.buyer.OrderStory.OrderRequest;
import io.sluice.chaos.check.BookedOrder.Txn;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** A sale of one SKU as buyers and ledger saw it, written line by line. */
final class HistoryScene {
  private static final long SKU = 7;

  /** The position of a grant in a bucket. */
  record Place(int bucket, long epoch, long seq, int qty) {}

  private record Row(Place place, String status, long latePaidAtMs) {}

  private final Map<String, Row> rows = new LinkedHashMap<>();
  private final Map<String, OrderStory> stories = new LinkedHashMap<>();
  private final List<Txn> txns = new ArrayList<>();

  /** Adds an order in its final state. */
  void order(String token, Place place, String status, long latePaidAtMs) {
    rows.put(token, new Row(place, status, latePaidAtMs));
  }

  /** Appends rows to the ledger, each for all of one order's units. */
  void booked(String token, String... actions) {
    Place place = rows.containsKey(token) ? rows.get(token).place() : new Place(0, 1, 1, 1);
    for (String action : actions) {
      txns.add(
          new Txn(txns.size() + 1, token, SKU, place.bucket(), place.qty(), action, txns.size()));
    }
  }

  /** Adds a request sent at that time, with its answer 10 ms later. */
  void told(String token, long atMs, Ask ask, String answer) {
    OrderStory story =
        stories.computeIfAbsent(
            token, any -> new OrderStory(new OrderRequest(SKU, "buyer of " + token, "key", 1)));
    boolean yes = answer.startsWith("20");
    Place place = yes && rows.containsKey(token) ? rows.get(token).place() : null;
    List<GrantedUnits> granted =
        place == null ? List.of() : List.of(new GrantedUnits(SKU, place.qty(), place.seq()));
    story.asking(ask, atMs);
    story.heard(new BookedMark(atMs, 10, ask, 0, answer, yes ? token : "", granted));
  }

  /** Removes a row from the append-only ledger. */
  void forget(String token, String action) {
    txns.removeIf(txn -> txn.token().equals(token) && txn.action().equals(action));
  }

  List<String> breaches() {
    Map<String, BookedOrder> orders = new TreeMap<>();
    rows.forEach((token, row) -> orders.put(token, order(token, row)));
    return History.breaches(orders, txns, List.copyOf(stories.values()), told -> true);
  }

  private BookedOrder order(String token, Row row) {
    List<Txn> own = txns.stream().filter(txn -> txn.token().equals(token)).toList();
    long version = Math.max(1L, own.size()) + (row.latePaidAtMs() > 0 ? 1 : 0);
    return new BookedOrder(
        token,
        SKU,
        row.place().bucket(),
        "buyer of " + token,
        row.place().qty(),
        row.place().epoch(),
        row.place().seq(),
        row.status(),
        "",
        version,
        0,
        row.latePaidAtMs(),
        0,
        own,
        "",
        0);
  }
}
