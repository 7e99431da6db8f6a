package io.sluice.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The text of a cart, which stores keep: one for each cart, and none for anything else. */
class CartTest {
  private static final String MAX = "9223372036854775807";
  private static final String FIRST = "7.3.2.1.5.4";
  private static final String SECOND = "8.0.1.3.9.0";

  @Test
  void shouldReadEachFieldOfItsLines() {
    // when
    Cart cart = Cart.parse(FIRST + "," + SECOND).orElseThrow();

    // then
    assertThat(cart.lines())
        .containsExactly(
            new Cart.Line(new BucketId(7, 3), 2, 1, 5, 4),
            new Cart.Line(new BucketId(8, 0), 1, 3, 9, 0));
    assertThat(cart.lead()).isEqualTo(cart.lines().get(0));
    assertThat(cart.lineOf(8)).isEqualTo(cart.lines().get(1));
    assertThat(cart.lineOf(9)).isNull();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "7.3.2.1.5.4,8.0.1.3.9.0",
        "1.0.1.1.1.0,2.0.1.1.1.0",
        "1.255.1000.1.1.0,9223372036854775807.255.1000.1.1.0",
        "1.0.1." + MAX + "." + MAX + "." + MAX + ",2.0.1." + MAX + "." + MAX + "." + MAX,
        "9.3.1.1.1.0,10.3.1.1.1.0",
      })
  void shouldComeBackWhenParsed(String text) {
    // when
    Optional<Cart> cart = Cart.parse(text);

    // then
    assertThat(cart.map(Cart::text)).contains(text);
  }

  @ParameterizedTest
  @ValueSource(ints = {Limits.CART_LINES_MIN, Limits.CART_LINES_MAX})
  void shouldHaveAsManyLinesAsACartMayHave(int lines) {
    // when
    Cart cart = Cart.parse(text(lines)).orElseThrow();

    // then
    assertThat(cart.lines()).hasSize(lines);
    assertThat(cart.text()).isEqualTo(text(lines));
  }

  @ParameterizedTest
  @ValueSource(ints = {1, Limits.CART_LINES_MAX + 1, Limits.CART_LINES_MAX + 2, 1_000})
  void shouldBeEmptyWhenACartCannotHaveSoManyLines(int lines) {
    // when
    Optional<Cart> cart = Cart.parse(text(lines));

    // then
    assertThat(cart).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        ",",
        FIRST + ",",
        "," + FIRST,
        FIRST + ",," + SECOND,
        FIRST + "," + SECOND + ",",
        FIRST + ", " + SECOND,
        FIRST + ";" + SECOND,
        FIRST + "," + FIRST,
        FIRST + ",7.4.2.1.5.4",
        SECOND + "," + FIRST,
        FIRST + "," + SECOND + "," + SECOND,
        FIRST + ",9.0.1.1.1.0," + SECOND,
      })
  void shouldBeEmptyWhenLinesAreNotApartOrNotInOrder(String text) {
    // when
    Optional<Cart> cart = Cart.parse(text);

    // then
    assertThat(cart).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        // not six numbers
        "8.0.1.3.9",
        "8.0.1.3.9.",
        "8.0.1.3.9.0.0",
        "8.0.1.3.9,0",
        ".0.1.3.9.0",
        "8..1.3.9.0",
        "8.0..3.9.0",
        "8.0.1..9.0",
        "8.0.1.3..0",
        "08.0.1.3.9.0",
        "8.00.1.3.9.0",
        "8.0.01.3.9.0",
        "8.0.1.3.9.00",
        "8.0.+1.3.9.0",
        "8.0.1.3.9.-1",
        "8.-1.1.3.9.0",
        "8.0.x.3.9.0",
        "8.0.1.3.9.0 ",
        "8.0.1.3.9.\u0661",
        "8:0:1:3:9:0",
        // a field out of its range
        "8.256.1.3.9.0",
        "8.4294967296.1.3.9.0",
        "8.0.0.3.9.0",
        "8.0.1001.3.9.0",
        "8.0.4294967297.3.9.0",
        "8.0.1.0.9.0",
        "8.0.1.3.0.0",
        "9223372036854775808.0.1.3.9.0",
        "8.0.1.9223372036854775808.9.0",
        "8.0.1.3.9223372036854775808.0",
        "8.0.1.3.9.9223372036854775808",
        "8.0.1.3.9.99999999999999999999",
        // beyond a long; the lower 32 bits of these are a bucket and a quantity
        "8.9223372036854775808.1.3.9.0",
        "8.9223372036854776063.1.3.9.0",
        "8.0.9223372036854775809.3.9.0",
        "8.0.9223372036854776808.3.9.0",
      })
  void shouldBeEmptyWhenALineIsNotSixNumbersInTheirRanges(String line) {
    // when
    Optional<Cart> cart = Cart.parse(FIRST + "," + line);

    // then
    assertThat(cart).isEmpty();
  }

  @Test
  void shouldRefuseLinesThatAreNoCart() {
    // given
    Cart.Line first = new Cart.Line(new BucketId(7, 3), 2, 1, 5, 4);
    Cart.Line second = new Cart.Line(new BucketId(8, 0), 1, 3, 9, 0);

    // when then
    for (List<Cart.Line> lines :
        List.of(List.of(first), List.of(second, first), List.of(first, first))) {
      assertThatThrownBy(() -> new Cart(lines)).isInstanceOf(IllegalArgumentException.class);
    }
  }

  /** What is paid back is no part of what a cart is. */
  @Test
  void shouldHaveTheSameTextWhenUnitsWerePaidBack() {
    // given
    Cart cart = Cart.parse(FIRST + "," + SECOND).orElseThrow();

    // when
    Cart after = cart.refunded(List.of(1, 0));

    // then
    assertThat(after.lead().refundedQty()).isEqualTo(1);
    assertThat(after.text()).isEqualTo(cart.text());
  }

  @Test
  void shouldHaveATokenForEachLine() {
    // given
    Cart cart = Cart.parse(FIRST + "," + SECOND).orElseThrow();
    String id = "AAAAAAAAAAAAAAAAAAAAAA";

    // when
    List<OrderToken> tokens = cart.tokens(OrderToken.parse("8.0." + id).orElseThrow());

    // then
    assertThat(tokens).extracting(OrderToken::value).containsExactly("7.3." + id, "8.0." + id);
  }

  private static String text(int lines) {
    return IntStream.rangeClosed(1, lines)
        .mapToObj(skuId -> skuId + ".0.1.1.1.0")
        .collect(Collectors.joining(","));
  }
}
