package io.sluice.chaos.fault;

import io.sluice.chaos.buyer.OrderStory;
import io.sluice.chaos.buyer.OrderStory.Ask;
import io.sluice.chaos.buyer.OrderStory.BookedMark;
import io.sluice.chaos.check.BookedOrder;
import io.sluice.testkit.kafka.Topics.Entry;
import io.vertx.core.json.JsonObject;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.Collectors;

/**
 * When the ledger was put back to a backup, and what the checks excuse for that reason. Commands in
 * the order log are booked again, so nothing is excused for them. Everything else is lost: bookings
 * past the log, and time-outs, so that an order whose time to pay was over is PENDING again until
 * it is paid or times out again.
 */
public final class Rewinds {
  private record Rewind(long backupMs, long goneMs) {
    boolean contains(long atMs) {
      return atMs >= backupMs && atMs <= goneMs;
    }
  }

  /** How long an instance may still answer from notifications that it received before. */
  private static final int HEARSAY_MS = 5_000;

  private static final Set<String> GRANTS = Set.of("RESERVE", "RESERVE_CART");
  private static final Set<String> OF_TIME_OUTS =
      Set.of("200 CANCELED", "409 payment-late", "409 order-ended");

  private final List<Rewind> rewinds = new ArrayList<>();
  private Supplier<Set<String>> logged = Set::of;
  private Set<String> inLog;

  /** The ledger lost what was committed from {@code backupMs} to {@code goneMs}. */
  public synchronized void add(long backupMs, long goneMs) {
    rewinds.add(new Rewind(backupMs, goneMs));
  }

  /** Whether the ledger was restored to an earlier state. */
  public synchronized boolean isAny() {
    return !rewinds.isEmpty();
  }

  /** Supplies the records of the order log; they are read only if something is missing. */
  public synchronized void readLog(Supplier<List<Entry>> entries) {
    logged = () -> grants(entries.get());
  }

  /** Whether a time-out of this order may have been lost. */
  public synchronized boolean reopened(BookedOrder order) {
    return rewinds.stream()
        .anyMatch(
            rewind ->
                order.payBeforeMs() <= rewind.goneMs()
                    && order.txns().stream()
                        .filter(txn -> !txn.action().equals("HOLD"))
                        .allMatch(txn -> txn.createdAtMs() >= rewind.goneMs()));
  }

  /** Whether this answer reported a time-out that was lost afterwards. */
  public synchronized boolean excuses(BookedMark told, BookedOrder order) {
    return OF_TIME_OUTS.contains(told.answer())
        && reopened(order)
        && rewinds.stream()
            .anyMatch(
                rewind ->
                    told.atMs() + told.tookMs() >= rewind.backupMs()
                        && told.atMs() <= rewind.goneMs() + HEARSAY_MS);
  }

  /** Whether this answer came from a ledger with more rows than the one that was put back. */
  public synchronized boolean mayDeny(BookedMark told) {
    return rewinds.stream()
        .anyMatch(
            rewind ->
                told.endMs() >= rewind.backupMs() && told.atMs() <= rewind.goneMs() + HEARSAY_MS);
  }

  /** Whether this order was booked past the log, and only between a backup and its restoration. */
  public synchronized boolean forgot(OrderStory story) {
    List<BookedMark> yeses =
        story.tolds().stream().filter(told -> told.ask() == Ask.PLACE && told.isYes()).toList();
    return !yeses.isEmpty()
        && yeses.stream()
            .allMatch(
                yes ->
                    rewinds.stream().anyMatch(rewind -> rewind.contains(yes.atMs() + yes.tookMs())))
        && forgot(yeses.get(0).token());
  }

  /** Whether the log does not have this order, and a ledger that may have had it was put back. */
  public synchronized boolean forgot(String token) {
    if (rewinds.isEmpty()) {
      return false;
    }
    if (inLog == null) {
      inLog = logged.get();
    }
    return !inLog.contains(token);
  }

  /** The orders that no rewind reopened. */
  public Map<String, BookedOrder> remembered(Map<String, BookedOrder> orders) {
    return orders.entrySet().stream()
        .filter(entry -> !reopened(entry.getValue()))
        .collect(Collectors.toMap(Map.Entry::getKey, Map.Entry::getValue));
  }

  private static Set<String> grants(List<Entry> entries) {
    var tokens = new HashSet<String>();
    for (Entry entry : entries) {
      if (entry.value().startsWith(LogBlows.FOREIGN)) {
        continue;
      }
      for (Object command : entry.json().getJsonArray("commands")) {
        var json = (JsonObject) command;
        if (GRANTS.contains(json.getString("type"))) {
          tokens.add(json.getString("order_token"));
        }
      }
    }
    return tokens;
  }
}
