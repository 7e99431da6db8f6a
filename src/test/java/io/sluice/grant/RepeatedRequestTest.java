package io.sluice.grant;

import static io.sluice.grant.Desk.accepted;
import static io.sluice.grant.Desk.answer;
import static io.sluice.grant.Desk.refusal;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.grant.PlacedOrder.Accepted;
import io.sluice.model.Command;
import io.sluice.model.Grant;
import io.sluice.model.Grants;
import io.sluice.model.Order;
import io.sluice.model.OrderStatus;
import io.sluice.model.Refusal;
import io.sluice.stock.GrantOutcome;
import io.vertx.core.Future;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The answer to a repeated request whose first one was granted. */
class RepeatedRequestTest extends CartPlacingScene {
  private final Grant recorded = unit.grant("alice");

  @ParameterizedTest(name = "{0} SKUs")
  @ValueSource(ints = {1, 2})
  void shouldPutTheWholeGrantOnTheLogAgainWhenItIsUnbooked(int skus) {
    // given
    Future<PlacedOrder> placed = place("alice", skus);
    Grant granted = ScriptedStock.grant(last().only());

    // when
    last().reply(0, request -> new GrantOutcome.Already(granted, true));
    boolean answeredBeforeTheAck = placed.isComplete();
    unit.log.ackAll();

    // then
    assertThat(unit.log.last().commands())
        .isEqualTo(List.of(new Command.Reserve(granted, ScriptedStock.RUN, null)));
    assertThat(answeredBeforeTheAck).isFalse();
    assertThat(accepted(placed)).isEqualTo(new Accepted(Order.reserved(granted), false));
    assertThat(unit.count("sluice_grants")).isZero();
  }

  @ParameterizedTest(name = "{0} SKUs")
  @ValueSource(ints = {1, 2})
  void shouldTellTheLedgersStatusWhenTheGrantIsBooked(int skus) {
    // given
    Future<PlacedOrder> placed = place("alice", skus);
    Grant granted = ScriptedStock.grant(last().only());
    Order confirmed = Order.reserved(granted).changed(OrderStatus.CONFIRMED, null, 20_000);
    unit.ledger.put(confirmed);

    // when
    last().reply(0, request -> new GrantOutcome.Already(granted, false));

    // then
    assertThat(accepted(placed)).isEqualTo(new Accepted(confirmed, false));
    assertThat(unit.log.appends).isEmpty();
  }

  @ParameterizedTest(name = "{0} SKUs")
  @ValueSource(ints = {1, 2})
  void shouldAcceptAsPendingAfterABoundedWaitWhenTheLedgerIsSlow(int skus) {
    // given
    Future<PlacedOrder> placed = place("alice", skus);
    unit.ledger.hold();
    last().reply(0, asked -> new GrantOutcome.Already(ScriptedStock.grant(asked), false));
    unit.time.advance(GrantBatcher.STATUS_WAIT.minusMillis(1));
    boolean early = placed.isComplete();

    // when
    unit.time.advanceMs(1);

    // then
    assertThat(early).isFalse();
    assertThat(statusOf(placed)).isEqualTo(OrderStatus.PENDING);
  }

  @Test
  void shouldBeUnavailableWhenTheUnbookedGrantCannotBeMadeDurable() {
    // given
    Future<PlacedOrder> placed = unit.place("alice");
    unit.stock.last().reply(0, request -> new GrantOutcome.Already(recorded, true));

    // when
    unit.log.last().ack().fail("timeout");

    // then
    assertThat(refusal(placed)).isEqualTo(Refusal.UNAVAILABLE);
  }

  @Test
  void shouldAcceptAsPendingWhenTheLedgerIsDown() {
    // given
    unit.catalog.find(Desk.SKU);
    unit.ledger.down = true;

    // when
    Future<PlacedOrder> placed = repeatBooked(recorded);

    // then
    assertThat(statusOf(placed)).isEqualTo(OrderStatus.PENDING);
  }

  /** The ledger has set the time to pay by its own clock; Redis has it since its rebuild. */
  @Test
  void shouldAcceptAsPendingWhenTheClockOfRedisWasAheadAtTheGrant() {
    // given
    unit.catalog.find(Desk.SKU);
    unit.ledger.down = true;

    // when
    Future<PlacedOrder> placed = repeatBooked(recorded.payBefore(recorded.grantedAtMs() - 1));

    // then
    assertThat(statusOf(placed)).isEqualTo(OrderStatus.PENDING);
  }

  @Test
  void shouldAcceptAsPendingWhenTheLedgerDoesNotKnowTheOrder() {
    // given
    Future<PlacedOrder> placed = repeatBooked(recorded);

    // when
    OrderStatus status = statusOf(placed);

    // then
    assertThat(status).isEqualTo(OrderStatus.PENDING);
  }

  @Test
  void shouldKeepItsYesWhenTheDeadlineComesBeforeTheStatus() {
    // given
    unit.catalog.find(Desk.SKU);
    unit.ledger.hold();
    Future<PlacedOrder> placed = unit.place("alice");
    unit.time.advanceMs(1_900);
    unit.stock.last().reply(0, request -> new GrantOutcome.Already(recorded, false));

    // when
    unit.time.advanceMs(100);

    // then
    assertThat(statusOf(placed)).isEqualTo(OrderStatus.PENDING);
  }

  @Test
  void shouldAcceptAsConfirmedWhenThereWasNothingToPay() {
    // given
    Grant free = Grants.of(recorded.token(), "alice", 1, 3, 1, 10_000, 10_000);
    unit.catalog.find(Desk.SKU);
    unit.ledger.down = true;

    // when
    Future<PlacedOrder> placed = repeatBooked(free);

    // then
    assertThat(statusOf(placed)).isEqualTo(OrderStatus.CONFIRMED);
  }

  private Future<PlacedOrder> repeatBooked(Grant grant) {
    Future<PlacedOrder> placed = unit.place("alice");
    unit.stock.last().reply(0, request -> new GrantOutcome.Already(grant, false));
    return placed;
  }

  private static OrderStatus statusOf(Future<PlacedOrder> placed) {
    Accepted accepted = (Accepted) answer(placed);
    assertThat(accepted.fresh()).isFalse();
    return accepted.order().status();
  }
}
