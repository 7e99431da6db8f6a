package io.sluice.chaos.check;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.chaos.fault.Rewinds;
import io.sluice.testkit.kafka.Topics.Entry;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class EventCheckTest {
  private static final BookedOrder PAID =
      new BookedOrder("t", 7, 0, "alice", 1, 1, 1, "CONFIRMED", "", 2, 0, 0, 0, List.of(), "", 0);

  @ParameterizedTest
  @CsvSource({
    "1 PENDING;2 CONFIRMED, 0",
    "1 PENDING;2 CONFIRMED;1 PENDING;2 CONFIRMED, 0",
    "2 CONFIRMED;1 PENDING, 1",
    "2 CONFIRMED, 1",
    "1 PENDING, 1",
    "1 PENDING;2 CANCELED, 1"
  })
  void shouldFindWhatIsMissingOrOutOfOrder(String events, int breaches) {
    // given
    String[] all = events.split(";");
    List<Entry> entries =
        IntStream.range(0, all.length).mapToObj(i -> entry(0, i, all[i].split(" ", 2))).toList();

    // when
    List<String> found = new EventCheck(entries, new Rewinds(), skuId -> false).breaches(PAID);

    // then
    assertThat(found).hasSize(breaches);
  }

  @ParameterizedTest
  @CsvSource({
    "2 CONFIRMED, 1 PENDING, true, 0", // its bucket was placed anew between them
    "2 CONFIRMED, 1 PENDING, false, 1", // it never was
    "2 CONFIRMED;1 PENDING, 2 CONFIRMED, true, 1",
    "1 PENDING, 1 PENDING, true, 1"
  })
  void shouldExpectNoOrderBetweenPartitions(
      String inOne, String inOther, boolean placedAnew, int breaches) {
    // given
    List<Entry> entries = new ArrayList<>();
    for (String event : inOne.split(";")) {
      entries.add(entry(0, entries.size(), event.split(" ", 2)));
    }
    entries.add(entry(1, 0, inOther.split(" ", 2)));

    // when
    List<String> found = new EventCheck(entries, new Rewinds(), skuId -> placedAnew).breaches(PAID);

    // then
    assertThat(found).hasSize(breaches);
  }

  @ParameterizedTest
  @CsvSource({
    "2 CANCELED;2 CONFIRMED, 2 CANCELED;2 CONFIRMED, 0",
    "2 CANCELED;2 CONFIRMED, 2 CANCELED, 0", // its topic was deleted before a target was told
    "2 CANCELED, 2 CANCELED;2 CONFIRMED, 0",
    "2 CANCELED, 2 CONFIRMED;2 CANCELED, 1"
  })
  void shouldExpectTheLastEventInOnePartitionWhenTheLedgerWasRestored(
      String inTopic, String taken, int breaches) {
    // given
    Rewinds rewinds = new Rewinds();
    rewinds.add(0, 1);
    List<Entry> entries = new ArrayList<>();
    for (String event : inTopic.split(";")) {
      entries.add(entry(0, entries.size(), event.split(" ", 2)));
    }
    for (String event : taken.split(";")) {
      entries.add(entry(-1, 0, event.split(" ", 2)));
    }

    // when
    List<String> found = new EventCheck(entries, rewinds, skuId -> false).breaches(PAID);

    // then
    assertThat(found).hasSize(breaches);
  }

  @ParameterizedTest
  @CsvSource({
    "2 ORDER_BOOKED;4 ORDER_CONFIRMED;5 REFUND_REQUESTED;6 REFUND_COMPLETED, 0",
    "2 ORDER_BOOKED;2 ORDER_BOOKED;4 ORDER_CONFIRMED;6 ORDER_REFUNDED, 0",
    "2 ORDER_BOOKED;4 ORDER_CANCELED;5 PAYMENT_LATE;6 PAYMENT_LATE, 1",
    "1 ORDER_BOOKED;2 ORDER_BOOKED;4 ORDER_CONFIRMED;6 ORDER_REFUNDED, 3",
    "2 ORDER_BOOKED;4 ORDER_CONFIRMED, 1",
    "4 ORDER_CONFIRMED;6 ORDER_REFUNDED, 1"
  })
  void shouldFindEventsOfACartThatAreNotOfAllItsLines(String events, int breaches) {
    // given
    BookedOrder whole = new CartScene().booked("REFUNDED", "HOLD", "CONFIRM", "REFUND").whole();
    List<JsonObject> told =
        Stream.of(events.split(";"))
            .map(event -> event.split(" "))
            .map(event -> event(Long.parseLong(event[0]), event[1], 7, 8))
            .toList();

    // when
    List<String> found = CartEvents.breaches(whole, told);

    // then
    assertThat(found).hasSize(breaches);
  }

  @Test
  void shouldFindAnEventOfOneLineAlone() {
    // given
    BookedOrder whole = new CartScene().booked("PENDING", "HOLD").whole();

    // when
    List<String> found = CartEvents.breaches(whole, List.of(event(2, "ORDER_BOOKED", 7)));

    // then
    assertThat(found).hasSize(1).first().asString().contains("of other lines");
  }

  private static JsonObject event(long version, String type, long... skuIds) {
    JsonArray lines = new JsonArray();
    LongStream.of(skuIds).forEach(skuId -> lines.add(new JsonObject().put("sku_id", skuId)));
    return new JsonObject().put("version", version).put("type", type).put("lines", lines);
  }

  private static Entry entry(int partition, int offset, String[] versionAndStatus) {
    JsonObject json =
        new JsonObject()
            .put("type", "ANY")
            .put("order_token", "t")
            .put("version", Long.valueOf(versionAndStatus[0]))
            .put("status", versionAndStatus[1]);
    return new Entry(partition, offset, "t", json.encode());
  }
}
