package io.sluice.sale;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.testkit.site.Answer;
import io.sluice.testkit.site.Buyer;
import io.sluice.testkit.site.Sale;
import io.sluice.testkit.site.SaleSite;
import io.vertx.core.Future;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import java.util.stream.IntStream;

/** A service that has only a database, as its operators and listeners see it. */
record LedgerAlone(SaleSite site) {
  /** A service of two instances, which have neither Redis nor Kafka. */
  static SaleSite newSite() {
    return SaleSite.withInstances(2)
        .withFaults()
        .setting("SLUICE_REDIS_URI", "")
        .setting("SLUICE_KAFKA_BOOTSTRAP_SERVERS", "")
        .setting("SLUICE_RECONCILE_INTERVAL_MS", 500);
  }

  Answer ask(String path) {
    return site.desk("GET", path);
  }

  Answer put(String path, JsonObject body) {
    return site.desk("PUT", path, body);
  }

  List<Supplier<Future<Answer>>> orders(Sale sale, int buyers) {
    return IntStream.range(0, buyers)
        .<Supplier<Future<Answer>>>mapToObj(
            i -> () -> sale.ordering(Buyer.named("buyer-" + i), "", 1))
        .toList();
  }

  /** All events so far, page by page. */
  List<JsonObject> events() {
    List<JsonObject> all = new ArrayList<>();
    String after = "0";
    while (true) {
      JsonObject page = ask("/admin/events?limit=7&after=" + after).json();
      JsonArray events = page.getJsonArray("events");
      if (events.isEmpty()) {
        assertThat(page.getString("next")).isEqualTo(after);
        return all;
      }
      events.forEach(event -> all.add((JsonObject) event));
      after = page.getString("next");
    }
  }

  List<String> eventsOf(String token) {
    return events().stream()
        .filter(event -> token.equals(event.getString("order_token")))
        .map(event -> event.getString("type"))
        .toList();
  }
}
