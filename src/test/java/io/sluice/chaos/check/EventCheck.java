package io.sluice.chaos.check;

import io.sluice.chaos.fault.Rewinds;
import io.sluice.testkit.kafka.Topics.Entry;
import io.vertx.core.json.JsonObject;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.LongPredicate;
import java.util.stream.Collectors;
import java.util.stream.LongStream;

/**
 * Compares {@code stock-events} with the orders: every version of each order is announced, each for
 * the first time after the version before it (repeats are allowed), and the last one has the
 * order's final status. An order of several SKUs is announced as a whole, each change once. A topic
 * has an order in each of its partitions only; the events of an order are in one, unless its bucket
 * was placed anew for the next sale of its SKU.
 */
public final class EventCheck {
  private static final String STALE = "STALE_GRANT_DROPPED";

  /** An event, with the partition of the topic that it is in. */
  private record Event(int partition, JsonObject json) {
    long version() {
      return json.getLong("version");
    }
  }

  private final Map<String, List<Event>> byToken;
  private final Rewinds rewinds;
  private final LongPredicate placedAnew;

  /**
   * @param placedAnew whether buckets of a SKU may have been placed in another partition meanwhile
   */
  public EventCheck(List<Entry> entries, Rewinds rewinds, LongPredicate placedAnew) {
    this.rewinds = rewinds;
    this.placedAnew = placedAnew;
    byToken =
        entries.stream()
            .filter(entry -> entry.value() != null)
            .map(entry -> new Event(entry.partition(), entry.json()))
            .filter(event -> event.json().getString("order_token") != null)
            .filter(event -> !STALE.equals(event.json().getString("type")))
            .collect(Collectors.groupingBy(event -> event.json().getString("order_token")));
  }

  /** The announcements of an order, to explain a breach. */
  public List<String> of(String token) {
    return byToken.getOrDefault(token, List.of()).stream()
        .map(
            event ->
                "v%d %s %s in %d"
                    .formatted(
                        event.version(),
                        event.json().getString("type"),
                        event.json().getString("status"),
                        event.partition()))
        .toList();
  }

  public List<String> breaches(BookedOrder order) {
    var breaches = new ArrayList<String>();
    List<Event> told = byToken.getOrDefault(order.token(), List.of());
    List<JsonObject> events = told.stream().map(Event::json).toList();
    if (rewinds.reopened(order)) {
      // Versions that the ledger has forgotten may have been announced, so only the last event
      // counts: of one partition, since it may not have reached a target before its topic was
      // deleted.
      return isLastOfAPartition(told, order)
          ? List.of()
          : List.of("the last event says " + last(events, order.version()));
    }
    if (order.isLine()) {
      breaches.addAll(CartEvents.breaches(order, events));
    } else {
      breaches.addAll(versions(order, told));
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

  private List<String> versions(BookedOrder order, List<Event> told) {
    Map<Integer, List<Long>> first =
        told.stream()
            .collect(
                Collectors.groupingBy(
                    Event::partition,
                    Collectors.collectingAndThen(
                        Collectors.toList(),
                        events -> events.stream().map(Event::version).distinct().toList())));
    List<Long> all = LongStream.rangeClosed(1, order.version()).boxed().toList();
    boolean complete = told.stream().map(Event::version).distinct().sorted().toList().equals(all);
    boolean inOrder =
        first.values().stream().allMatch(each -> each.equals(each.stream().sorted().toList()));
    boolean inPlace = first.size() <= 1 || placedAnew.test(order.skuId());
    return complete && inOrder && inPlace
        ? List.of()
        : List.of("events by partition are %s, expected %s".formatted(first, all));
  }

  /** Announced tokens that have no order. */
  public List<String> strangers(Map<String, BookedOrder> orders) {
    return byToken.keySet().stream()
        .filter(token -> !orders.containsKey(token) && !rewinds.forgot(token))
        .toList();
  }

  private static boolean isLastOfAPartition(List<Event> told, BookedOrder order) {
    return told.stream().collect(Collectors.groupingBy(Event::partition)).values().stream()
        .map(all -> last(all.stream().map(Event::json).toList(), order.version()))
        .anyMatch(order.status()::equals);
  }

  private static String last(List<JsonObject> events, long version) {
    return events.stream()
        .filter(event -> event.getLong("version") == version)
        .map(event -> event.getString("status"))
        .reduce((earlier, later) -> later)
        .orElse("nothing");
  }
}
