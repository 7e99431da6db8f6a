package io.sluice.grant;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.grant.OrderWish.Line;
import io.sluice.grant.PlacedOrder.Accepted;
import io.sluice.model.Command;
import io.sluice.model.Grant;
import io.sluice.model.Order;
import io.sluice.model.OrderStatus;
import io.sluice.model.Refusal;
import io.sluice.stock.GrantOutcome;
import io.vertx.core.Future;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Which requests for several SKUs are for the same order, and what a repeated one is told. */
class CartRepeatTest extends CartPlacingScene {

  private void placeAndGrant(String requestKey, Line... lines) {
    place("alice", requestKey, lines);
    last().grantAll();
    unit.log.ackAll();
  }

  // ---- the order that is asked for

  @Test
  void shouldAskForTheSameOrderWhenTheKeyIsTheSame() {
    // when
    placeAndGrant("k1", new Line(LEAD, 1), new Line(OTHER, 2));
    placeAndGrant("k1", new Line(OTHER, 2), new Line(LEAD, 1));
    placeAndGrant("k2", new Line(LEAD, 1), new Line(OTHER, 2));

    // then
    assertThat(calls.get(1).only()).isEqualTo(calls.get(0).only());
    assertThat(calls.get(2).token()).isNotEqualTo(calls.get(0).token());
  }

  @Test
  void shouldAskForTheOrderOfTheLeadAloneOnlyWhenTheKeyIsTheSame() {
    // given
    unit.reservations.place(Desk.wish("alice", LEAD, 1, "k1"), SkuEntry.OPEN);

    // when
    placeAndGrant("k1", new Line(LEAD, 1), new Line(OTHER, 2));
    placeAndGrant(null, new Line(LEAD, 1), new Line(OTHER, 2));

    // then
    assertThat(calls.get(0).token()).isEqualTo(unit.stock.last().requests().get(0).token());
    assertThat(calls.get(1).token()).isNotEqualTo(calls.get(0).token());
  }

  @Test
  void shouldTakeTheSkusForTheKeyButNotTheirUnitsWhenThereIsNone() {
    // given
    long third = OTHER + 1;
    sell(third, 1);

    // when
    placeAndGrant(null, new Line(LEAD, 1), new Line(OTHER, 2));
    placeAndGrant(null, new Line(LEAD, 3), new Line(OTHER, 1));
    placeAndGrant(null, new Line(LEAD, 1), new Line(third, 2));

    // then
    assertThat(calls.get(1).token()).isEqualTo(calls.get(0).token());
    assertThat(calls.get(2).token()).isNotEqualTo(calls.get(0).token());
  }

  @Test
  void shouldAskForAnotherOrderInTheNextSale() {
    // given
    placeAndGrant("k1", new Line(LEAD, 1), new Line(OTHER, 2));
    sell("next", 2, LEAD, 1, PARTITION);
    sell("next", 2, OTHER, 1, PARTITION);
    unit.time.advanceMs(SECOND_MS);
    unit.catalog.doubt(LEAD);
    unit.catalog.doubt(OTHER);

    // when
    placeAndGrant("k1", new Line(LEAD, 1), new Line(OTHER, 2));

    // then
    assertThat(last().token()).isNotEqualTo(calls.get(0).token());
  }

  // ---- the answer

  @Test
  void shouldTellTheLedgersStatusWhenTheOrderIsBooked() {
    // given
    Future<PlacedOrder> placed = place("alice");
    Grant granted = grant(last().only());
    Order confirmed = Order.reserved(granted).changed(OrderStatus.CONFIRMED, null, 20_000);
    unit.ledger.put(confirmed);

    // when
    last().answer(cart -> new GrantOutcome.Already(granted, false));

    // then
    assertThat(accepted(placed)).isEqualTo(new Accepted(confirmed, false));
    assertThat(unit.log.appends).isEmpty();
  }

  @Test
  void shouldAcceptAfterABoundedWaitWhenTheLedgerIsSlow() {
    // given
    Future<PlacedOrder> placed = place("alice");
    unit.ledger.hold();
    last().answer(cart -> new GrantOutcome.Already(grant(cart), false));
    boolean answeredAtOnce = placed.isComplete();

    // when
    unit.time.advance(GrantBatcher.STATUS_WAIT);

    // then
    assertThat(answeredAtOnce).isFalse();
    assertThat(accepted(placed).fresh()).isFalse();
    assertThat(accepted(placed).order().status()).isEqualTo(OrderStatus.PENDING);
  }

  @Test
  void shouldPutTheWholeOrderOnTheLogAgainWhenALineIsUnbooked() {
    // given
    Future<PlacedOrder> placed = place("alice");
    Grant granted = grant(last().only());

    // when
    last().answer(cart -> new GrantOutcome.Already(granted, true));
    boolean answeredBeforeTheAck = placed.isComplete();
    unit.log.ackAll();

    // then
    assertThat(unit.log.last().commands())
        .isEqualTo(List.of(new Command.Reserve(granted, ScriptedStock.RUN, null)));
    assertThat(answeredBeforeTheAck).isFalse();
    assertThat(accepted(placed)).isEqualTo(new Accepted(Order.reserved(granted), false));
    assertThat(unit.count("sluice_grants")).isZero();
  }

  @Test
  void shouldRecordOnceAndAnswerBothWhenTwinsShareABatch() {
    // given
    place("first");
    Future<PlacedOrder> one = place("alice");
    Future<PlacedOrder> twin = place("alice");
    last().grantAll();
    Grant granted = grant(last().carts().get(0));

    // when
    last()
        .answer(
            List.of(new GrantOutcome.Granted(granted), new GrantOutcome.Already(granted, true)),
            Map.of());
    unit.log.ackAll();

    // then
    assertThat(unit.log.last().commands()).hasSize(1);
    assertThat(accepted(one)).isEqualTo(new Accepted(Order.reserved(granted), true));
    assertThat(accepted(twin)).isEqualTo(new Accepted(Order.reserved(granted), false));
  }

  @Test
  void shouldExpectTheLinesOfTheFirstRequestWhenTheKeyIsOfOthers() {
    // given
    Future<PlacedOrder> placed = place("alice");

    // when
    last().refuseAll(Refusal.KEY_MISMATCH, GrantOutcome.Refused.NO_LINE);

    // then
    assertThat(refused(placed)).isEqualTo(Refusals.otherLines());
  }

  @Test
  void shouldNameNoSkuWhenTheOrderHasEnded() {
    // given
    Future<PlacedOrder> placed = place("alice");

    // when
    last().refuseAll(Refusal.ORDER_ENDED, GrantOutcome.Refused.NO_LINE);

    // then
    assertThat(refused(placed).refusal()).isEqualTo(Refusal.ORDER_ENDED);
    assertThat(refused(placed).skuId()).isZero();
  }
}
