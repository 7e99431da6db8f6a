package io.sluice.grant;

import static io.sluice.grant.Desk.refusal;
import static io.sluice.grant.Desk.refused;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.grant.OrderWish.Line;
import io.sluice.model.Refusal;
import io.sluice.stock.GrantOutcome;
import io.vertx.core.Future;
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
    assertThat(calls.get(2).only().token()).isNotEqualTo(calls.get(0).only().token());
  }

  @Test
  void shouldAskForTheOrderOfTheLeadAloneOnlyWhenTheKeyIsTheSame() {
    // given
    unit.reservations.place(Desk.wish("alice", LEAD, 1, "k1"), SkuEntry.OPEN);

    // when
    placeAndGrant("k1", new Line(LEAD, 1), new Line(OTHER, 2));
    placeAndGrant(null, new Line(LEAD, 1), new Line(OTHER, 2));

    // then
    assertThat(calls.get(1).only().token()).isEqualTo(calls.get(0).only().token());
    assertThat(calls.get(2).only().token()).isNotEqualTo(calls.get(0).only().token());
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
    assertThat(calls.get(1).only().token()).isEqualTo(calls.get(0).only().token());
    assertThat(calls.get(2).only().token()).isNotEqualTo(calls.get(0).only().token());
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
    assertThat(last().only().token()).isNotEqualTo(calls.get(0).only().token());
  }

  // ---- the answer

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
    assertThat(refusal(placed)).isEqualTo(Refusal.ORDER_ENDED);
    assertThat(refused(placed).skuId()).isZero();
  }
}
