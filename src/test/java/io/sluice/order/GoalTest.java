package io.sluice.order;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.grant.Desk;
import io.sluice.model.Order;
import io.sluice.model.OrderStatus;
import io.sluice.order.CommandAnswer.Conflict;
import io.sluice.order.CommandAnswer.Done;
import java.util.Optional;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class GoalTest {
  private final Desk desk = new Desk();

  @ParameterizedTest
  @CsvSource({
    "CONFIRM, RESERVED,  false, LOG",
    "CONFIRM, PENDING,   false, LOG",
    "CONFIRM, CONFIRMED, false, DONE",
    "CONFIRM, CANCELED,  false, LOG",
    "CONFIRM, CANCELED,  true,  PAYMENT_LATE",
    "CONFIRM, REJECTED,  false, LOG",
    "CONFIRM, REJECTED,  true,  PAYMENT_LATE",
    "CONFIRM, REFUNDED,  false, ALREADY_REFUNDED",
    "CANCEL,  RESERVED,  false, LOG",
    "CANCEL,  PENDING,   false, LOG",
    "CANCEL,  CONFIRMED, false, ALREADY_CONFIRMED",
    "CANCEL,  CANCELED,  false, DONE",
    "CANCEL,  REJECTED,  false, ORDER_ENDED",
    "CANCEL,  REFUNDED,  false, ALREADY_REFUNDED",
    "REFUND,  RESERVED,  false, LOG",
    "REFUND,  PENDING,   false, LOG",
    "REFUND,  CONFIRMED, false, LOG",
    "REFUND,  CANCELED,  false, NOT_CONFIRMED",
    "REFUND,  REJECTED,  false, NOT_CONFIRMED",
    "REFUND,  REFUNDED,  false, DONE",
  })
  void shouldDecideOnlyWhatCannotBeChangedByTheLog(
      CommandGoal.Plain unit, OrderStatus status, boolean paidLate, String expected) {
    // given
    Order order = order(status, paidLate);

    // when
    Optional<CommandAnswer> answer = unit.decidedBy(order);

    // then
    assertThat(answer.map(GoalTest::wordOf).orElse("LOG")).isEqualTo(expected);
  }

  @ParameterizedTest
  @CsvSource({
    "CONFIRM, RESERVED,  AGAIN",
    "CONFIRM, PENDING,   AGAIN",
    "CONFIRM, CONFIRMED, DONE",
    "CONFIRM, CANCELED,  PAYMENT_LATE",
    "CONFIRM, REJECTED,  PAYMENT_LATE",
    "CONFIRM, REFUNDED,  ALREADY_REFUNDED",
    "CANCEL,  RESERVED,  AGAIN",
    "CANCEL,  PENDING,   AGAIN",
    "CANCEL,  CONFIRMED, ALREADY_CONFIRMED",
    "CANCEL,  CANCELED,  DONE",
    "CANCEL,  REJECTED,  ORDER_ENDED",
    "CANCEL,  REFUNDED,  ALREADY_REFUNDED",
    "REFUND,  RESERVED,  AGAIN",
    "REFUND,  PENDING,   NOT_CONFIRMED",
    "REFUND,  CONFIRMED, AGAIN",
    "REFUND,  CANCELED,  NOT_CONFIRMED",
    "REFUND,  REJECTED,  NOT_CONFIRMED",
    "REFUND,  REFUNDED,  DONE",
  })
  void shouldTellTheOutcomeWhenTheCommandWasApplied(
      CommandGoal.Plain unit, OrderStatus status, String expected) {
    // given
    Order order = order(status, false);

    // when
    Optional<CommandAnswer> answer = unit.outcomeOf(order);

    // then
    assertThat(answer.map(GoalTest::wordOf).orElse("AGAIN")).isEqualTo(expected);
  }

  private Order order(OrderStatus status, boolean paidLate) {
    Order order = desk.order("alice", status, status == OrderStatus.RESERVED ? 0 : 2);
    return paidLate ? order.paidLate(null, 20_000) : order;
  }

  private static String wordOf(CommandAnswer answer) {
    return answer instanceof Done ? "DONE" : ((Conflict) answer).type().name();
  }
}
