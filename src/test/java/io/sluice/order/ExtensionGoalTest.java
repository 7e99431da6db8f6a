package io.sluice.order;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.grant.Desk;
import io.sluice.model.Order;
import io.sluice.model.OrderNotes;
import io.sluice.model.OrderStatus;
import io.sluice.order.CommandAnswer.Conflict;
import io.sluice.order.CommandAnswer.Done;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ExtensionGoalTest {
  private final Desk desk = new Desk();

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
  void shouldBeDoneOnlyWhenTheBuyerHasTheTime(
      OrderStatus status, boolean extended, int seconds, String decided, String outcome) {
    // given
    CommandGoal.Extension unit = new CommandGoal.Extension(seconds);
    Order booked = desk.order("alice", status, status == OrderStatus.RESERVED ? 0 : 2);
    Order order = extended ? booked.extended(900_000, 20_000) : booked;

    // when
    Optional<CommandAnswer> before = unit.decidedBy(order);
    Optional<CommandAnswer> after = unit.outcomeOf(order);

    // then
    assertThat(before.map(ExtensionGoalTest::wordOf).orElse("LOG")).isEqualTo(decided);
    assertThat(after.map(ExtensionGoalTest::wordOf).orElse("AGAIN")).isEqualTo(outcome);
  }

  /** It is not said to have time that it does not get. */
  @ParameterizedTest
  @CsvSource({"600, DONE", "601, AGAIN"})
  void shouldNotBeDoneWhenTheOrderTakesNoFurtherExtension(int seconds, String outcome) {
    // given
    Order booked = desk.order("alice", OrderStatus.PENDING, 2);
    OrderNotes almost =
        new OrderNotes(OrderNotes.EXTENSIONS_MAX - 1, true, null, Set.of(), Map.of(), 0);
    Order full = booked.noted(almost, 10_000).extended(620_000, 20_000);

    // when
    Optional<CommandAnswer> after = new CommandGoal.Extension(seconds).outcomeOf(full);

    // then
    assertThat(after.map(ExtensionGoalTest::wordOf).orElse("AGAIN")).isEqualTo(outcome);
  }

  private static String wordOf(CommandAnswer answer) {
    return answer instanceof Done ? "DONE" : ((Conflict) answer).type().name();
  }
}
