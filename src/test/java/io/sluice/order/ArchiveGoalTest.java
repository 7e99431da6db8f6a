package io.sluice.order;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.grant.Desk;
import io.sluice.model.Command.RefundPart;
import io.sluice.model.Order;
import io.sluice.model.OrderStatus;
import io.sluice.order.CommandAnswer.Conflict;
import io.sluice.order.CommandAnswer.ConflictType;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

class ArchiveGoalTest {
  private final Desk desk = new Desk();

  private Order archived(OrderStatus status) {
    return desk.order("alice", status, 1).inArchive();
  }

  private static List<CommandGoal> goalsWithoutMoney() {
    return List.of(
        CommandGoal.Plain.CANCEL,
        CommandGoal.Plain.REFUND,
        new CommandGoal.Extension(60),
        new CommandGoal.RefundStep(
            new RefundPart(new Desk().token("alice"), "r1", 1, RefundPart.Step.REQUEST)));
  }

  @ParameterizedTest
  @EnumSource(
      value = OrderStatus.class,
      names = {"CONFIRMED", "CANCELED", "REJECTED", "REFUNDED"})
  void shouldBeOutOfReachWhenTheOrderIsArchived(OrderStatus status) {
    // given
    Order order = archived(status);

    for (CommandGoal goal : goalsWithoutMoney()) {
      // when
      Optional<CommandAnswer> answer = new CommandGoal.UnlessArchived(goal).decidedBy(order);

      // then
      assertThat(answer).contains(new Conflict(ConflictType.ARCHIVED, order));
    }
  }

  @ParameterizedTest
  @CsvSource({
    "CONFIRMED, false, ARCHIVED",
    "REFUNDED,  false, ARCHIVED",
    "CANCELED,  false, LOG",
    "REJECTED,  false, LOG",
    "CANCELED,  true,  ARCHIVED",
    "REJECTED,  true,  ARCHIVED",
  })
  void shouldRecordAPaymentBeforeItIsRefused(
      OrderStatus status, boolean paidLate, String expected) {
    // given
    Order order = paidLate ? archived(status).paidLate(null, 5) : archived(status);

    // when
    Optional<CommandAnswer> answer =
        new CommandGoal.UnlessArchived(CommandGoal.Plain.CONFIRM).decidedBy(order);

    // then
    assertThat(answer)
        .isEqualTo(
            expected.equals("LOG")
                ? Optional.empty()
                : Optional.of(new Conflict(ConflictType.ARCHIVED, order)));
  }

  @ParameterizedTest
  @EnumSource(
      value = OrderStatus.class,
      names = {"CONFIRMED", "CANCELED", "REJECTED", "REFUNDED"})
  void shouldRecordEveryNamedPaymentBeforeItIsRefused(OrderStatus status) {
    // given
    CommandGoal unit = new CommandGoal.UnlessArchived(new CommandGoal.Payment("p1"));
    Order order = archived(status);
    Order told = order.noted(order.notes().withPayment("p1"), 5);

    // then
    assertThat(unit.decidedBy(order)).isEmpty();
    assertThat(unit.outcomeOf(order)).isEmpty();
    assertThat(unit.outcomeOf(told)).contains(new Conflict(ConflictType.ARCHIVED, told));
  }

  @ParameterizedTest
  @EnumSource(CommandGoal.Plain.class)
  void shouldBeAsEverWhenTheOrderIsNotArchived(CommandGoal.Plain goal) {
    // given
    CommandGoal unit = new CommandGoal.UnlessArchived(goal);

    for (OrderStatus status : OrderStatus.values()) {
      Order order = desk.order("alice", status, 1);

      // then
      assertThat(unit.decidedBy(order)).isEqualTo(goal.decidedBy(order));
      assertThat(unit.outcomeOf(order)).isEqualTo(goal.outcomeOf(order));
    }
  }
}
