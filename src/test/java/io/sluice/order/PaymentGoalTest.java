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

class PaymentGoalTest {
  private final Desk desk = new Desk();
  private final CommandGoal.Payment unit = new CommandGoal.Payment("p");

  // paid: the payments that the order knows, the first one first.
  @ParameterizedTest
  @CsvSource(
      nullValues = "-",
      value = {
        "RESERVED,  -,   LOG,              AGAIN",
        "PENDING,   -,   LOG,              AGAIN",
        "CONFIRMED, -,   LOG,              AGAIN",
        "CONFIRMED, p,   DONE,             DONE",
        "CONFIRMED, q,   LOG,              AGAIN",
        "CONFIRMED, q p, ALREADY_CONFIRMED,ALREADY_CONFIRMED",
        "CANCELED,  -,   LOG,              AGAIN",
        "CANCELED,  q,   LOG,              AGAIN",
        "CANCELED,  p,   PAYMENT_LATE,     PAYMENT_LATE",
        "REJECTED,  -,   LOG,              AGAIN",
        "REJECTED,  p,   PAYMENT_LATE,     PAYMENT_LATE",
        "REFUNDED,  -,   LOG,              AGAIN",
        "REFUNDED,  p,   ALREADY_REFUNDED, ALREADY_REFUNDED",
      })
  void shouldRecordEachPaymentBeforeItIsAnswered(
      OrderStatus status, String paid, String decided, String outcome) {
    // given
    Order order = desk.order("alice", status, status == OrderStatus.RESERVED ? 0 : 2);
    for (String ref : paid == null ? new String[0] : paid.split(" ")) {
      order = order.noted(order.notes().withPayment(ref), 20_000);
    }

    // when
    Optional<CommandAnswer> before = unit.decidedBy(order);
    Optional<CommandAnswer> after = unit.outcomeOf(order);

    // then
    assertThat(before.map(PaymentGoalTest::wordOf).orElse("LOG")).isEqualTo(decided);
    assertThat(after.map(PaymentGoalTest::wordOf).orElse("AGAIN")).isEqualTo(outcome);
  }

  private static String wordOf(CommandAnswer answer) {
    return answer instanceof Done ? "DONE" : ((Conflict) answer).type().name();
  }
}
