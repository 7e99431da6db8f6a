package io.sluice.model;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class LimitsTest {

  static Stream<String> userIds() {
    return Stream.of(
        "a",
        "alice",
        "A-Z_0.9@x",
        "auth0|64f1c2",
        "f:5c1d:bob",
        "bob+drop@x.com",
        "\"'\\!~",
        ".",
        "u".repeat(128));
  }

  static Stream<String> noUserIds() {
    return Stream.of("", " ", "al ice", "é", "a\n", "a\u007f", "u".repeat(129));
  }

  @ParameterizedTest
  @MethodSource("userIds")
  void shouldTakeAUserIdWhenItsFormIsRight(String text) {
    // when
    boolean taken = Limits.isUserId(text);

    // then
    assertThat(taken).isTrue();
  }

  @ParameterizedTest
  @MethodSource("noUserIds")
  void shouldNotTakeAUserIdWhenItsFormIsWrong(String text) {
    // when
    boolean taken = Limits.isUserId(text);

    // then
    assertThat(taken).isFalse();
  }

  @ParameterizedTest
  @CsvSource({
    "alice, true",
    "A-Z_0.9@x, true",
    "auth0|64f1c2, false",
    "f:5c1d:bob, false",
    "bob+drop@x.com, false"
  })
  void shouldTellWhichUserIdsReleasesOfBeforeTake(String text, boolean plain) {
    // when
    boolean taken = Limits.isPlainUserId(text);

    // then
    assertThat(taken).isEqualTo(plain);
    assertThat(Limits.isPlainUserId("u".repeat(64))).isTrue();
    assertThat(Limits.isPlainUserId("u".repeat(65))).isFalse();
  }

  @ParameterizedTest
  @ValueSource(strings = {"r1", "2026-11-27:up", "A.b_c@d"})
  void shouldTakeARestockIdWhenItsFormIsRight(String text) {
    // given
    String tooLong = text.repeat(64);

    // when
    boolean taken = Limits.isRestockId(text);

    // then
    assertThat(taken).isTrue();
    assertThat(Limits.isRestockId(tooLong)).isFalse();
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "r#1", "r 1", "r/1"})
  void shouldNotTakeARestockIdWhenItsFormIsWrong(String text) {
    // when
    boolean taken = Limits.isRestockId(text);

    // then
    assertThat(taken).isFalse();
  }

  @ParameterizedTest
  @ValueSource(strings = {"s", "phones-12", "A.b_c-9"})
  void shouldTakeASaleIdWhenItsFormIsRight(String text) {
    // given
    String longest = "x".repeat(64 - text.length()) + text;

    // when
    boolean taken = Limits.isSaleId(text) && Limits.isSaleId(longest);

    // then
    assertThat(taken).isTrue();
    assertThat(Limits.isSaleId(longest + "x")).isFalse();
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "a b", "a/b", "a:b", "a@b", "!initial", "é"})
  void shouldNotTakeASaleIdWhenItsFormIsWrong(String text) {
    // when
    boolean taken = Limits.isSaleId(text);

    // then
    assertThat(taken).isFalse();
  }

  @ParameterizedTest
  @ValueSource(strings = {"n", "Singles' day, phones", "\u5149\u68CD\u8282 \uD83D\uDCF1"})
  void shouldTakeASaleNameWhenItCanBeShown(String text) {
    // given
    String tooLong = text + "x".repeat(129 - text.length());

    // when
    boolean taken = Limits.isSaleName(text);

    // then
    assertThat(taken).isTrue();
    assertThat(Limits.isSaleName(tooLong)).isFalse();
  }

  @ParameterizedTest
  @ValueSource(strings = {"", " ", "a\tb", "a\u0000", "\uD83D", "\uDCF1a"})
  void shouldNotTakeASaleNameWhenItCannotBeShown(String text) {
    // when
    boolean taken = Limits.isSaleName(text);

    // then
    assertThat(taken).isFalse();
  }

  @ParameterizedTest
  @ValueSource(strings = {"k", "!", "~", "a:b|c#d/\"e"})
  void shouldTakeARequestKeyWhenItIsVisibleAscii(String text) {
    // given
    String longest = "x".repeat(128 - text.length()) + text;

    // when
    boolean taken = Limits.isRequestKey(text) && Limits.isRequestKey(longest);

    // then
    assertThat(taken).isTrue();
    assertThat(Limits.isRequestKey(longest + "x")).isFalse();
  }

  @ParameterizedTest
  @ValueSource(strings = {"", " ", "a b", "a\t", "é", "\u007f"})
  void shouldNotTakeARequestKeyWhenItIsNotVisibleAscii(String text) {
    // when
    boolean taken = Limits.isRequestKey(text);

    // then
    assertThat(taken).isFalse();
  }
}
