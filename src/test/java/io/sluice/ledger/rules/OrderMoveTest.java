package io.sluice.ledger.rules;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.ledger.rules.BatchChanges.OrderMove;
import io.sluice.ledger.rules.BatchChanges.OrderMove.Kind;
import io.sluice.model.Order;
import io.sluice.model.OrderStatus;
import org.junit.jupiter.api.Test;

class OrderMoveTest {
  @Test
  void shouldCountTheChangesSinceTheOrderWasBooked() {
    // given
    Order booked = BatchScene.order(OrderStatus.PENDING, false);
    Order first = booked.changed(OrderStatus.CONFIRMED, null, 2_000);
    Order second = first.changed(OrderStatus.REFUNDED, null, 3_000);

    // when
    OrderMove confirm = new OrderMove(first, Kind.CONFIRM, 2, null, false);
    OrderMove refund = new OrderMove(second, Kind.REFUND, 2, null, false);

    // then
    assertThat(confirm.step()).isEqualTo(booked.version());
    assertThat(refund.step()).isEqualTo(booked.version() + 1);
  }

  /** They raise the version as well, but are rows of another table. */
  @Test
  void shouldNotCountWhatWasToldOfTheOrderBesideItsStatus() {
    // given
    Order booked = BatchScene.order(OrderStatus.PENDING, false);
    Order noted = booked.extended(9_000, 1_000).extended(9_500, 1_500);

    // when
    OrderMove confirm = new OrderMove(noted.paid("p", 2_000), Kind.CONFIRM, 2, "p", false);

    // then
    assertThat(confirm.step()).isEqualTo(booked.version());
  }
}
