package io.sluice.order;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.grant.Desk;
import io.sluice.model.Command.RefundPart;
import io.sluice.model.Command.RefundPart.Step;
import io.sluice.model.Order;
import io.sluice.model.OrderNotes;
import io.sluice.model.OrderNotes.Refund;
import io.sluice.model.OrderStatus;
import io.sluice.order.CommandAnswer.Conflict;
import io.sluice.order.CommandAnswer.ConflictType;
import io.sluice.order.CommandAnswer.Done;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** What a command needs the log for, and its outcome, by the state of the order. */
class GoalTest {
  private static final Desk DESK = new Desk();

  /** What an order answers before the log and after it; LOG and AGAIN say that it does not. */
  private static void expect(CommandGoal unit, Order order, String decided, String outcome) {
    // when
    Optional<CommandAnswer> before = unit.decidedBy(order);
    Optional<CommandAnswer> after = unit.outcomeOf(order);

    // then
    assertThat(before.map(GoalTest::wordOf).orElse("LOG")).isEqualTo(decided);
    assertThat(after.map(GoalTest::wordOf).orElse("AGAIN")).isEqualTo(outcome);
  }

  private static Order order(OrderStatus status) {
    return DESK.order("alice", status, status == OrderStatus.RESERVED ? 0 : 2);
  }

  private static String wordOf(CommandAnswer answer) {
    return answer instanceof Done ? "DONE" : ((Conflict) answer).type().name();
  }

  @ParameterizedTest
  @CsvSource({
    "CONFIRM, RESERVED,  LOG,               AGAIN",
    "CONFIRM, PENDING,   LOG,               AGAIN",
    "CONFIRM, CONFIRMED, DONE,              DONE",
    "CONFIRM, CANCELED,  LOG,               PAYMENT_LATE",
    "CONFIRM, REJECTED,  LOG,               PAYMENT_LATE",
    "CONFIRM, REFUNDED,  ALREADY_REFUNDED,  ALREADY_REFUNDED",
    "CANCEL,  RESERVED,  LOG,               AGAIN",
    "CANCEL,  PENDING,   LOG,               AGAIN",
    "CANCEL,  CONFIRMED, ALREADY_CONFIRMED, ALREADY_CONFIRMED",
    "CANCEL,  CANCELED,  DONE,              DONE",
    "CANCEL,  REJECTED,  ORDER_ENDED,       ORDER_ENDED",
    "CANCEL,  REFUNDED,  ALREADY_REFUNDED,  ALREADY_REFUNDED",
    "REFUND,  RESERVED,  LOG,               AGAIN",
    "REFUND,  PENDING,   LOG,               NOT_CONFIRMED",
    "REFUND,  CONFIRMED, LOG,               AGAIN",
    "REFUND,  CANCELED,  NOT_CONFIRMED,     NOT_CONFIRMED",
    "REFUND,  REJECTED,  NOT_CONFIRMED,     NOT_CONFIRMED",
    "REFUND,  REFUNDED,  DONE,              DONE",
  })
  void shouldDecideOnlyWhatCannotBeChangedByTheLog(
      CommandGoal.Plain unit, OrderStatus status, String decided, String outcome) {
    expect(unit, order(status), decided, outcome);
  }

  @ParameterizedTest
  @EnumSource(
      value = OrderStatus.class,
      names = {"CANCELED", "REJECTED"})
  void shouldKnowALatePaymentThatIsRecorded(OrderStatus status) {
    Order late = order(status).paidLate(null, 20_000);
    expect(CommandGoal.Plain.CONFIRM, late, "PAYMENT_LATE", "PAYMENT_LATE");
  }

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
    Order order = order(status);
    Order noted =
        known == null ? order : order.noted(order.notes().with(new Refund("r1", 1, known)), 20_000);
    RefundPart part = new RefundPart(DESK.token("alice"), "r1", asked, step);
    expect(new CommandGoal.RefundStep(part), noted, decided, outcome);
  }

  // The desk's orders have almost 300 seconds from their booking on.
  @ParameterizedTest
  @CsvSource({
    "RESERVED,  false, 600, LOG,               AGAIN",
    "PENDING,   true,  600, LOG,               DONE",
    "PENDING,   false, 299, LOG,               DONE",
    "PENDING,   false, 600, LOG,               AGAIN",
    "CONFIRMED, true,  600, ALREADY_CONFIRMED, ALREADY_CONFIRMED",
    "CANCELED,  true,  600, ORDER_ENDED,       ORDER_ENDED",
    "REJECTED,  false, 600, ORDER_ENDED,       ORDER_ENDED",
    "REFUNDED,  true,  600, ALREADY_REFUNDED,  ALREADY_REFUNDED",
  })
  void shouldBeExtendedOnlyWhenTheBuyerHasTheTime(
      OrderStatus status, boolean extended, int seconds, String decided, String outcome) {
    Order order = extended ? order(status).extended(900_000, 20_000) : order(status);
    expect(new CommandGoal.Extension(seconds), order, decided, outcome);
  }

  /** It is not said to have time that it does not get. */
  @ParameterizedTest
  @CsvSource({"600, DONE", "601, AGAIN"})
  void shouldNotBeDoneWhenTheOrderTakesNoFurtherExtension(int seconds, String outcome) {
    OrderNotes almost =
        new OrderNotes(OrderNotes.EXTENSIONS_MAX - 1, true, null, Set.of(), Map.of(), 0, 0);
    Order full = order(OrderStatus.PENDING).noted(almost, 10_000).extended(620_000, 20_000);
    expect(new CommandGoal.Extension(seconds), full, "LOG", outcome);
  }

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
    Order order = order(status);
    for (String ref : paid == null ? new String[0] : paid.split(" ")) {
      order = order.noted(order.notes().withPayment(ref), 20_000);
    }
    expect(new CommandGoal.Payment("p"), order, decided, outcome);
  }

  // ---- archived orders

  @ParameterizedTest
  @EnumSource(
      value = OrderStatus.class,
      names = {"CONFIRMED", "CANCELED", "REJECTED", "REFUNDED"})
  void shouldBeOutOfReachWhenTheOrderIsArchived(OrderStatus status) {
    // given
    Order order = order(status).inArchive();
    RefundPart part = new RefundPart(DESK.token("alice"), "r1", 1, RefundPart.Step.REQUEST);
    List<CommandGoal> goalsWithoutMoney =
        List.of(
            CommandGoal.Plain.CANCEL,
            CommandGoal.Plain.REFUND,
            new CommandGoal.Extension(60),
            new CommandGoal.RefundStep(part));

    // then
    assertThat(goalsWithoutMoney)
        .extracting(goal -> new CommandGoal.UnlessArchived(goal).decidedBy(order))
        .containsOnly(Optional.of(new Conflict(ConflictType.ARCHIVED, order)));
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
    Order archived = order(status).inArchive();
    Order order = paidLate ? archived.paidLate(null, 5) : archived;

    // when
    Optional<CommandAnswer> answer =
        new CommandGoal.UnlessArchived(CommandGoal.Plain.CONFIRM).decidedBy(order);

    // then
    assertThat(answer.map(GoalTest::wordOf).orElse("LOG")).isEqualTo(expected);
  }

  @ParameterizedTest
  @EnumSource(
      value = OrderStatus.class,
      names = {"CONFIRMED", "CANCELED", "REJECTED", "REFUNDED"})
  void shouldRecordEveryNamedPaymentBeforeItIsRefused(OrderStatus status) {
    // given
    CommandGoal unit = new CommandGoal.UnlessArchived(new CommandGoal.Payment("p1"));
    Order order = order(status).inArchive();
    Order told = order.noted(order.notes().withPayment("p1"), 5);

    // then
    expect(unit, order, "LOG", "AGAIN");
    assertThat(unit.outcomeOf(told)).contains(new Conflict(ConflictType.ARCHIVED, told));
  }

  @ParameterizedTest
  @EnumSource(CommandGoal.Plain.class)
  void shouldBeAsEverWhenTheOrderIsNotArchived(CommandGoal.Plain goal) {
    // given
    CommandGoal unit = new CommandGoal.UnlessArchived(goal);
    for (OrderStatus status : OrderStatus.values()) {
      Order order = DESK.order("alice", status, 1);

      // then
      assertThat(unit.decidedBy(order)).isEqualTo(goal.decidedBy(order));
      assertThat(unit.outcomeOf(order)).isEqualTo(goal.outcomeOf(order));
    }
  }
}
