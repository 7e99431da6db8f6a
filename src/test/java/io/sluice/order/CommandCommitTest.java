package io.sluice.order;

import static io.sluice.grant.Desk.answer;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.grant.Desk;
import io.sluice.ledger.Fence;
import io.sluice.model.Order;
import io.sluice.model.OrderStatus;
import io.sluice.order.CommandAnswer.Conflict;
import io.sluice.order.CommandAnswer.ConflictType;
import io.sluice.order.CommandAnswer.Done;
import io.sluice.order.CommandAnswer.NotNow;
import io.vertx.core.Future;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Commands whose owner is in this instance are answered by the commit that has applied them. */
class CommandCommitTest {
  private static final long OFFSET = 41;

  private final Desk unit = new Desk();
  private final Order pending = unit.order("alice", OrderStatus.PENDING, 1);
  private final Order confirmed = unit.order("alice", OrderStatus.CONFIRMED, 2);

  @BeforeEach
  void book() {
    unit.ledger.put(pending);
  }

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
    Future<CommandAnswer> answer = unit.orders.refund(pending.token(), order -> true);
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

  @Test
  void shouldNotAnswerByACommitBeforeTheCommand() {
    // given
    Future<CommandAnswer> answer = extend();
    unit.log.ack(OFFSET);

    // when
    unit.commit(pending.extended(400_000, 10_002), 1, OFFSET);

    // then
    assertThat(answer.isComplete()).isFalse();
  }

  /** The command was sent on, and has another offset there. */
  @Test
  void shouldNotAnswerByACommitOfAnotherPartition() {
    // given
    Future<CommandAnswer> answer = extend();
    unit.log.ack(OFFSET);
    int other = (unit.partition("alice") + 1) % Desk.PARTITIONS;

    // when
    unit.cache.committed(
        new Fence(other, 1, OFFSET + 1), List.of(pending.extended(400_000, 10_002)));

    // then
    assertThat(answer.isComplete()).isFalse();
  }

  /** It may be of a history that was lost. */
  @Test
  void shouldNotAnswerByACommitWhenALaterOwnerWasHeard() {
    // given
    Future<CommandAnswer> answer = confirm();
    unit.log.ack(OFFSET);
    unit.heartbeat("alice", 2);

    // when
    unit.commit(confirmed, 1, OFFSET + 1);

    // then
    assertThat(answer.isComplete()).isFalse();
  }

  private Future<CommandAnswer> confirm() {
    return unit.orders.confirm(pending.token(), null, order -> true);
  }

  private Future<CommandAnswer> extend() {
    return unit.orders.extend(pending.token(), 60, order -> true);
  }
}
