package io.sluice.model;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Optional;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class OrderTokenTest {
  private static final String ID = "abcdefghijklmnopqrs_-9";

  @ParameterizedTest
  @ValueSource(strings = {"1.0.", "1001.7.", "9223372036854775807.255."})
  void shouldComeBackWhenParsed(String route) {
    // given
    String text = route + ID;

    // when
    OrderToken token = OrderToken.parse(text).orElseThrow();

    // then
    assertThat(token).hasToString(text);
    assertThat(token.bucketId())
        .hasToString(route.substring(0, route.length() - 1).replace('.', ':'));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "1.0",
        "1.0.",
        "0.0." + ID,
        "01.0." + ID,
        "-1.0." + ID,
        "1.00." + ID,
        "1.256." + ID,
        "1.1000." + ID,
        "9223372036854775808.0." + ID,
        "99999999999999999999.0." + ID,
        "1.0." + ID + "x",
        "1.0.abcdefghijklmnopqrs_-",
        "1.0.abcdefghijklmnopqrs+/9",
        "1.0.abcdefghijklmnopqrs_-=",
        " 1.0." + ID,
        "1.0." + ID + "\n",
        "1:0:" + ID,
        "\u0661.0." + ID
      })
  void shouldBeEmptyWhenNoTokenCanHaveThisForm(String text) {
    // when
    Optional<OrderToken> parsed = OrderToken.parse(text);

    // then
    assertThat(parsed).isEmpty();
  }
}
