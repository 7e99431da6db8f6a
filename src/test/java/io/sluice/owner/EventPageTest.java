package io.sluice.owner;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.ledger.OutboxRow;
import io.sluice.ledger.OutboxRow.OutboxKind;
import io.sluice.orderlog.Event;
import io.sluice.orderlog.EventPublisher.PartlyPublishedException;
import io.sluice.orderlog.LogUnavailableException;
import io.sluice.owner.EventRelay.EventPage;
import java.util.BitSet;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** An event is written as the letter of its order and its number: {@code A1}, {@code A2}. */
class EventPageTest {
  private static final Throwable UNKNOWN = new LogUnavailableException("no ack");

  private static OutboxRow row(long id, String events) {
    return new OutboxRow(id, 0, OutboxKind.EVENT, "TYPE", events, 0);
  }

  private static List<Event> eventsOf(OutboxRow row) {
    return Stream.of(row.payload().split(" "))
        .map(event -> new Event(row.eventType(), event.substring(0, 1), event))
        .toList();
  }

  private static EventPage page(Map<Long, EventPage.Known> before, OutboxRow... rows) {
    return new EventPage(List.of(rows), EventPageTest::eventsOf, before);
  }

  private static List<String> unsent(EventPage page) {
    return page.unsent().stream().map(Event::payload).toList();
  }

  /** Only these events of the page are acknowledged. */
  private static Throwable only(EventPage page, String... events) {
    BitSet acknowledged = new BitSet();
    List<String> sent = unsent(page);
    IntStream.range(0, sent.size())
        .filter(index -> List.of(events).contains(sent.get(index)))
        .forEach(acknowledged::set);
    return new PartlyPublishedException(acknowledged, UNKNOWN);
  }

  @Test
  void shouldBeDoneWhenAllIsAcknowledged() {
    // given
    EventPage unit = page(Map.of(), row(1, "A1 B1"), row(2, "A2"));

    // when
    unit.published(null);

    // then
    assertThat(unit.done()).extracting(OutboxRow::id).containsExactly(1L, 2L);
  }

  @Test
  void shouldSendAllAgainWhenNothingIsKnown() {
    // given
    EventPage unit = page(Map.of(), row(1, "A1 B1"), row(2, "A2"));

    // when
    unit.published(UNKNOWN);
    EventPage next = page(unit.learnt(), row(1, "A1 B1"), row(2, "A2"));

    // then
    assertThat(unit.done()).isEmpty();
    assertThat(unsent(next)).containsExactly("A1", "B1", "A2");
  }

  @Test
  void shouldSendOnlyTheRestAgainWhenAPartIsAcknowledged() {
    // given
    EventPage unit = page(Map.of(), row(1, "A1 B1"), row(2, "C1"), row(3, "D1 E1"));

    // when
    unit.published(only(unit, "A1", "C1", "E1"));
    EventPage next = page(unit.learnt(), row(1, "A1 B1"), row(3, "D1 E1"), row(4, "A2"));
    List<String> sentNext = unsent(next);
    next.published(null);

    // then
    assertThat(unit.done()).extracting(OutboxRow::id).containsExactly(2L);
    assertThat(sentNext).containsExactly("B1", "D1", "A2");
    assertThat(next.done()).extracting(OutboxRow::id).containsExactly(1L, 3L, 4L);
  }

  /** A successor sends whole rows: the older event of an order behind the newer one. */
  @Test
  void shouldMarkNoRowBeforeAnEarlierOneOfTheSameOrder() {
    // given
    EventPage unit = page(Map.of(), row(1, "X1"), row(2, "A1 X2"), row(3, "A2"), row(4, "B1"));

    // when
    unit.published(only(unit, "X1", "A1", "A2", "B1"));
    EventPage next = page(unit.learnt(), row(2, "A1 X2"), row(3, "A2"));
    List<String> sentNext = unsent(next);
    next.published(null);

    // then
    assertThat(unit.done()).extracting(OutboxRow::id).containsExactly(1L, 4L);
    assertThat(sentNext).containsExactly("X2");
    assertThat(next.done()).extracting(OutboxRow::id).containsExactly(2L, 3L);
  }

  @Test
  void shouldSendTheRowThatGotTheIdOfAnotherInARestoredLedger() {
    // given
    EventPage unit = page(Map.of(), row(1, "A1 B1"));
    unit.published(only(unit, "A1"));

    // when
    EventPage next = page(unit.learnt(), row(1, "C1 B1"));

    // then
    assertThat(unsent(next)).containsExactly("C1", "B1");
  }
}
