package io.sluice.events;

import io.vertx.core.json.JsonObject;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.NullMarked;

/**
 * What a shop does with the events of orders, as docs/events.md tells it to. Events come at least
 * once, and older ones may come again after newer ones. A shop keeps both tables in its database,
 * in the transaction in which it acts.
 */
@NullMarked
final class OrderListener {
  /** Events that ask for something to be done, each once, whatever has become of the order. */
  private static final Set<String> DEEDS =
      Set.of("STOCK_RETURNED", "PAYMENT_LATE", "PAYMENT_DOUBLE");

  private final Map<String, Long> versions = new HashMap<>();
  private final Set<String> done = new HashSet<>();
  private final Consumer<JsonObject> state;
  private final Consumer<JsonObject> deed;

  /**
   * @param state takes over what an order is now
   * @param deed does what an event asks for: restocks units, pays money back
   */
  OrderListener(Consumer<JsonObject> state, Consumer<JsonObject> deed) {
    this.state = state;
    this.deed = deed;
  }

  void heard(JsonObject event) {
    String token = event.getString("order_token");
    if (token == null) {
      return;
    }
    long version = event.getLong("version");
    String type = event.getString("type");
    String once =
        String.join(" ", type, token, "" + version, "" + event.getLong("line_sku_id", 0L));
    if (DEEDS.contains(type) && done.add(once)) {
      deed.accept(event);
    }
    if (version > versions.getOrDefault(token, 0L)) {
      versions.put(token, version);
      state.accept(event);
    }
  }
}
