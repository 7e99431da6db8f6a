package io.sluice.chaos.check;

import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Checks the events of one order of several SKUs: each names all lines, and the versions rise by
 * the number of lines with what happens to all of them, by one with what happens to one, and leave
 * nothing out. So there is one PAYMENT_LATE at most.
 */
final class CartEvents {
  private static final Set<String> OF_ALL_LINES =
      Set.of("ORDER_BOOKED", "ORDER_CONFIRMED", "ORDER_CANCELED", "ORDER_REJECTED");
  private static final Set<String> ONCE =
      Set.of(
          "ORDER_BOOKED",
          "ORDER_CONFIRMED",
          "ORDER_CANCELED",
          "ORDER_REJECTED",
          "ORDER_REFUNDED",
          "PAYMENT_LATE");

  private CartEvents() {}

  /** One line per breach. */
  static List<String> breaches(BookedOrder whole, List<JsonObject> events) {
    List<String> breaches = new ArrayList<>();
    Map<Long, JsonObject> first = new LinkedHashMap<>();
    events.forEach(event -> first.putIfAbsent(event.getLong("version"), event));
    int lines = whole.lines().size();
    long version = 0;
    for (JsonObject event : first.values()) {
      long step = event.getLong("version") - version;
      version = event.getLong("version");
      if (!isStep(event.getString("type"), step, lines)) {
        breaches.add("%s rises by %d of %d lines".formatted(event.getString("type"), step, lines));
      }
      if (!skusOf(event).equals(skusOf(whole))) {
        breaches.add("an event of other lines: " + event);
      }
    }
    if (version != whole.version()) {
      breaches.add("events lead to version %d of %d".formatted(version, whole.version()));
    }
    for (String type : ONCE) {
      if (first.values().stream().filter(e -> type.equals(e.getString("type"))).count() > 1) {
        breaches.add("several " + type);
      }
    }
    return breaches;
  }

  /** A refund of all that is left is of as many lines as have something. */
  private static boolean isStep(String type, long step, int lines) {
    if (type.equals("ORDER_REFUNDED")) {
      return step >= 1 && step <= lines;
    }
    return step == (OF_ALL_LINES.contains(type) ? lines : 1);
  }

  private static List<Long> skusOf(JsonObject event) {
    return event.getJsonArray("lines", new JsonArray()).stream()
        .map(line -> ((JsonObject) line).getLong("sku_id"))
        .toList();
  }

  private static List<Long> skusOf(BookedOrder whole) {
    return whole.granted().stream().map(units -> units.skuId()).toList();
  }
}
