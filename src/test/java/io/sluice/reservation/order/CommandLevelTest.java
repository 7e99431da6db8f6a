package io.sluice.reservation.order;

import static io.sluice.reservation.Desk.answer;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.model.Command;
import io.sluice.model.Command.RefundPart;
import io.sluice.model.OrderStatus;
import io.sluice.model.OrderToken;
import io.sluice.reservation.Desk;
import io.sluice.reservation.order.CommandAnswer.NotNow;
import io.vertx.core.Future;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Commands that an owner of the release before would misread. */
class CommandLevelTest {
  private final Desk unit = new Desk();
  private final OrderToken token = unit.token("alice");

  @BeforeEach
  void thereIsAnOrder() {
    unit.ledger.put(unit.order("alice", OrderStatus.PENDING, 1));
  }

  @ParameterizedTest
  @CsvSource(
      nullValues = "-",
      value = {"true, p", "false, -"})
  void shouldConfirmWithoutTheNameWhenAnOlderInstanceMayRun(boolean raised, String recorded) {
    // given
    unit.levels = Future.succeededFuture(raised);

    // when
    unit.orders.confirm(token, "p", order -> true);

    // then
    assertThat(unit.log.last().commands()).containsExactly(new Command.Confirm(token, recorded));
  }

  @Test
  void shouldBeBusyWhenAnOlderInstanceMayRun() {
    // given
    unit.levels = Future.succeededFuture(false);
    RefundPart part = new RefundPart(token, "r1", 1, RefundPart.Step.REQUEST);

    // when
    CommandAnswer extended = answer(unit.orders.extend(token, 600, order -> true));
    CommandAnswer requested = answer(unit.orders.refund(part, order -> true));

    // then
    assertThat(extended).isEqualTo(new NotNow(true));
    assertThat(requested).isEqualTo(new NotNow(true));
    assertThat(unit.log.appends).isEmpty();
  }

  /** A name must not be dropped only because the ledger does not answer. */
  @Test
  void shouldWaitWhenTheLedgerDoesNotSay() {
    // given
    unit.levels = Future.failedFuture("down");

    // when
    CommandAnswer named = answer(unit.orders.confirm(token, "p", order -> true));
    CommandAnswer extended = answer(unit.orders.extend(token, 600, order -> true));
    unit.orders.confirm(token, null, order -> true);

    // then
    assertThat(named).isEqualTo(new NotNow(false));
    assertThat(extended).isEqualTo(new NotNow(false));
    assertThat(unit.log.appends)
        .extracting(append -> append.commands().get(0))
        .containsExactly(new Command.Confirm(token, null));
  }

  @Test
  void shouldAppendWhenAllUnderstandIt() {
    // given
    RefundPart part = new RefundPart(token, "r1", 1, RefundPart.Step.REQUEST);

    // when
    unit.orders.extend(token, 600, order -> true);
    unit.orders.refund(part, order -> true);

    // then
    assertThat(unit.log.appends)
        .extracting(append -> append.commands().get(0))
        .containsExactly(new Command.Extend(token, 600), part);
  }
}
