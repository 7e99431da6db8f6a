package io.sluice.chaos.check;

import io.sluice.chaos.fault.Rewinds;
import io.sluice.testkit.kafka.TopicReader.Entry;
import io.vertx.core.json.JsonObject;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.LongStream;

/**
 * Compares {@code stock-events} with the orders: every version of each order is announced, each for
 * the first time after the version before it (repeats are allowed), and the last one has the
 * order's final status. An order of several SKUs is announced as a whole, each change once.
 */
public final class EventCheck {
  private static final String STALE = "STALE_GRANT_DROPPED";

  private final Map<String, List<JsonObject>> byToken;
  private final Rewinds rewinds;

  public EventCheck(List<Entry> entries, Rewinds rewinds) {
    this.rewinds = rewinds;
    byToken =
        entries.stream()
            .filter(entry -> entry.value() != null)
            .map(Entry::json)
            .filter(json -> json.getString("order_token") != null)
            .filter(json -> !STALE.equals(json.getString("type")))
            .collect(Collectors.groupingBy(json -> json.getString("order_token")));
  }

  /** The announcements of an order, to explain a breach. */
  public List<String> of(String token) {
    return byToken.getOrDefault(token, List.of()).stream()
        .map(
            json ->
                "v%d %s %s"
                    .formatted(
                        json.getLong("version"), json.getString("type"), json.getString("status")))
        .toList();
  }

  public List<String> breaches(BookedOrder order) {
    var breaches = new ArrayList<String>();
    List<JsonObject> events = byToken.getOrDefault(order.token(), List.of());
    List<Long> first = events.stream().map(event -> event.getLong("version")).distinct().toList();
    List<Long> all = LongStream.rangeClosed(1, order.version()).boxed().toList();
    if (rewinds.reopened(order)) {
      // Versions that the ledger has forgotten may have been announced, so only the last event
      // counts.
      return order.status().equals(last(events, order.version()))
          ? List.of()
          : List.of("the last event says " + last(events, order.version()));
    }
    if (order.isLine()) {
      breaches.addAll(CartEvents.breaches(order, events));
    } else if (!first.equals(all)) {
      breaches.add("events are %s, expected %s".formatted(first, all));
    }
    if (breaches.isEmpty() && !order.status().equals(last(events, order.version()))) {
      breaches.add("the last event says " + last(events, order.version()));
    }
    boolean late = events.stream().anyMatch(e -> "PAYMENT_LATE".equals(e.getString("type")));
    if (late != order.latePaidAtMs() > 0) {
      breaches.add("PAYMENT_LATE and late_paid_at differ");
    }
    return breaches;
  }

  /** Announced tokens that have no order. */
  public List<String> strangers(Map<String, BookedOrder> orders) {
    return byToken.keySet().stream()
        .filter(token -> !orders.containsKey(token) && !rewinds.forgot(token))
        .toList();
  }

  private static String last(List<JsonObject> events, long version) {
    return events.stream()
        .filter(event -> event.getLong("version") == version)
        .map(event -> event.getString("status"))
        .reduce((earlier, later) -> later)
        .orElse("nothing");
  }
}
