package io.sluice.order;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.grant.Desk;
import io.sluice.model.Command.RefundPart;
import io.sluice.model.Command.RefundPart.Step;
import io.sluice.model.Order;
import io.sluice.model.OrderNotes.Refund;
import io.sluice.model.OrderStatus;
import io.sluice.order.CommandAnswer.Conflict;
import io.sluice.order.CommandAnswer.Done;
import java.util.Optional;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RefundGoalTest {
  private final Desk desk = new Desk();

  // known: the state of the refund of one unit, if the order knows it. asked: units.
  @ParameterizedTest
  @CsvSource(
      nullValues = "-",
      value = {
        "REQUEST,  RESERVED,  -,         1, LOG,           AGAIN",
        "REQUEST,  PENDING,   -,         1, LOG,           NOT_CONFIRMED",
        "REQUEST,  CANCELED,  -,         1, NOT_CONFIRMED, NOT_CONFIRMED",
        "REQUEST,  REJECTED,  -,         1, NOT_CONFIRMED, NOT_CONFIRMED",
        "REQUEST,  CONFIRMED, -,         1, LOG,           AGAIN",
        "REQUEST,  CONFIRMED, -,         2, LOG,           REFUND_EXCEEDS",
        "REQUEST,  CONFIRMED, REQUESTED, 1, DONE,          DONE",
        "REQUEST,  CONFIRMED, REQUESTED, 2, KEY_MISMATCH,  KEY_MISMATCH",
        "REQUEST,  CONFIRMED, COMPLETED, 1, DONE,          DONE",
        "REQUEST,  CONFIRMED, REJECTED,  1, DONE,          DONE",
        "REQUEST,  REFUNDED,  -,         1, LOG,           ALREADY_REFUNDED",
        "REQUEST,  REFUNDED,  COMPLETED, 1, DONE,          DONE",
        "COMPLETE, PENDING,   -,         0, LOG,           NOT_CONFIRMED",
        "COMPLETE, CONFIRMED, -,         0, LOG,           UNKNOWN_REFUND",
        "COMPLETE, CONFIRMED, REQUESTED, 0, LOG,           AGAIN",
        "COMPLETE, CONFIRMED, COMPLETED, 0, DONE,          DONE",
        "COMPLETE, CONFIRMED, REJECTED,  0, REFUND_ENDED,  REFUND_ENDED",
        "COMPLETE, REFUNDED,  -,         0, LOG,           UNKNOWN_REFUND",
        "REJECT,   CONFIRMED, -,         0, LOG,           UNKNOWN_REFUND",
        "REJECT,   CONFIRMED, REQUESTED, 0, LOG,           AGAIN",
        "REJECT,   CONFIRMED, REJECTED,  0, DONE,          DONE",
        "REJECT,   REFUNDED,  COMPLETED, 0, REFUND_ENDED,  REFUND_ENDED",
      })
  void shouldAnswerByTheStateOfTheRefund(
      Step step,
      OrderStatus status,
      Refund.State known,
      int asked,
      String decided,
      String outcome) {
    // given
    CommandGoal.RefundStep unit =
        new CommandGoal.RefundStep(new RefundPart(desk.token("alice"), "r1", asked, step));
    Order order = desk.order("alice", status, status == OrderStatus.RESERVED ? 0 : 2);
    Order noted =
        known == null ? order : order.noted(order.notes().with(new Refund("r1", 1, known)), 20_000);

    // when
    Optional<CommandAnswer> before = unit.decidedBy(noted);
    Optional<CommandAnswer> after = unit.outcomeOf(noted);

    // then
    assertThat(before.map(RefundGoalTest::wordOf).orElse("LOG")).isEqualTo(decided);
    assertThat(after.map(RefundGoalTest::wordOf).orElse("AGAIN")).isEqualTo(outcome);
  }

  private static String wordOf(CommandAnswer answer) {
    return answer instanceof Done ? "DONE" : ((Conflict) answer).type().name();
  }
}
