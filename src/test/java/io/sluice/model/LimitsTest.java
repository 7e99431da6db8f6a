package io.sluice.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Named.named;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import java.util.List;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

class LimitsTest {
  /** A form: its greatest length, texts that have it, and texts that do not. */
  static Stream<Arguments> forms() {
    return Stream.of(
        form(
            named("user id", Limits::isUserId),
            128,
            List.of(
                "a",
                "alice",
                "A-Z_0.9@x",
                "auth0|64f1c2",
                "f:5c1d:bob",
                "bob+drop@x.com",
                "\"'\\!~",
                "."),
            List.of("", " ", "al ice", "é", "a\n", "a\u007f")),
        form(
            named("restock id", Limits::isRestockId),
            64,
            List.of("r1", "2026-11-27:up", "A.b_c@d"),
            List.of("", "r#1", "r 1", "r/1")),
        form(
            named("sale id", Limits::isSaleId),
            64,
            List.of("s", "phones-12", "A.b_c-9"),
            List.of("", "a b", "a/b", "a:b", "a@b", "!initial", "é")),
        form(
            named("sale name", Limits::isSaleName),
            128,
            List.of("n", "Singles' day, phones", "\u5149\u68CD\u8282 \uD83D\uDCF1"),
            List.of("", " ", "a\tb", "a\u0000", "\uD83D", "\uDCF1a")),
        form(
            named("request key", Limits::isRequestKey),
            128,
            List.of("k", "!", "~", "a:b|c#d/\"e"),
            List.of("", " ", "a b", "a\t", "é", "\u007f")));
  }

  private static Arguments form(
      Named<Predicate<String>> form, int most, List<String> right, List<String> wrong) {
    return arguments(form, most, right, wrong);
  }

  @ParameterizedTest
  @MethodSource("forms")
  void shouldTakeWhatHasItsFormAndIsNotTooLong(
      Predicate<String> form, int most, List<String> right, List<String> wrong) {
    // given
    List<String> longest =
        right.stream().map(text -> "x".repeat(most - text.length()) + text).toList();

    // then
    assertThat(right).allMatch(form);
    assertThat(longest).allMatch(form);
    assertThat(longest).noneMatch(text -> form.test(text + "x"));
    assertThat(wrong).noneMatch(form);
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
}
