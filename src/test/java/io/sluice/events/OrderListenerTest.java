package io.sluice.events;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.testkit.EventsPage;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** The rule of docs/events.md, on events that come twice and in the wrong order. */
class OrderListenerTest {
  private final Map<String, String> statuses = new TreeMap<>();
  private final List<JsonObject> deeds = new ArrayList<>();
  private final OrderListener unit =
      new OrderListener(
          event -> statuses.put(event.getString("order_token"), event.getString("status")),
          deeds::add);

  /** Its version is that of the refund before it; listeners were told to ignore such events. */
  @Test
  void shouldHearOfReturnedUnitsThatHaveTheVersionOfTheirRefund() {
    // given
    unit.heard(event("ORDER_REFUNDED", 4));

    // when
    unit.heard(event("STOCK_RETURNED", 4));
    unit.heard(event("STOCK_RETURNED", 4));

    // then
    assertThat(deeds).hasSize(1);
  }

  @Test
  void shouldHearOfReturnedUnitsWhenALaterEventWasReadFirst() {
    // given
    unit.heard(event("REFUND_COMPLETED", 5));
    unit.heard(event("STOCK_RETURNED", 5));

    // when
    unit.heard(event("REFUND_COMPLETED", 4));
    unit.heard(event("STOCK_RETURNED", 4));

    // then
    assertThat(deeds).extracting(one -> one.getLong("version")).containsExactly(5L, 4L);
  }

  @Test
  void shouldHearOfReturnedUnitsOfEachLine() {
    // when
    unit.heard(event("STOCK_RETURNED", 6).put("line_sku_id", 7));
    unit.heard(event("STOCK_RETURNED", 6).put("line_sku_id", 8));

    // then
    assertThat(deeds).hasSize(2);
  }

  @Test
  void shouldEndWithTheSameWhateverTheOrderAndHoweverOftenTheEventsOfThePageCome()
      throws IOException {
    // given
    List<JsonObject> once = EventsPage.orderEvents();
    once.forEach(unit::heard);
    Map<String, String> expected = new TreeMap<>(statuses);
    int expectedDeeds = deeds.size();

    for (long seed = 0; seed < 50; seed++) {
      List<JsonObject> mixed = new ArrayList<>(once);
      mixed.addAll(once);
      Collections.shuffle(mixed, new Random(seed));
      statuses.clear();
      deeds.clear();

      // when
      OrderListener other =
          new OrderListener(
              event -> statuses.put(event.getString("order_token"), event.getString("status")),
              deeds::add);
      mixed.forEach(other::heard);

      // then
      assertThat(statuses).as("seed %d", seed).isEqualTo(expected);
      assertThat(deeds).as("seed %d", seed).hasSize(expectedDeeds);
    }
    assertThat(expectedDeeds).as("a late and a double payment, returned units").isEqualTo(3);
  }

  private static JsonObject event(String type, long version) {
    return new JsonObject()
        .put("type", type)
        .put("order_token", "7.0.5t1-7wAAAAAAAAAAAAAAAA")
        .put("status", "CONFIRMED")
        .put("version", version);
  }
}
