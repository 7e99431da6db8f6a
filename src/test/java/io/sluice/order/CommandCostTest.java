package io.sluice.order;

import static io.sluice.grant.Desk.answer;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.grant.Desk;
import io.sluice.model.Order;
import io.sluice.model.OrderStatus;
import io.sluice.model.OrderToken;
import io.sluice.order.CommandAnswer.Done;
import io.sluice.order.CommandAnswer.NotNow;
import io.vertx.core.Future;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Any number of waiting commands makes few calls to the stores, and none leaves state behind. */
class CommandCostTest {
  private static final long OFFSET = 41;

  private final Desk unit = new Desk();
  private final OrderToken token = unit.token("alice");
  private final Order pending = unit.order("alice", OrderStatus.PENDING, 1);
  private final Order confirmed = unit.order("alice", OrderStatus.CONFIRMED, 2);

  @BeforeEach
  void book() {
    unit.ledger.put(pending);
  }

  @Test
  void shouldAskForAllFencesOnceWhenManyWait() {
    // given
    for (int i = 0; i < 10; i++) {
      confirm();
      unit.log.ack(OFFSET + i);
    }

    // when
    unit.time.advanceMs(50);

    // then
    assertThat(unit.ledger.fenceReads).isEqualTo(1);
  }

  @Test
  void shouldStopAskingWhenNobodyWaits() {
    // given
    confirm();
    unit.log.ack(OFFSET);
    unit.hear(confirmed);
    unit.time.advanceMs(50);
    int asked = unit.ledger.fenceReads;

    // when
    unit.time.advanceMs(10_000);

    // then
    assertThat(unit.ledger.fenceReads).isEqualTo(asked);
    assertThat(unit.time.timersSet()).isZero();
  }

  @Test
  void shouldBeBusyAndAppendNothingWhenTooManyWait() {
    // given
    unit.hear(pending);
    for (int i = 0; i < CommandOutcomes.COMMANDS_MAX; i++) {
      confirm();
    }

    // when
    Future<CommandAnswer> over = confirm();

    // then
    assertThat(answer(over)).isEqualTo(new NotNow(true));
    assertThat(unit.log.appends).hasSize(CommandOutcomes.COMMANDS_MAX);
  }

  @Test
  void shouldHearEventsWhenManyCommandsEndedBefore() {
    // given
    for (int i = 0; i < 100; i++) {
      confirm();
      unit.log.last().ack().fail("timeout");
    }
    Future<CommandAnswer> answer = confirm();

    // when
    unit.hear(confirmed);

    // then
    assertThat(answer(answer)).isEqualTo(new Done(confirmed));
  }

  private Future<CommandAnswer> confirm() {
    return unit.orders.confirm(token, null, order -> true);
  }
}
