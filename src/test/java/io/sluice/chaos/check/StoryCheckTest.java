package io.sluice.chaos.check;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.chaos.buyer.OrderStory;
import io.sluice.chaos.buyer.OrderStory.Ask;
import io.sluice.chaos.buyer.OrderStory.BookedMark;
import io.sluice.chaos.buyer.OrderStory.GrantedUnits;
import io.sluice.chaos.buyer.OrderStory.OrderRequest;
import io.sluice.chaos.check.BookedOrder.Txn;
import io.sluice.chaos.fault.Rewinds;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class StoryCheckTest {
  private static final int WINDOW_S = 1;
  private static final OrderRequest WISH = new OrderRequest(7, "alice", "k1", 1);
  private static final String TOKEN = "7.0.abc";
  private static final List<GrantedUnits> UNIT = List.of(new GrantedUnits(7, 1, 1));

  static Stream<Arguments> brokenPromises() {
    return Stream.of(
        Arguments.of("a yes without an order", story("PLACE 201 RESERVED"), null),
        Arguments.of("a yes rejected", story("PLACE 201 RESERVED"), order("REJECTED", "")),
        Arguments.of("an error", story("PLACE 500 internal"), null),
        Arguments.of(
            "a yes forgotten",
            story("PLACE 201 RESERVED", "STATUS 404 unknown-order"),
            order("CANCELED", "TIMEOUT")),
        Arguments.of(
            "paid and canceled",
            story("PLACE 201 RESERVED", "CONFIRM 200 CONFIRMED"),
            order("CANCELED", "TIMEOUT")),
        Arguments.of(
            "late and sold",
            story("PLACE 201 RESERVED", "CONFIRM 409 payment-late"),
            order("CONFIRMED", "")),
        Arguments.of(
            "late and not written down",
            story("PLACE 201 RESERVED", "CONFIRM 409 payment-late"),
            order("CANCELED", "TIMEOUT")),
        Arguments.of("sold unpaid", story("PLACE 201 RESERVED"), order("CONFIRMED", "")),
        Arguments.of("canceled unasked", story("PLACE 201 RESERVED"), order("CANCELED", "BUYER")),
        Arguments.of("canceled early", story("PLACE 201 RESERVED"), early()),
        Arguments.of("never ended", story("PLACE 201 RESERVED"), order("PENDING", "")));
  }

  @ParameterizedTest
  @MethodSource("brokenPromises")
  void shouldFindABreachWhenAPromiseWasBroken(String what, OrderStory story, BookedOrder order) {
    // when
    List<String> breaches = StoryCheck.breaches(story, order, WINDOW_S, new Rewinds());

    // then
    assertThat(breaches).as(what).isNotEmpty();
  }

  @Test
  void shouldFindTwoOrdersWhenOneWishGotBoth() {
    // given
    OrderStory story = story("PLACE 201 RESERVED");
    story.heard(new BookedMark(0, 1, Ask.PLACE, 1, "200 PENDING", "7.0.other", UNIT));

    // when
    List<String> breaches =
        StoryCheck.breaches(story, order("CANCELED", "TIMEOUT"), WINDOW_S, new Rewinds());

    // then
    assertThat(breaches).hasSize(1).first().asString().contains("several orders");
  }

  @Test
  void shouldFindABreachWhenABuyerHadLessTimeThanPromised() {
    // given
    OrderStory story = story("PLACE 201 RESERVED");

    // when
    List<String> breaches =
        StoryCheck.breaches(story, order("CANCELED", "TIMEOUT"), 10, new Rewinds());

    // then
    assertThat(breaches).hasSize(1).first().asString().contains("time to pay");
  }

  @Test
  void shouldFindNothingWhenAllWentAsTold() {
    // given
    OrderStory story =
        story(
            "PLACE 503 busy",
            "PLACE 201 RESERVED",
            "CONFIRM 200 CONFIRMED",
            "REFUND 202 CONFIRMED",
            "REFUND 200 REFUNDED");

    // when
    List<String> breaches =
        StoryCheck.breaches(story, order("REFUNDED", ""), WINDOW_S, new Rewinds());

    // then
    assertThat(breaches).isEmpty();
  }

  private static OrderStory story(String... asksAndAnswers) {
    var story = new OrderStory(WISH);
    for (String line : asksAndAnswers) {
      Ask ask = Ask.valueOf(line.split(" ", 2)[0]);
      String answer = line.split(" ", 2)[1];
      boolean yes = answer.startsWith("20");
      story.asking(ask, 0);
      story.heard(new BookedMark(0, 1, ask, 0, answer, yes ? TOKEN : "", yes ? UNIT : List.of()));
    }
    return story;
  }

  private static BookedOrder order(String status, String reason) {
    return order(status, reason, 2_000);
  }

  private static BookedOrder early() {
    return order("CANCELED", "TIMEOUT", 999);
  }

  private static BookedOrder order(String status, String reason, long endedMs) {
    var end = new Txn(2, TOKEN, 7, 0, 1, "CANCEL", endedMs);
    return new BookedOrder(
        TOKEN, 7, 0, "alice", 1, 1, 1, status, reason, 2, 1_000, 0, endedMs, List.of(end), "", 0);
  }
}
