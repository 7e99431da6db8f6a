package io.sluice.orderlog.kafka;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.orderlog.Event;
import io.sluice.orderlog.kafka.EventSeal.Author;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.common.record.TimestampType;
import org.junit.jupiter.api.Test;

class EventSealTest {
  private static final int PARTITION = 3;
  private static final Event EVENT = new Event("ORDER_BOOKED", "7.0.x", "{\"user_id\":\"bob\"}");
  private static final Event HEARTBEAT =
      new Event(Event.HEARTBEAT, "partition-3", "{\"at\":\"\u00e9\u20ac\"}");

  private final EventSeal unit = KafkaFixture.seal("0a1b");

  @Test
  void shouldKnowWhatTheLedgerHasSigned() {
    // when
    Headers headers = signed(unit, EVENT, null);

    // then
    assertThat(authorOf(headers, PARTITION, EVENT)).isEqualTo(Author.OURS);
  }

  /** Instances of other releases read and write the same. */
  @Test
  void shouldSignAsAlways() {
    // when
    Headers ofEvent = signed(unit, EVENT, null);
    Headers ofHeartbeat = signed(unit, HEARTBEAT, "instance-1");

    // then
    assertThat(macOf(ofEvent)).isEqualTo("9ccb092c3d0b8180a2c9d458c2cbfbe9");
    assertThat(macOf(ofHeartbeat)).isEqualTo("3908cbaa7cdcfa4d84a0b04e26834a33");
  }

  @Test
  void shouldKnowTheInstanceOfAHeartbeat() {
    // given
    Headers headers = signed(unit, HEARTBEAT, "instance-1");
    Headers renamed = new RecordHeaders(headers.toArray());

    // when
    new InstanceName("mallory").addTo(renamed);

    // then
    assertThat(authorOf(headers, PARTITION, HEARTBEAT)).isEqualTo(Author.OURS);
    assertThat(authorOf(renamed, PARTITION, HEARTBEAT)).isEqualTo(Author.FORGED);
  }

  /** Who can write to the topic can also copy a signature. */
  @Test
  void shouldNotBelieveASignatureOfAnythingElse() {
    // given
    Headers headers = signed(unit, EVENT, null);
    List<Event> others =
        List.of(
            new Event("ORDER_CONFIRMED", EVENT.key(), EVENT.payload()),
            new Event(EVENT.type(), "8.0.x", EVENT.payload()),
            new Event(EVENT.type(), EVENT.key(), "{\"user_id\":\"mallory\"}"),
            new Event(EVENT.type() + "7", ".0.x", EVENT.payload()));

    // when
    List<Author> authors =
        others.stream()
            .map(other -> authorOf(ofType(other.type(), headers), PARTITION, other))
            .toList();

    // then
    assertThat(authors).containsOnly(Author.FORGED);
    assertThat(authorOf(headers, PARTITION + 1, EVENT))
        .as("in another partition")
        .isEqualTo(Author.FORGED);
  }

  @Test
  void shouldTellTheUnsignedAndOtherLedgersFromForgers() {
    // given
    Headers ofOther = signed(KafkaFixture.seal("9f9f"), EVENT, null);
    RecordHeaders withoutKey = new RecordHeaders();
    withoutKey.add(EventSeal.LEDGER_HEADER, "0a1b".getBytes(UTF_8));
    RecordHeaders withoutLedger = new RecordHeaders();
    withoutLedger.add(EventSeal.MAC_HEADER, new byte[16]);

    // when
    List<Author> authors =
        List.of(
            authorOf(new RecordHeaders(), PARTITION, EVENT),
            authorOf(ofOther, PARTITION, EVENT),
            authorOf(withoutKey, PARTITION, EVENT),
            authorOf(withoutLedger, PARTITION, EVENT));

    // then
    assertThat(authors)
        .containsExactly(Author.UNSIGNED, Author.OTHER_LEDGER, Author.FORGED, Author.FORGED);
    assertThat(EventSeal.ledgerOf(ofOther)).isEqualTo("9f9f");
  }

  /** The headers of an event that this ledger publishes. */
  private static Headers signed(EventSeal seal, Event event, String instance) {
    ProducerRecord<String, byte[]> record =
        new ProducerRecord<>("events", PARTITION, event.key(), event.payload().getBytes(UTF_8));
    record.headers().add(KafkaEventPublisher.TYPE_HEADER, event.type().getBytes(UTF_8));
    if (instance != null) {
      new InstanceName(instance).addTo(record.headers());
    }
    seal.addTo(record);
    return record.headers();
  }

  private static Headers ofType(String type, Headers headers) {
    return new RecordHeaders(headers.toArray())
        .add(KafkaEventPublisher.TYPE_HEADER, type.getBytes(UTF_8));
  }

  private static String macOf(Headers headers) {
    return HexFormat.of().formatHex(headers.lastHeader(EventSeal.MAC_HEADER).value());
  }

  private Author authorOf(Headers headers, int partition, Event event) {
    return unit.authorOf(
        new ConsumerRecord<>(
            "events",
            partition,
            0,
            0,
            TimestampType.CREATE_TIME,
            0,
            0,
            event.key(),
            event.payload().getBytes(UTF_8),
            headers,
            Optional.empty()));
  }
}
