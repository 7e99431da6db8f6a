package io.sluice.chaos.check;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.chaos.buyer.OrderStory.Ask;
import io.sluice.chaos.check.HistoryScene.Place;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** A consistent history, into which one contradiction is planted at a time. */
class HistoryTest {
  private final HistoryScene unit = new HistoryScene();

  /** Bucket 0 is rebuilt after bob's order. The answer to dave's order was lost. */
  @BeforeEach
  void tellTheTruth() {
    unit.booked("r1#0", "RESTOCK");
    unit.order("alice", new Place(0, 1, 2, 2), "REFUNDED", 0);
    unit.order("bob", new Place(0, 1, 3, 1), "CANCELED", 9_000);
    unit.order("carol", new Place(0, 2, 1, 1), "CONFIRMED", 0);
    unit.order("dave", new Place(1, 1, 1, 1), "REJECTED", 0);
    unit.told("alice", 1_000, Ask.PLACE, "201 RESERVED");
    unit.booked("alice", "HOLD");
    unit.told("bob", 1_020, Ask.PLACE, "503 unavailable");
    unit.told("bob", 1_500, Ask.PLACE, "200 PENDING");
    unit.booked("bob", "HOLD");
    unit.told("alice", 2_000, Ask.CONFIRM, "200 CONFIRMED");
    unit.told("alice", 2_100, Ask.STATUS, "200 PENDING");
    unit.booked("alice", "CONFIRM");
    unit.booked("bob", "CANCEL");
    unit.told("carol", 8_000, Ask.PLACE, "201 RESERVED");
    unit.booked("carol", "HOLD", "CONFIRM");
    unit.told("bob", 9_000, Ask.CONFIRM, "409 payment-late");
    unit.told("alice", 9_100, Ask.REFUND, "200 REFUNDED");
    unit.told("carol", 9_200, Ask.CONFIRM, "200 CONFIRMED");
    unit.booked("alice", "REFUND");
    unit.told("carol", 20_000, Ask.PLACE, "200 PENDING");
    unit.told("alice", 20_000, Ask.STATUS, "200 REFUNDED");
    unit.told("carol", 20_500, Ask.REFUND, "202 PENDING");
    unit.told("erin", 21_000, Ask.PLACE, "409 sold-out");
  }

  @Test
  void shouldFindNothingWhenItIsTrue() {
    // when
    List<String> breaches = unit.breaches();

    // then
    assertThat(breaches).isEmpty();
  }

  static Stream<Arguments> lies() {
    return Stream.of(
        lie(
            "a seq is granted twice in an epoch",
            "have a unit in common",
            sale -> {
              sale.order("mallory", new Place(0, 2, 1, 1), "PENDING", 0);
              sale.booked("mallory", "HOLD");
            }),
        lie(
            "one of an order's two units is granted again",
            "have a unit in common",
            sale -> {
              sale.order("alice", new Place(0, 1, 2, 2), "REFUNDED", 0);
              sale.order("bob", new Place(0, 1, 3, 2), "CANCELED", 9_000);
            }),
        lie("a yes is not held", "0 HOLD rows", sale -> sale.forget("carol", "HOLD")),
        lie(
            "a yes is in no ledger",
            "0 HOLD rows",
            sale -> sale.told("mallory", 0, Ask.PLACE, "201 RESERVED")),
        lie(
            "a canceled order is confirmed",
            "bob: CONFIRM where it was CANCELED",
            sale -> sale.booked("bob", "CONFIRM")),
        lie(
            "an order is refunded twice",
            "alice: REFUND where it was REFUNDED",
            sale -> sale.booked("alice", "REFUND")),
        lie("an order is held twice", "2 HOLD rows", sale -> sale.booked("carol", "HOLD")),
        lie(
            "an order is refunded unpaid",
            "bob: REFUND where it was CANCELED",
            sale -> sale.booked("bob", "REFUND")),
        lie(
            "a status goes back",
            "200 REFUNDED",
            sale -> sale.told("alice", 30_000, Ask.STATUS, "200 CONFIRMED")),
        lie(
            "a payment is denied",
            "200 CONFIRMED",
            sale -> sale.told("carol", 30_000, Ask.CANCEL, "200 CANCELED")),
        lie(
            "a payment of a sold order is too late",
            "carol: it is CONFIRMED and was paid too late",
            sale -> sale.order("carol", new Place(0, 2, 1, 1), "CONFIRMED", 9_000)),
        lie(
            "an order ends as its rows do not say",
            "dave: it is CANCELED, but its rows lead to no row",
            sale -> sale.order("dave", new Place(1, 1, 1, 1), "CANCELED", 0)),
        lie(
            "a grant of an epoch that is over is booked",
            "of epoch 1 was booked after carol of epoch 2",
            sale -> {
              sale.order("mallory", new Place(0, 1, 4, 1), "PENDING", 0);
              sale.booked("mallory", "HOLD");
            }),
        lie(
            "who came later got an earlier unit",
            "requested after the yes to carol, which has seq 1 of epoch 2",
            sale -> {
              sale.order("mallory", new Place(0, 1, 4, 1), "PENDING", 0);
              sale.told("mallory", 8_100, Ask.PLACE, "201 RESERVED");
            }),
        lie("a row is of no order", "a row of no order", sale -> sale.booked("mallory", "HOLD")));
  }

  private static Arguments lie(String what, String found, Consumer<HistoryScene> planted) {
    return Arguments.of(what, found, planted);
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("lies")
  void shouldFindALieWhenItIsPlanted(String what, String found, Consumer<HistoryScene> planted) {
    // given
    planted.accept(unit);

    // when
    List<String> breaches = unit.breaches();

    // then
    assertThat(breaches).as(what).anySatisfy(breach -> assertThat(breach).contains(found));
  }

  @Test
  void shouldFindNothingWhenAnInstanceStillAnswersFromWhatItHeard() {
    // given
    unit.told("alice", 9_110 + StatusWalk.STALE_MAX_MS, Ask.STATUS, "200 CONFIRMED");

    // when
    List<String> breaches = unit.breaches();

    // then
    assertThat(breaches).isEmpty();
  }
}
