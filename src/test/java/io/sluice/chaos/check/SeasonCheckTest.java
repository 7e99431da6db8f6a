package io.sluice.chaos.check;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.chaos.buyer.OrderStory;
import io.sluice.chaos.buyer.OrderStory.Ask;
import io.sluice.chaos.buyer.OrderStory.BookedMark;
import io.sluice.chaos.buyer.OrderStory.OrderRequest;
import io.sluice.chaos.buyer.Seasons.Heard;
import io.sluice.chaos.buyer.Seasons.Step;
import io.sluice.chaos.fault.Rewinds;
import io.sluice.testkit.mysql.LedgerReader.Stock;
import java.util.List;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

class SeasonCheckTest {
  private static final OrderRequest WISH = new OrderRequest(SeasonScene.SKU, "alice", "k1", 1);

  /** Alice buys in both sales, with the same key. */
  private static SeasonScene sound() {
    return new SeasonScene()
        .order("7.0.a", "alice", 1)
        .order("7.0.b", "alice", 2)
        .booked("7.0.a", "HOLD", 1_000)
        .booked("7.0.a", "CONFIRM", 2_000)
        .secondSale()
        .booked("7.0.b", "HOLD", 31_000)
        .booked("7.0.b", "CONFIRM", 32_000)
        .sold(1);
  }

  static Stream<Arguments> apart() {
    return Stream.of(
        scene("bought in both", scene -> scene),
        scene("refunded later", scene -> scene.booked("7.0.a", "REFUND", 40_000).sold(0)),
        scene(
            "in the last moment",
            scene ->
                scene
                    .order("7.0.c", "bob", 2)
                    .booked("7.0.c", "HOLD", 49_999)
                    .booked("7.0.c", "CANCEL", 50_000)));
  }

  static Stream<Arguments> mixedUp() {
    return Stream.of(
        scene(
            "two orders in a sale",
            scene -> scene.order("7.0.c", "alice", 2).booked("7.0.c", "HOLD", 33_000)),
        scene(
            "booked after the end",
            scene -> scene.order("7.0.c", "bob", 2).booked("7.0.c", "HOLD", 53_000)),
        scene(
            "booked for the next sale before it was put",
            scene -> scene.order("7.0.c", "bob", 2).booked("7.0.c", "HOLD", 20_000)),
        scene(
            "booked for the first sale in the second",
            scene -> scene.order("7.0.c", "bob", 1).booked("7.0.c", "HOLD", 31_000)),
        scene(
            "of no sale", scene -> scene.order("7.0.c", "bob", 0).booked("7.0.c", "HOLD", 31_000)),
        scene("sold more than its orders", scene -> scene.sold(2)),
        scene("sold less than its orders", scene -> scene.sold(0)),
        scene("a refund is not given back", scene -> scene.booked("7.0.a", "REFUND", 40_000)),
        scene("a sale is not in the ledger", SeasonScene::thirdSale));
  }

  private static Arguments scene(String what, UnaryOperator<SeasonScene> written) {
    return Arguments.of(what, written);
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("apart")
  void shouldFindNothingWhenTheSalesAreApart(String what, UnaryOperator<SeasonScene> written) {
    // when
    List<String> breaches = written.apply(sound()).breaches();

    // then
    assertThat(breaches).as(what).isEmpty();
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("mixedUp")
  void shouldFindOneBreachWhenTheSalesAreMixedUp(String what, UnaryOperator<SeasonScene> written) {
    // when
    List<String> breaches = written.apply(sound()).breaches();

    // then
    assertThat(breaches).as(what).hasSize(1);
  }

  @Test
  void shouldFindUnitsThatWereHeldWhereTheNextSaleBegan() {
    // given
    SeasonScene scene =
        new SeasonScene()
            .order("7.0.a", "alice", 1)
            .booked("7.0.a", "HOLD", 1_000)
            .secondSale()
            .booked("7.0.a", "CANCEL", 31_000);

    // when
    List<String> breaches = scene.breaches();

    // then
    assertThat(breaches).hasSize(1).first().asString().contains("1 units were held");
  }

  @ParameterizedTest
  @CsvSource({
    "alice, CANCEL, 0", // her order is over
    "alice, CONFIRM, 1", // it is not
    "bob, CANCEL, 1" // it is another one's
  })
  void shouldFindARefusalThatNamesAnEndWhichNoOrderHas(String buyer, String end, int found) {
    // given
    SeasonScene scene =
        new SeasonScene()
            .order("7.0.a", buyer, 1)
            .booked("7.0.a", "HOLD", 1_000)
            .booked("7.0.a", end, 2_000);
    OrderStory story = new OrderStory(WISH);
    story.heard(placed(3_000, "409 order-ended", ""));

    // when
    List<String> breaches =
        SeasonCheck.refusals(scene.books(), scene.orders(), List.of(story), told -> true);

    // then
    assertThat(breaches).hasSize(found);
  }

  @ParameterizedTest
  @CsvSource({
    "202, 200, 0",
    "503 unavailable, 201, 0",
    "202, 409 in-use, 1", // the end was not the end
    "202, 409 ending, 1",
    "no answer, 409 ending, 0", // that end may have come late
    "no answer, 409 in-use, 1",
    "409 sku-frozen, 200, 1",
    "202, 500 internal, 1"
  })
  void shouldFindAnswersThatAnOperatorMustNotGet(String toEnd, String toNext, int found) {
    // given
    List<Heard> heard =
        List.of(
            new Heard(Step.END, "season-1", toEnd),
            new Heard(Step.END, "season-1", "200"),
            new Heard(Step.SELL_AGAIN, "season-2", toNext));

    // when
    List<String> strange = SeasonCheck.strange(heard);

    // then
    assertThat(strange).hasSize(found);
  }

  @ParameterizedTest
  @CsvSource({
    "'', 0, 2, 0",
    "'reserve:{p1}:7:0', 0, 2, 1", // a key is left
    "'', 1, 2, 1", // a unit is held
    "'', 0, 1, 1" // a bucket has not ended
  })
  void shouldFindWhatAnEndedSaleHasLeft(String key, long held, int endedBuckets, int found) {
    // given
    List<String> keys = key.isEmpty() ? List.of() : List.of(key);
    List<Stock> ended =
        Stream.of(
                new Stock(SeasonScene.SKU, 0, 10, held, 1), new Stock(SeasonScene.SKU, 1, 10, 0, 1))
            .limit(endedBuckets)
            .toList();

    // when
    List<String> left = SeasonCheck.left(keys, ended, 2);

    // then
    assertThat(left).hasSize(found);
  }

  @Test
  void shouldTellAStoryOfEachSaleAndOneOfWhatWasRefused() {
    // given
    OrderStory story = new OrderStory(WISH);
    story.asking(Ask.PLACE, 1_000);
    story.heard(placed(1_000, "201 RESERVED", "7.0.a"));
    story.asking(Ask.CONFIRM, "7.0.a", 2_000);
    story.heard(new BookedMark(2_000, 10, Ask.CONFIRM, 0, "409 payment-late", "7.0.a", List.of()));
    story.heard(placed(25_000, "409 not-open", ""));
    story.heard(placed(31_000, "201 RESERVED", "7.0.b"));

    // when
    List<OrderStory> parts = sound().books().parts(story).toList();

    // then
    assertThat(parts).hasSize(3);
    assertThat(parts).extracting(part -> part.tolds().size()).containsExactly(1, 2, 1);
    assertThat(parts).extracting(OrderStory::tokens).contains(List.of("7.0.a"), List.of("7.0.b"));
    assertThat(parts)
        .extracting(part -> part.asked(Ask.CONFIRM))
        .containsExactly(false, true, false);
    assertThat(parts).extracting(OrderStory::beganMs).containsOnly(1_000L);
  }

  @Test
  void shouldKeepTwoOrdersOfOneSaleTogetherSoThatTheyAreFound() {
    // given
    SeasonScene scene = sound().order("7.0.c", "alice", 2);
    OrderStory story = new OrderStory(WISH);
    story.heard(placed(31_000, "201 RESERVED", "7.0.b"));
    story.heard(placed(33_000, "201 RESERVED", "7.0.c"));

    // when
    List<String> breaches =
        scene
            .books()
            .parts(story)
            .flatMap(part -> StoryCheck.breaches(part, null, 5, new Rewinds()).stream())
            .toList();

    // then
    assertThat(breaches).anyMatch(breach -> breach.contains("several orders"));
  }

  private static BookedMark placed(long atMs, String answer, String token) {
    return new BookedMark(atMs, 10, Ask.PLACE, 0, answer, token, List.of());
  }
}
