package io.sluice.admin.page;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.orderlog.Event;
import org.junit.jupiter.api.Test;

/** What is learnt from the events of all owners. */
class HeardEventsTest {
  private final HeardEvents unit = new HeardEvents(2);

  private void heartbeat(int partition, String instance, String payload) {
    unit.heard(
        partition, new Event("HEARTBEAT", "partition-" + partition, payload).heardFrom(instance));
  }

  @Test
  void shouldKnowTheInstanceOfTheHighestTerm() {
    // when: the owner before is not gone yet
    heartbeat(1, "old", "{\"term\":4}");
    heartbeat(1, "new", "{\"term\":5}");
    heartbeat(1, "old", "{\"term\":4}");

    // then
    assertThat(unit.ownerOf(1)).isEqualTo("new");
    assertThat(unit.ownerOf(0)).isNull();
  }

  @Test
  void shouldIgnoreWhatItCannotRead() {
    // when
    heartbeat(0, null, "{\"term\":4}");
    heartbeat(0, "one", "no JSON");
    heartbeat(0, "one", "{\"term\":\"high\"}");
    heartbeat(7, "one", "{\"term\":4}");
    unit.heard(0, new Event("OF_A_LATER_RELEASE", "key", "{}"));

    // then
    assertThat(unit.ownerOf(0)).isNull();
    assertThat(unit.counts()).doesNotContainKey("OF_A_LATER_RELEASE");
  }

  @Test
  void shouldCountEventsByType() {
    // when
    unit.heard(0, new Event("ORDER_BOOKED", "key", "{}"));
    unit.heard(1, new Event("ORDER_BOOKED", "key", "{}"));

    // then
    assertThat(unit.counts()).containsEntry("ORDER_BOOKED", 2L).containsEntry("SKU_FROZEN", 0L);
  }
}
