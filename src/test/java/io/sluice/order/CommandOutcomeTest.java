package io.sluice.order;

import static io.sluice.grant.Desk.answer;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.grant.Desk;
import io.sluice.model.Order;
import io.sluice.model.OrderStatus;
import io.sluice.model.OrderToken;
import io.sluice.model.Reason;
import io.sluice.order.CommandAnswer.Accepted;
import io.sluice.order.CommandAnswer.Conflict;
import io.sluice.order.CommandAnswer.ConflictType;
import io.sluice.order.CommandAnswer.Done;
import io.sluice.order.CommandAnswer.NotNow;
import io.sluice.stock.Recorded;
import io.vertx.core.Future;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The answer to a command is the order's row once next_offset has passed the command's offset. */
class CommandOutcomeTest {
  private static final long OFFSET = 41;

  private final Desk unit = new Desk();
  private final OrderToken token = unit.token("alice");
  private final int partition = unit.partition("alice");
  private final Order pending = unit.order("alice", OrderStatus.PENDING, 1);
  private final Order confirmed = unit.order("alice", OrderStatus.CONFIRMED, 2);
  private final Order canceled = unit.order("alice", OrderStatus.CANCELED, 2);
  private final Order refunded = unit.order("alice", OrderStatus.REFUNDED, 3);

  @BeforeEach
  void book() {
    unit.ledger.put(pending);
  }

  @Test
  void shouldAnswerWithTheRowWhenTheOffsetIsPassed() {
    // given
    Future<CommandAnswer> answer = confirm();
    unit.log.ack(OFFSET);
    unit.ledger.put(confirmed);
    unit.ledger.passed(partition, OFFSET + 1);

    // when
    unit.time.advanceMs(100);

    // then
    assertThat(answer(answer)).isEqualTo(new Done(confirmed));
  }

  @Test
  void shouldGoOnWaitingWhenTheOffsetIsNotPassed() {
    // given
    Future<CommandAnswer> answer = confirm();
    unit.log.ack(OFFSET);
    unit.ledger.passed(partition, OFFSET);
    unit.ledger.passed((partition + 1) % Desk.PARTITIONS, OFFSET + 1);

    // when
    unit.time.advanceMs(200);

    // then
    assertThat(answer.isComplete()).isFalse();
  }

  @Test
  void shouldReadTheRowAfterTheFence() {
    // given
    Future<CommandAnswer> answer = confirm();
    unit.log.ack(OFFSET);
    unit.ledger.passed(partition, OFFSET + 1);
    unit.ledger.afterFences = () -> unit.ledger.put(confirmed);

    // when
    unit.time.advanceMs(100);

    // then
    assertThat(answer(answer)).isEqualTo(new Done(confirmed));
  }

  @Test
  void shouldLoseWhenTheCancelCameFirst() {
    // given
    Future<CommandAnswer> answer = confirm();
    unit.log.ack(OFFSET);
    Order late = canceled.paidLate(null, 20_000);
    unit.ledger.put(late);
    unit.ledger.passed(partition, OFFSET + 1);

    // when
    unit.time.advanceMs(100);

    // then
    assertThat(answer(answer)).isEqualTo(new Conflict(ConflictType.PAYMENT_LATE, late));
  }

  @Test
  void shouldLoseWhenThePaymentCameFirst() {
    // given
    Future<CommandAnswer> answer = unit.orders.cancel(token, Reason.BUYER, order -> true);
    unit.log.ack(OFFSET);
    unit.ledger.put(confirmed);
    unit.ledger.passed(partition, OFFSET + 1);

    // when
    unit.time.advanceMs(100);

    // then
    assertThat(answer(answer)).isEqualTo(new Conflict(ConflictType.ALREADY_CONFIRMED, confirmed));
  }

  @Test
  void shouldBeNotConfirmedWhenARefundFoundThePendingOrder() {
    // given
    Future<CommandAnswer> answer = unit.orders.refund(token, order -> true);
    unit.log.ack(OFFSET);
    unit.ledger.passed(partition, OFFSET + 1);

    // when
    unit.time.advanceMs(100);

    // then
    assertThat(answer(answer)).isEqualTo(new Conflict(ConflictType.NOT_CONFIRMED, pending));
  }

  /**
   * Its bucket had gone to another partition with the next sale of its SKU: the owner had sent the
   * refund on, and it took effect after it was answered {@code not-confirmed}.
   */
  @Test
  void shouldAskForTheRefundAgainWhenItPassedAConfirmedOrderWithoutAnEffect() {
    // given
    unit.ledger.put(confirmed);
    Future<CommandAnswer> answer = unit.orders.refund(token, order -> true);
    unit.log.ack(OFFSET);
    unit.ledger.passed(partition, OFFSET + 1);

    // when
    unit.time.advanceMs(100);

    // then
    assertThat(answer(answer)).isEqualTo(new NotNow(true));
  }

  @Test
  void shouldRefundWhenAConfirmWasInTheLogBefore() {
    // given
    Future<CommandAnswer> answer = unit.orders.refund(token, order -> true);
    unit.log.ack(OFFSET);
    unit.ledger.put(refunded);
    unit.ledger.passed(partition, OFFSET + 1);

    // when
    unit.time.advanceMs(100);

    // then
    assertThat(answer(answer)).isEqualTo(new Done(refunded));
  }

  @Test
  void shouldAnswerAtOnceWhenTheEventIsHeard() {
    // given
    Future<CommandAnswer> answer = confirm();
    unit.log.ack(OFFSET);

    // when
    unit.hear(confirmed);

    // then
    assertThat(answer(answer)).isEqualTo(new Done(confirmed));
  }

  @Test
  void shouldWaitForTheRecordOfALatePaymentWhenOnlyTheCancelIsHeard() {
    // given
    Future<CommandAnswer> answer = confirm();
    unit.log.ack(OFFSET);
    unit.hear(canceled);
    assertThat(answer.isComplete()).isFalse();

    // when
    unit.hear(canceled.paidLate(null, 20_000));

    // then
    assertThat(answer(answer))
        .isEqualTo(new Conflict(ConflictType.PAYMENT_LATE, canceled.paidLate(null, 20_000)));
  }

  @Test
  void shouldBeAcceptedWithTheOrderAsKnownWhenTheOutcomeIsNotSeenInTime() {
    // given
    Future<CommandAnswer> answer = confirm();
    unit.log.ack(OFFSET);
    unit.time.advanceMs(1_999);
    assertThat(answer.isComplete()).isFalse();

    // when
    unit.time.advanceMs(1);

    // then
    assertThat(answer(answer)).isEqualTo(new Accepted(pending));
  }

  @Test
  void shouldBeUnavailableWhenTheAppendIsNotAcknowledgedInTime() {
    // given
    Future<CommandAnswer> answer = confirm();

    // when
    unit.time.advanceMs(2_000);

    // then
    assertThat(answer(answer)).isEqualTo(new NotNow(false));
  }

  @Test
  void shouldBeUnavailableWhenTheAppendFails() {
    // given
    Future<CommandAnswer> answer = confirm();

    // when
    unit.log.last().ack().fail("timeout");

    // then
    assertThat(answer(answer)).isEqualTo(new NotNow(false));
  }

  @Test
  void shouldAskAgainWhenTheLedgerFailsMeanwhile() {
    // given
    Future<CommandAnswer> answer = confirm();
    unit.log.ack(OFFSET);
    unit.ledger.down = true;
    unit.time.advanceMs(100);
    unit.ledger.down = false;
    unit.ledger.put(confirmed);
    unit.ledger.passed(partition, OFFSET + 1);

    // when
    unit.time.advanceMs(200);

    // then
    assertThat(answer(answer)).isEqualTo(new Done(confirmed));
  }

  @Test
  void shouldAskTheCallerToRepeatWhenTheOrderIsNowhere() {
    // given
    unit.ledger.orders.clear();
    unit.stock.recorded.put(token, new Recorded(unit.grant("alice"), true, true));
    Future<CommandAnswer> answer = confirm();
    unit.log.ack(OFFSET);
    unit.ledger.passed(partition, OFFSET + 1);

    // when
    unit.time.advanceMs(100);

    // then
    assertThat(answer(answer)).isEqualTo(new NotNow(true));
  }

  private Future<CommandAnswer> confirm() {
    return unit.orders.confirm(token, null, order -> true);
  }
}
