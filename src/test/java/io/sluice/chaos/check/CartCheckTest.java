package io.sluice.chaos.check;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.chaos.buyer.OrderStory.Ask;
import io.sluice.chaos.fault.Rewinds;
import java.util.List;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class CartCheckTest {
  static Stream<Arguments> sound() {
    return Stream.of(
        scene("booked", cart -> cart.booked("PENDING", "HOLD")),
        scene("rejected", cart -> cart.booked("REJECTED")),
        scene("paid", cart -> cart.booked("CONFIRMED", "HOLD", "CONFIRM")),
        scene("canceled", cart -> cart.booked("CANCELED", "HOLD", "CANCEL")),
        scene(
            "refunded",
            cart ->
                cart.booked("REFUNDED", "HOLD", "CONFIRM", "REFUND")
                    .told(Ask.PLACE, "201 RESERVED")
                    .told(Ask.REFUND, "202 CONFIRMED")),
        scene(
            "a line refunded",
            cart ->
                cart.lead("CONFIRMED", "HOLD", "CONFIRM")
                    .follower("REFUNDED", "HOLD", "CONFIRM", "REFUND")
                    .told(Ask.PLACE, "201 RESERVED")
                    .told(Ask.COMPLETE_PART, "200 CONFIRMED")));
  }

  static Stream<Arguments> torn() {
    return Stream.of(
        scene("the lead alone", cart -> cart.booked("PENDING", "HOLD").without(CartScene.FOLLOWER)),
        scene("no lead", cart -> cart.booked("PENDING", "HOLD").without(CartScene.LEAD)),
        scene("other lists", cart -> cart.booked("PENDING", "HOLD").followerOfMore()),
        scene(
            "one line canceled",
            cart -> cart.lead("CANCELED", "HOLD", "CANCEL").follower("PENDING", "HOLD")),
        scene(
            "one line paid",
            cart -> cart.lead("CONFIRMED", "HOLD", "CONFIRM").follower("PENDING", "HOLD")),
        scene(
            "the other line refunded",
            cart ->
                cart.lead("REFUNDED", "HOLD", "CONFIRM", "REFUND")
                    .follower("CONFIRMED", "HOLD", "CONFIRM")
                    .told(Ask.PLACE, "201 RESERVED")
                    .told(Ask.COMPLETE_PART, "503 unavailable")),
        scene(
            "refunded unasked",
            cart ->
                cart.booked("REFUNDED", "HOLD", "CONFIRM", "REFUND")
                    .told(Ask.PLACE, "201 RESERVED")),
        scene(
            "a refund that was told is not there",
            cart ->
                cart.booked("CONFIRMED", "HOLD", "CONFIRM")
                    .told(Ask.PLACE, "201 RESERVED")
                    .told(Ask.COMPLETE_PART, "200 CONFIRMED")));
  }

  private static Arguments scene(String what, UnaryOperator<CartScene> written) {
    return Arguments.of(what, written);
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("sound")
  void shouldFindNothingWhenAllLinesAreOneOrder(String what, UnaryOperator<CartScene> written) {
    // when
    List<String> breaches = written.apply(new CartScene()).breaches();

    // then
    assertThat(breaches).as(what).isEmpty();
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("torn")
  void shouldFindLinesThatHaveParted(String what, UnaryOperator<CartScene> written) {
    // when
    List<String> breaches = written.apply(new CartScene()).breaches();

    // then
    assertThat(breaches).as(what).isNotEmpty();
  }

  @Test
  void shouldMakeOneOrderOfTheLines() {
    // given
    CartScene scene =
        new CartScene()
            .lead("CONFIRMED", "HOLD", "CONFIRM")
            .follower("REFUNDED", "HOLD", "CONFIRM", "REFUND");

    // when
    BookedOrder whole = scene.whole();

    // then
    assertThat(whole.token()).isEqualTo(CartScene.LEAD);
    assertThat(whole.status()).isEqualTo("CONFIRMED");
    assertThat(whole.version()).isEqualTo(5);
    assertThat(whole.lines()).containsExactly(CartScene.LEAD, CartScene.FOLLOWER);
  }

  @Test
  void shouldFindALineThatIsShownAlone() {
    // given
    CartScene scene =
        new CartScene()
            .booked("CONFIRMED", "HOLD", "CONFIRM")
            .told(Ask.PLACE, "201 RESERVED")
            .told(Ask.CONFIRM, "200 CONFIRMED")
            .told(Ask.LINE, "404 unknown-order");
    List<String> before = StoryCheck.breaches(scene.story(), scene.whole(), 8, new Rewinds());
    scene.told(Ask.LINE, "200 CONFIRMED");

    // when
    List<String> breaches = StoryCheck.breaches(scene.story(), scene.whole(), 8, new Rewinds());

    // then
    assertThat(before).isEmpty();
    assertThat(breaches).hasSize(1).first().asString().contains("a line is shown alone");
  }
}
