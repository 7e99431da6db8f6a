package io.sluice.orderlog;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class EventCursorTest {
  private static final String TOPIC = "vPeOCWypqUOSepEvx0cbog";
  private static final EventCursor SOME =
      new EventCursor(
          TOPIC, 1_795_348_500_000L, Map.of(0, 0L, 1, 127L, 3, 128L, 7, Long.MAX_VALUE - 1));

  @Test
  void shouldComeBackFromItsTextWhenPartitionsAreMissing() {
    // when
    String text = SOME.text();

    // then
    assertThat(text).matches("k[A-Za-z0-9_-]+");
    assertThat(EventCursor.parse(text)).contains(SOME);
  }

  @Test
  void shouldComeBackWhenNothingIsKnown() {
    // given
    EventCursor nothing = new EventCursor(TOPIC, 0, Map.of());

    // when
    String text = nothing.text();

    // then
    assertThat(EventCursor.parse(text)).contains(nothing);
  }

  @Test
  void shouldFitIntoARequestLineWhenThereAreAsManyPartitionsAsMayBe() {
    // given
    Map<Integer, Long> offsets =
        IntStream.range(0, EventCursor.PARTITIONS_MAX)
            .boxed()
            .collect(Collectors.toMap(each -> each, each -> 30_000_000_000L + each));

    // when
    String text = new EventCursor(TOPIC, 1_795_348_500_000L, offsets).text();

    // then
    assertThat(text).hasSizeLessThan(3_600);
    assertThat(EventCursor.parse(text))
        .hasValueSatisfying(c -> assertThat(c.offsets()).isEqualTo(offsets));
  }

  /** A column that is too short for it must not look like a place that is gone. */
  @Test
  void shouldBeNoneWhenItIsCut() {
    // given
    String text = SOME.text();

    // when
    var parts = IntStream.range(0, text.length()).mapToObj(end -> text.substring(0, end));

    // then
    assertThat(parts).allSatisfy(part -> assertThat(EventCursor.parse(part)).isEmpty());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "0",
        "k",
        "k=",
        "k!",
        "x",
        "kvPeOCWypqUOSepEvx0cbogAAAA",
        "kvPeOCWypqUOSepEvx0cbog____________________AA",
        "kvPeOCWypqUOSepEvx0cbogAIEE",
      })
  void shouldBeNoneWhenItIsAnotherText(String text) {
    // when
    var parsed = EventCursor.parse(text);

    // then
    assertThat(parsed).isEmpty();
  }
}
