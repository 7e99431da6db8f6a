package io.sluice.orderlog.kafka;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.orderlog.Event;
import io.sluice.orderlog.kafka.EventSeal.Author;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.junit.jupiter.api.Test;

class EventSealTest {
  private static final Event EVENT = new Event("ORDER_BOOKED", "7.0.x", "{\"user_id\":\"bob\"}");

  private final EventSeal unit = KafkaFixture.seal("0a1b");
  private final RecordHeaders headers = new RecordHeaders();

  @Test
  void shouldKnowWhatTheLedgerHasSigned() {
    // when
    unit.addTo(headers, 3, EVENT, null);

    // then
    assertThat(unit.authorOf(headers, 3, EVENT)).isEqualTo(Author.OURS);
  }

  @Test
  void shouldKnowTheInstanceOfAHeartbeat() {
    // given
    Event heartbeat = new Event(Event.HEARTBEAT, "partition-3", "{}");

    // when
    unit.addTo(headers, 3, heartbeat, "instance-1");

    // then
    assertThat(unit.authorOf(headers, 3, heartbeat.heardFrom("instance-1"))).isEqualTo(Author.OURS);
    assertThat(unit.authorOf(headers, 3, heartbeat.heardFrom("mallory"))).isEqualTo(Author.FORGED);
  }

  /** Who can write to the topic can also copy a signature. */
  @Test
  void shouldNotBelieveASignatureOfAnythingElse() {
    // given
    unit.addTo(headers, 3, EVENT, null);
    List<Event> others =
        List.of(
            new Event("ORDER_CONFIRMED", EVENT.key(), EVENT.payload()),
            new Event(EVENT.type(), "8.0.x", EVENT.payload()),
            new Event(EVENT.type(), EVENT.key(), "{\"user_id\":\"mallory\"}"),
            new Event(EVENT.type() + "7", ".0.x", EVENT.payload()));

    // when
    List<Author> authors = others.stream().map(other -> unit.authorOf(headers, 3, other)).toList();

    // then
    assertThat(authors).containsOnly(Author.FORGED);
    assertThat(unit.authorOf(headers, 4, EVENT))
        .as("in another partition")
        .isEqualTo(Author.FORGED);
  }

  @Test
  void shouldTellTheUnsignedAndOtherLedgersFromForgers() {
    // given
    RecordHeaders ofOther = new RecordHeaders();
    KafkaFixture.seal("9f9f").addTo(ofOther, 3, EVENT, null);
    RecordHeaders withoutKey = new RecordHeaders();
    withoutKey.add(EventSeal.LEDGER_HEADER, "0a1b".getBytes(StandardCharsets.UTF_8));
    RecordHeaders withoutLedger = new RecordHeaders();
    withoutLedger.add(EventSeal.MAC_HEADER, new byte[16]);

    // when
    List<Author> authors =
        List.of(
            unit.authorOf(headers, 3, EVENT),
            unit.authorOf(ofOther, 3, EVENT),
            unit.authorOf(withoutKey, 3, EVENT),
            unit.authorOf(withoutLedger, 3, EVENT));

    // then
    assertThat(authors)
        .containsExactly(Author.UNSIGNED, Author.OTHER_LEDGER, Author.FORGED, Author.FORGED);
    assertThat(EventSeal.ledgerOf(ofOther)).isEqualTo("9f9f");
  }
}
