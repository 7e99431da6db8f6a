package io.sluice.admin.page;

import io.sluice.async.ThrottledTask;
import io.sluice.ledger.SaleLedger;
import io.sluice.ledger.SaleLedger.Seen;
import io.sluice.model.Sale;
import io.vertx.core.Future;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.time.Duration;
import java.util.List;
import java.util.NavigableMap;
import java.util.TreeMap;
import java.util.function.LongSupplier;

/**
 * Follows the sales that have not ended, {@link #SHOWN_MAX} at most. It reads only while it is
 * asked: a page of sales each {@link #EVERY}, around and around, so that one that begins is found
 * however many have ended.
 */
final class SaleWatch {
  static final int SHOWN_MAX = 10;
  static final int PAGE = 100;
  static final Duration EVERY = Duration.ofSeconds(2);

  private final SaleLedger ledger;
  private final ThrottledTask look;

  /** By their ids; one more than is shown, which tells that there are more. */
  private final NavigableMap<String, Sale> going = new TreeMap<>();

  private String pageAfter = "";

  /**
   * @param nanoTime a monotonic clock
   */
  SaleWatch(SaleLedger ledger, LongSupplier nanoTime) {
    this.ledger = ledger;
    this.look = new ThrottledTask(this::look, EVERY, nanoTime);
  }

  /** May start a read, which the next call shows. */
  void ask() {
    look.ask();
  }

  /** Those that have not ended, as they are at this time, in the order of their ids. */
  JsonArray json(long nowMs) {
    JsonArray all = new JsonArray();
    going.values().stream()
        .limit(SHOWN_MAX)
        .forEach(
            sale ->
                all.add(
                    new JsonObject()
                        .put("sale_id", sale.saleId())
                        .put("name", sale.name())
                        .put("state", sale.at(nowMs).name())
                        .put("opens_at", sale.terms().opensAtMs())
                        .put("closes_at", sale.terms().closesAtMs())));
    return all;
  }

  /** Whether more than those have not ended. */
  boolean hasMore() {
    return going.size() > SHOWN_MAX;
  }

  private Future<?> look() {
    String after = pageAfter;
    return ledger.sales(after, PAGE).onSuccess(page -> note(after, page));
  }

  /** The page replaces all that was known of the ids that it covers. */
  private void note(String after, List<Seen> page) {
    boolean isLast = page.size() < PAGE;
    pageAfter = isLast ? "" : page.get(page.size() - 1).sale().saleId();
    NavigableMap<String, Sale> covered =
        isLast ? going.tailMap(after, false) : going.subMap(after, false, pageAfter, true);
    covered.clear();
    page.stream()
        .map(Seen::sale)
        .filter(sale -> !sale.state().isEnded())
        .forEach(sale -> going.put(sale.saleId(), sale));
    while (going.size() > SHOWN_MAX + 1) {
      going.pollLastEntry();
    }
  }
}
