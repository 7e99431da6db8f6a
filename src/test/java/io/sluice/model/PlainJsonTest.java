package io.sluice.model;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class PlainJsonTest {
  @Test
  void shouldReadWhatIsOfThisForm() {
    // given
    PlainJson unit = new PlainJson("{\"a\":12,\"b\":\"x y\",\"c\":0}".getBytes(UTF_8));

    // when
    long a = unit.number("{\"a\":");
    String b = unit.text(",\"b\":\"");
    long c = unit.number(",\"c\":");
    boolean isBefore = unit.isWhole();
    unit.pass("}");

    // then
    assertThat(a).isEqualTo(12);
    assertThat(b).isEqualTo("x y");
    assertThat(c).isZero();
    assertThat(isBefore).isFalse();
    assertThat(unit.isWhole()).isTrue();
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "x", "-1", "01", "1234567890123456789", " 1", "\"1\""})
  void shouldFailWhenTheNumberIsOfAnotherForm(String json) {
    // given
    PlainJson unit = new PlainJson(json);

    // when
    long number = unit.number("");

    // then
    assertThat(number).isZero();
    assertThat(unit.isGood()).isFalse();
  }

  @ParameterizedTest
  @CsvSource({"999999999999999999", "0", "10"})
  void shouldReadALongNumber(long number) {
    assertThat(new PlainJson(Long.toString(number)).number("")).isEqualTo(number);
  }

  @ParameterizedTest
  @ValueSource(strings = {"abc", "a\\u0041\"", "a\n\"", "\u00e9\"", "a\u007f\""})
  void shouldFailWhenTheTextIsOfAnotherForm(String json) {
    // given
    PlainJson unit = new PlainJson(json.getBytes(UTF_8));

    // when
    String text = unit.text("");

    // then
    assertThat(text).isEmpty();
    assertThat(unit.isGood()).isFalse();
  }

  /** What follows would be read at a wrong place. */
  @Test
  void shouldStayFailed() {
    // given
    PlainJson unit = new PlainJson("{\"b\":1}");

    // when
    unit.number("{\"a\":");
    long after = unit.number("{\"b\":");
    unit.pass("}");

    // then
    assertThat(after).isZero();
    assertThat(unit.isWhole()).isFalse();
  }
}
