package io.sluice.chaos.check;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.chaos.fault.Rewinds;
import io.sluice.testkit.kafka.TopicReader.Entry;
import io.vertx.core.json.JsonObject;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class EventCheckTest {
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
        IntStream.range(0, all.length).mapToObj(i -> entry(i, all[i].split(" ", 2))).toList();
    var order =
        new BookedOrder("t", 7, 0, "alice", 1, 1, 1, "CONFIRMED", "", 2, 0, 0, 0, List.of());

    // when
    List<String> found = new EventCheck(entries, new Rewinds()).breaches(order);

    // then
    assertThat(found).hasSize(breaches);
  }

  private static Entry entry(int offset, String[] versionAndStatus) {
    JsonObject json =
        new JsonObject()
            .put("type", "ANY")
            .put("order_token", "t")
            .put("version", Long.valueOf(versionAndStatus[0]))
            .put("status", versionAndStatus[1]);
    return new Entry(0, offset, "t", json.encode());
  }
}
