package io.sluice.chaos.check;

import io.sluice.chaos.buyer.OrderStory;
import io.sluice.chaos.buyer.OrderStory.Ask;
import io.sluice.chaos.buyer.OrderStory.BookedMark;
import io.sluice.chaos.buyer.Seasons.Heard;
import io.sluice.chaos.buyer.Seasons.Season;
import io.sluice.chaos.buyer.Seasons.Step;
import io.sluice.chaos.check.BookedOrder.Txn;
import io.sluice.chaos.check.SeasonBooks.SaleRow;
import io.sluice.testkit.mysql.LedgerReader.Stock;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/**
 * Checks that the sales of one SKU are apart: each takes orders from its PUT until its end, of each
 * buyer one; all of them have ended before the next one begins; and what it has sold stays its own.
 */
public final class SeasonCheck {
  private static final Set<String> ENDED = Set.of("CANCELED", "REFUNDED", "REJECTED");

  /** Answers that leave a request open, or decide it as an operator expects. */
  private static final Predicate<String> EXPECTED = answer -> answer.matches("20[012].*|503.*");

  private static final String NO_ANSWER = "no answer";

  /** Maximum difference between the clocks of the ledger and of this process. */
  private static final long SKEW_MAX_MS = 2_000;

  private final SeasonBooks books;
  private final List<BookedOrder> orders;
  private final List<String> breaches = new ArrayList<>();

  private SeasonCheck(SeasonBooks books, Map<String, BookedOrder> orders) {
    this.books = books;
    this.orders = orders.values().stream().filter(order -> order.skuId() == books.skuId()).toList();
  }

  /**
   * One line per breach.
   *
   * @param orders by token
   * @param txns all rows of {@code stock_txn}, oldest first
   * @param seasons the sales that the operator has put, oldest first
   */
  public static List<String> breaches(
      SeasonBooks books, Map<String, BookedOrder> orders, List<Txn> txns, List<Season> seasons) {
    var check = new SeasonCheck(books, orders);
    check.sales(seasons);
    check.oneOrderPerBuyer();
    check.eachInItsTime(seasons);
    check.allOverBeforeTheNext(txns);
    check.soldIsItsOwn();
    return check.breaches;
  }

  /**
   * Refusals that say of no order that it is over.
   *
   * @param binds whether an answer must still hold: false where it came from a ledger that was put
   *     back to a backup afterwards
   */
  public static List<String> refusals(
      SeasonBooks books,
      Map<String, BookedOrder> orders,
      List<OrderStory> stories,
      Predicate<BookedMark> binds) {
    Set<String> over =
        orders.values().stream()
            .filter(order -> order.skuId() == books.skuId() && ENDED.contains(order.status()))
            .map(BookedOrder::userId)
            .collect(Collectors.toSet());
    return stories.stream()
        .filter(story -> story.wanted().skuId() == books.skuId())
        .filter(story -> !over.contains(story.wanted().userId()))
        .flatMap(story -> story.tolds().stream())
        .filter(told -> told.ask() == Ask.PLACE && told.answer().equals("409 order-ended"))
        .filter(binds)
        .map(told -> "no order of the buyer is over: " + told)
        .toList();
  }

  /**
   * Answers that an operator must not get who does one thing after the other. An end that was not
   * answered may come late, and end the next sale.
   */
  public static List<String> strange(List<Heard> answers) {
    var strange = new ArrayList<String>();
    boolean mayBeLate = false;
    for (Heard heard : answers) {
      boolean isLate = mayBeLate && heard.answer().equals("409 ending");
      mayBeLate |= heard.step() == Step.END && heard.answer().equals(NO_ANSWER);
      if (!isLate && !heard.answer().equals(NO_ANSWER) && !EXPECTED.test(heard.answer())) {
        strange.add("the operator was answered: " + heard);
      }
    }
    return strange;
  }

  /**
   * What an ended sale has left.
   *
   * @param keys of the SKU, in Redis
   * @param ended its buckets that have ended
   * @param buckets how many it has
   */
  public static List<String> left(List<String> keys, List<Stock> ended, int buckets) {
    var left = new ArrayList<String>();
    keys.forEach(key -> left.add("still in Redis: " + key));
    ended.stream()
        .filter(bucket -> bucket.held() != 0)
        .forEach(bucket -> left.add("held in an ENDED bucket: " + bucket));
    if (ended.size() != buckets) {
      left.add("%d of %d buckets have ended".formatted(ended.size(), buckets));
    }
    return left;
  }

  private void sales(List<Season> seasons) {
    List<String> put = seasons.stream().map(Season::saleId).toList();
    List<String> known = books.sales().stream().map(SaleRow::saleId).toList();
    if (!known.equals(put)) {
      breaches.add("the operator has put %s, the ledger has %s".formatted(put, known));
    }
  }

  /** Each buyer has one request, which is an order at most once in each sale. */
  private void oneOrderPerBuyer() {
    Map<String, BookedOrder> seen = new HashMap<>();
    for (BookedOrder order : orders) {
      BookedOrder other = seen.put(books.saleNo(order) + " " + order.userId(), order);
      if (other != null) {
        breaches.add("one request got two orders in a sale: %s, %s".formatted(other, order));
      }
    }
  }

  private void eachInItsTime(List<Season> seasons) {
    Map<String, Season> byId =
        seasons.stream().collect(Collectors.toMap(Season::saleId, Function.identity()));
    Map<Long, String> idOf =
        books.sales().stream().collect(Collectors.toMap(SaleRow::saleNo, SaleRow::saleId));
    for (BookedOrder order : orders) {
      Season season = byId.get(idOf.getOrDefault(books.saleNo(order), ""));
      if (season == null) {
        breaches.add("an order of no sale: %s of %d".formatted(order, books.saleNo(order)));
        continue;
      }
      order.txns().stream()
          .filter(txn -> txn.action().equals("HOLD"))
          .filter(
              hold ->
                  hold.createdAtMs() < season.putMs() - SKEW_MAX_MS
                      || hold.createdAtMs() - SKEW_MAX_MS > season.endedMs())
          .forEach(hold -> breaches.add("%s of %s outside of %s".formatted(hold, order, season)));
    }
  }

  private void allOverBeforeTheNext(List<Txn> txns) {
    Map<Integer, Long> held = new HashMap<>();
    for (Txn txn : txns) {
      if (txn.skuId() == books.skuId()) {
        long change =
            switch (txn.action()) {
              case "HOLD" -> txn.qty();
              case "CONFIRM", "CANCEL" -> -txn.qty();
              default -> 0;
            };
        long now = held.merge(txn.bucket(), change, Long::sum);
        if (txn.token().startsWith("!sale-") && now != 0) {
          breaches.add("%d units were held where %s began: %s".formatted(now, txn.token(), txn));
        }
      }
    }
  }

  private void soldIsItsOwn() {
    Map<Long, Long> sold =
        orders.stream()
            .filter(order -> order.status().equals("CONFIRMED"))
            .collect(
                Collectors.groupingBy(books::saleNo, Collectors.summingLong(BookedOrder::qty)));
    books.sales().stream()
        .filter(sale -> sale.sold() != null)
        .filter(sale -> sale.sold() != sold.getOrDefault(sale.saleNo(), 0L).longValue())
        .forEach(
            sale ->
                breaches.add(
                    "%s, but its orders have bought %d"
                        .formatted(sale, sold.getOrDefault(sale.saleNo(), 0L))));
  }
}
