package io.sluice.model;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class IfMatchTest {
  /** A tag that is a star in quotes was taken for the star that any tag meets. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "*|true",
        "\"a\"|true",
        "\"b\" \"a\"|true",
        "\"b\"|false",
        "\"*\"|false",
        "\"\"|false",
        "W/\"a\"|false",
        "W/\"*\"|false",
        "a|false"
      })
  void shouldBeMetByTheSameStrongTag(String tags, boolean isMet) {
    // given
    IfMatch unit = new IfMatch(Set.of(tags.split(" ")));

    // then
    assertThat(unit.isMet(Optional.of("a"))).isEqualTo(isMet);
    assertThat(unit.isMet(Optional.empty())).isFalse();
  }

  @Test
  void shouldBeMetByAllAndNothingWhenItIsNotGiven() {
    assertThat(IfMatch.NOTHING.isMet(Optional.of("a"))).isTrue();
    assertThat(IfMatch.NOTHING.isMet(Optional.empty())).isTrue();
    assertThat(IfMatch.of("a").isMet(Optional.of("a"))).isTrue();
  }
}
