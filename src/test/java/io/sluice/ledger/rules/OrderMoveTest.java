package io.sluice.ledger.rules;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.ledger.rules.OrderMove.Kind;
import io.sluice.model.Order;
import io.sluice.model.OrderStatus;
import io.sluice.model.Reason;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class OrderMoveTest {
  @Test
  void shouldCountTheChangesSinceTheOrderWasBooked() {
    // given
    Order booked = BatchScene.order(OrderStatus.PENDING, false);
    Order first = booked.changed(OrderStatus.CONFIRMED, null, 2_000);

    // when
    OrderMove confirm = new OrderMove(first, Kind.CONFIRM);
    OrderMove refund = new OrderMove(first.changed(OrderStatus.REFUNDED, null, 3_000), Kind.REFUND);

    // then
    assertThat(confirm.step()).isEqualTo(booked.version());
    assertThat(refund.step()).isEqualTo(booked.version() + 1);
  }

  @ParameterizedTest
  @CsvSource({"CONFIRM, 2", "CANCEL, 2", "REFUND, 2", "LATE, 0"})
  void shouldMoveTheUnitsOfTheOrderUnlessItsPaymentIsOnlyLate(Kind kind, int units) {
    // given
    Order after = BatchScene.order(OrderStatus.PENDING, false);

    // when
    OrderMove move = new OrderMove(after.changed(OrderStatus.CANCELED, Reason.BUYER, 9), kind);

    // then
    assertThat(move.units()).isEqualTo(units);
  }
}
