package io.sluice.feed;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.ledger.DirectLedger;
import io.sluice.ledger.DirectLedger.EventNumbers;
import io.sluice.ledger.DirectLedger.NumberedEvent;
import io.sluice.orderlog.EventCursor;
import io.sluice.orderlog.EventPages.Found;
import io.sluice.orderlog.EventPages.Found.Gone;
import io.sluice.orderlog.EventPages.Found.NoCursor;
import io.sluice.orderlog.EventPages.Found.Page;
import io.sluice.testkit.Ports;
import io.vertx.core.Future;
import java.util.List;
import java.util.Map;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class NumberedPagesTest {
  private static final long NUMBERED_AT = 1_795_348_500_000L;

  private long first = 1;
  private long last = 10;
  private final NumberedPages unit =
      new NumberedPages(
          Ports.answering(
              DirectLedger.class,
              (self, method, arguments) ->
                  method.getName().equals("events")
                      ? Future.succeededFuture(events((Long) arguments[0], (Integer) arguments[1]))
                      : Future.succeededFuture(
                          first > last
                              ? new EventNumbers(0, 0, last)
                              : new EventNumbers(first, NUMBERED_AT, last))));

  private List<NumberedEvent> events(long after, int limit) {
    return LongStream.rangeClosed(Math.max(first, after + 1), last)
        .limit(limit)
        .mapToObj(number -> new NumberedEvent(number, "{\"type\":\"T" + number + "\"}"))
        .toList();
  }

  private Found after(String cursor, int limit) {
    return unit.after(cursor, limit, false).result();
  }

  @Test
  void shouldBeginAtTheOldestAndGoOnBehindIt() {
    // given
    first = 8;

    // when
    Found begin = after("0", 2);
    Found end = after("9", 2);

    // then
    assertThat(begin)
        .isEqualTo(
            new Page(
                List.of("{\"event_no\":8,\"type\":\"T8\"}", "{\"event_no\":9,\"type\":\"T9\"}"),
                "9",
                true));
    assertThat(end).isEqualTo(new Page(List.of("{\"event_no\":10,\"type\":\"T10\"}"), "10", false));
  }

  @Test
  void shouldBeEmptyAtTheEnd() {
    // when
    Found atEnd = after("10", 2);
    Found newest = after("newest", 2);

    // then
    assertThat(List.of(atEnd, newest)).containsOnly(new Page(List.of(), "10", false));
  }

  /** The next number of each cursor must be there, or not be given yet. */
  @ParameterizedTest
  @CsvSource({
    "6, 1, false",
    "6, 7, false",
    "6, 8, true",
    "6, 11, true",
    "10, 11, false",
    "11, 1, true",
    "11, 11, true",
  })
  void shouldSayThatEventsAreGoneWhenTheFollowingOneIs(long cursor, long kept, boolean gone) {
    // given
    first = kept;

    // when
    Found found = after(Long.toString(cursor), 2);

    // then
    assertThat(found instanceof Gone).isEqualTo(gone);
    if (found instanceof Gone lost) {
      assertThat(lost.keptFromMs()).isEqualTo(kept > last ? 0 : NUMBERED_AT);
    }
  }

  @Test
  void shouldSayThatEventsAreGoneWhenTheCursorIsOfATopic() {
    // when
    Found found = after(new EventCursor("vPeOCWypqUOSepEvx0cbog", 7, Map.of(0, 1L)).text(), 2);

    // then
    assertThat(found).isEqualTo(new Gone(0, 0));
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "-1", "x", "1.5", " 1", "latest", "9999999999999999999", "kx"})
  void shouldFindNoCursorInAnotherText(String text) {
    // when
    Found found = after(text, 2);

    // then
    assertThat(found).isEqualTo(new NoCursor());
  }
}
