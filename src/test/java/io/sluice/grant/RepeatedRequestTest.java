package io.sluice.grant;

import static io.sluice.grant.Desk.answer;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.grant.PlacedOrder.Accepted;
import io.sluice.grant.PlacedOrder.Refused;
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

/** The answer to a repeated request whose first one was granted. */
class RepeatedRequestTest {
  private final Desk unit = new Desk();
  private final Grant recorded = unit.grant("alice");

  @Test
  void shouldPutTheRecordedGrantOnTheLogAgainWhenItIsUnbooked() {
    // given
    Future<PlacedOrder> placed = unit.place("alice");

    // when
    unit.stock.last().reply(0, request -> new GrantOutcome.Already(recorded, true));

    // then
    assertThat(unit.log.last().commands())
        .isEqualTo(List.of(new Command.Reserve(recorded, ScriptedStock.RUN, null)));
    assertThat(placed.isComplete()).isFalse();
    assertThat(unit.count("sluice_grants")).isZero();
  }

  @Test
  void shouldAcceptAsReservedWhenTheUnbookedGrantIsDurable() {
    // given
    Future<PlacedOrder> placed = unit.place("alice");
    unit.stock.last().reply(0, request -> new GrantOutcome.Already(recorded, true));

    // when
    unit.log.ack(9);

    // then
    assertThat(answer(placed)).isEqualTo(new Accepted(Order.reserved(recorded), false));
  }

  @Test
  void shouldBeUnavailableWhenTheUnbookedGrantCannotBeMadeDurable() {
    // given
    Future<PlacedOrder> placed = unit.place("alice");
    unit.stock.last().reply(0, request -> new GrantOutcome.Already(recorded, true));

    // when
    unit.log.last().ack().fail("timeout");

    // then
    assertThat(((Refused) answer(placed)).refusal()).isEqualTo(Refusal.UNAVAILABLE);
  }

  @Test
  void shouldTellTheLedgersStatusWhenTheGrantIsBooked() {
    // given
    unit.ledger.put(unit.order("alice", OrderStatus.CONFIRMED, 2));

    // when
    Future<PlacedOrder> placed = repeatBooked(recorded);

    // then
    assertThat(answer(placed))
        .isEqualTo(new Accepted(unit.order("alice", OrderStatus.CONFIRMED, 2), false));
    assertThat(unit.log.appends).isEmpty();
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
  void shouldAcceptAsPendingAfterABoundedWaitWhenTheLedgerIsSlow() {
    // given
    unit.catalog.find(Desk.SKU);
    unit.ledger.hold();
    Future<PlacedOrder> placed = repeatBooked(recorded);
    unit.time.advanceMs(299);
    assertThat(placed.isComplete()).isFalse();

    // when
    unit.time.advanceMs(1);

    // then
    assertThat(statusOf(placed)).isEqualTo(OrderStatus.PENDING);
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
