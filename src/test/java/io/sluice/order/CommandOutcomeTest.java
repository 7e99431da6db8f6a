package io.sluice.order;

import static io.sluice.grant.Desk.answer;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.grant.Desk;
import io.sluice.ledger.Fence;
import io.sluice.model.Command;
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
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * The answer to a command is the order's row once next_offset has passed the command's offset, or
 * the order in the commit that has applied it.
 */
class CommandOutcomeTest {
  private static final long OFFSET = 41;

  private final Desk unit = new Desk();
  private final OrderToken token = unit.token("alice");
  private final int partition = unit.partition("alice");
  private final Order pending = unit.order("alice", OrderStatus.PENDING, 1);
  private final Order confirmed = unit.order("alice", OrderStatus.CONFIRMED, 2);
  private final Order canceled = unit.order("alice", OrderStatus.CANCELED, 2);

  @BeforeEach
  void book() {
    unit.ledger.put(pending);
  }

  /**
   * The command, the row that it left, and the answer. A refund that leaves a confirmed order had
   * no effect: its bucket had gone to another partition with the next sale of its SKU, and the
   * owner had sent the refund on. It took effect after it was answered {@code not-confirmed}.
   */
  @ParameterizedTest
  @CsvSource({
    "CONFIRM, CONFIRMED, DONE",
    "CONFIRM, CANCELED,  PAYMENT_LATE",
    "CANCEL,  CONFIRMED, ALREADY_CONFIRMED",
    "REFUND,  PENDING,   NOT_CONFIRMED",
    "REFUND,  CONFIRMED, AGAIN",
    "REFUND,  REFUNDED,  DONE",
  })
  void shouldAnswerWithTheRowWhenTheOffsetIsPassed(
      CommandGoal.Plain command, OrderStatus status, String expected) {
    // given
    Future<CommandAnswer> answer =
        switch (command) {
          case CONFIRM -> confirm();
          case CANCEL -> unit.orders.run(new Command.Cancel(token, Reason.BUYER), order -> true);
          case REFUND -> unit.orders.run(new Command.Refund(token), order -> true);
        };
    unit.log.ack(OFFSET);
    Order left = unit.order("alice", status, status == OrderStatus.PENDING ? 1 : 2);
    Order row = status == OrderStatus.CANCELED ? left.paidLate(null, 20_000) : left;
    unit.ledger.put(row);
    unit.ledger.passed(partition, OFFSET + 1);

    // when
    unit.time.advanceMs(100);

    // then
    assertThat(answer(answer))
        .isEqualTo(
            switch (expected) {
              case "DONE" -> new Done(row);
              case "AGAIN" -> new NotNow(true);
              default -> new Conflict(ConflictType.valueOf(expected), row);
            });
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

  // ---- commands whose owner is in this instance are answered by the commit

  @Test
  void shouldAnswerAPaymentOnceItsCommitIsKnown() {
    // given
    Future<CommandAnswer> answer = confirm();
    unit.log.ack(OFFSET);
    unit.ledger.reads.clear();

    // when
    unit.commit(confirmed, 1, OFFSET + 1);

    // then
    assertThat(answer(answer)).isEqualTo(new Done(confirmed));
    assertThat(unit.ledger.reads).isEmpty();
    assertThat(unit.ledger.fenceReads).isZero();
  }

  /** It raises no event. */
  @Test
  void shouldAnswerACommandThatChangesNothing() {
    // given
    Future<CommandAnswer> answer = unit.orders.run(new Command.Refund(token), order -> true);
    unit.log.ack(OFFSET);

    // when
    unit.commit(pending, 1, OFFSET + 1);

    // then
    assertThat(answer(answer)).isEqualTo(new Conflict(ConflictType.NOT_CONFIRMED, pending));
  }

  /** A payment of an order that was booked after it was read in the log. */
  @Test
  void shouldHaveItRepeatedWhenTheCommitLeavesItWithoutEffect() {
    // given
    Future<CommandAnswer> answer = confirm();
    unit.log.ack(OFFSET);

    // when
    unit.commit(pending, 1, OFFSET + 1);

    // then
    assertThat(answer(answer)).isEqualTo(new NotNow(true));
  }

  /** The owner may read a record before its sender hears where it is. */
  @Test
  void shouldAnswerOnceTheLogHasAcknowledgedWhenTheCommitCameFirst() {
    // given
    Future<CommandAnswer> answer = extend();
    Order extended = pending.extended(400_000, 10_002);
    unit.commit(extended, 1, OFFSET + 1);
    boolean before = answer.isComplete();

    // when
    unit.log.ack(OFFSET);

    // then
    assertThat(before).isFalse();
    assertThat(answer(answer)).isEqualTo(new Done(extended));
  }

  /**
   * The last row is of a commit that answers. A commit of another partition has other offsets: the
   * command was sent on. One of an owner after whom a later one was heard may be of a history that
   * was lost.
   */
  @ParameterizedTest
  @CsvSource({"0, 41, 1, false", "1, 42, 1, false", "0, 42, 2, false", "0, 42, 1, true"})
  void shouldBeAnsweredOnlyByACommitOfItsOwnPartitionThatHasPassedIt(
      int partitionsAway, long nextOffset, long heardTerm, boolean isAnswered) {
    // given
    Future<CommandAnswer> answer = extend();
    unit.log.ack(OFFSET);
    unit.heartbeat("alice", heardTerm);
    int of = (partition + partitionsAway) % Desk.PARTITIONS;

    // when
    unit.cache.committed(new Fence(of, 1, nextOffset), List.of(pending.extended(400_000, 10_002)));

    // then
    assertThat(answer.isComplete()).isEqualTo(isAnswered);
  }

  private Future<CommandAnswer> confirm() {
    return unit.orders.run(new Command.Confirm(token), order -> true);
  }

  private Future<CommandAnswer> extend() {
    return unit.orders.run(new Command.Extend(token, 60), order -> true);
  }
}
