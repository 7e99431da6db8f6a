package io.sluice.order;

import static io.sluice.grant.Desk.answer;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.grant.Desk;
import io.sluice.model.Command;
import io.sluice.model.Order;
import io.sluice.model.OrderStatus;
import io.sluice.order.CommandAnswer.Accepted;
import io.sluice.order.CommandAnswer.Done;
import io.sluice.order.CommandAnswer.NotNow;
import io.vertx.core.Future;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** How often the ledger is asked for the outcome of commands, and how many may wait for theirs. */
class CommandPollTest {
  private static final long OFFSET = 41;

  private final Desk unit = new Desk();
  private final int partition = unit.partition("alice");
  private final Order pending = unit.order("alice", OrderStatus.PENDING, 1);
  private final Order confirmed = unit.order("alice", OrderStatus.CONFIRMED, 2);

  @BeforeEach
  void book() {
    unit.ledger.put(pending);
  }

  @Test
  void shouldAskLessOftenWhileTheLedgerFails() {
    // given
    confirm("alice");
    unit.log.ack(OFFSET);
    unit.time.advanceMs(200);
    int inTime = unit.ledger.fenceReads;
    unit.ledger.down = true;

    // when
    unit.time.advanceMs(1_000);

    // then
    assertThat(inTime).isEqualTo(4);
    assertThat(unit.ledger.fenceReads - inTime).isEqualTo(5);
  }

  @Test
  void shouldSoonAskAgainForTheRestWhenOneOfTwoHasPassed() {
    // given
    unit.ledger.put(unit.order("bob", OrderStatus.PENDING, 1));
    confirm("alice");
    unit.log.ack(OFFSET);
    Future<CommandAnswer> bob = confirm("bob");
    unit.log.ack(OFFSET + 1);
    unit.ledger.passed(partition, OFFSET + 1);
    unit.time.advanceMs(100);
    unit.ledger.put(unit.order("bob", OrderStatus.CONFIRMED, 2));
    unit.ledger.passed(partition, OFFSET + 2);

    // when
    unit.time.advanceMs(100);

    // then
    assertThat(answer(bob)).isEqualTo(new Done(unit.order("bob", OrderStatus.CONFIRMED, 2)));
  }

  @Test
  void shouldReadTheRowOnlyWhenTheEventHasNotComeUntilTheNextLook() {
    // given
    unit.ledger.put(unit.order("bob", OrderStatus.PENDING, 1));
    confirm("alice");
    unit.log.ack(OFFSET);
    confirm("bob");
    unit.log.ack(OFFSET + 1);
    unit.ledger.passed(partition, OFFSET + 2);
    unit.ledger.reads.clear();
    unit.time.advanceMs(50);
    boolean readAtOnce = !unit.ledger.reads.isEmpty();
    unit.hear(unit.order("alice", OrderStatus.CONFIRMED, 2));

    // when
    unit.time.advanceMs(50);

    // then
    assertThat(readAtOnce).isFalse();
    assertThat(unit.ledger.reads).containsExactly(List.of(unit.token("bob")));
  }

  @Test
  void shouldReadTheRowAtOnceWhenNoEventTellsTheOutcome() {
    // given
    unit.orders.run(new Command.Extend(unit.token("alice"), 60), order -> true);
    unit.log.ack(OFFSET);
    unit.ledger.passed(partition, OFFSET + 1);
    unit.ledger.reads.clear();

    // when
    unit.time.advanceMs(50);

    // then
    assertThat(unit.ledger.reads).containsExactly(List.of(unit.token("alice")));
  }

  @Test
  void shouldBeAcceptedWhenTheFirstRecordOfALogIsNotPassedInTime() {
    // given
    Future<CommandAnswer> answer = confirm("alice");
    unit.log.ack(0);

    // when
    unit.time.advanceMs(2_000);

    // then
    assertThat(answer(answer)).isEqualTo(new Accepted(pending));
  }

  // ---- any number of waiting commands makes few calls, and none leaves state behind

  @Test
  void shouldAskForAllFencesOnceWhenManyWait() {
    // given
    for (int i = 0; i < 10; i++) {
      confirm("alice");
      unit.log.ack(OFFSET + i);
    }

    // when
    unit.time.advanceMs(50);

    // then
    assertThat(unit.ledger.fenceReads).isEqualTo(1);
  }

  @Test
  void shouldNotAskWhenEachIsAnsweredSoon() {
    // given
    unit.ledger.put(unit.order("bob", OrderStatus.PENDING, 1));
    confirm("alice");
    unit.log.ack(OFFSET);
    unit.time.advanceMs(30);
    confirm("bob");
    unit.log.ack(OFFSET + 1);
    unit.hear(unit.order("alice", OrderStatus.CONFIRMED, 2));

    // when
    unit.time.advanceMs(49);
    int soon = unit.ledger.fenceReads;
    unit.time.advanceMs(1);

    // then
    assertThat(soon).isZero();
    assertThat(unit.ledger.fenceReads).isEqualTo(1);
  }

  @Test
  void shouldStopAskingWhenNobodyWaits() {
    // given
    confirm("alice");
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
      confirm("alice");
    }

    // when
    Future<CommandAnswer> over = confirm("alice");

    // then
    assertThat(answer(over)).isEqualTo(new NotNow(true));
    assertThat(unit.log.appends).hasSize(CommandOutcomes.COMMANDS_MAX);
  }

  @Test
  void shouldTakeACommandAndHearItsEventWhenVeryManyHaveEnded() {
    // given
    for (int i = 0; i < CommandOutcomes.COMMANDS_MAX; i++) {
      confirm("alice");
      unit.log.last().ack().fail("timeout");
    }
    Future<CommandAnswer> answer = confirm("alice");

    // when
    unit.hear(confirmed);

    // then
    assertThat(answer(answer)).isEqualTo(new Done(confirmed));
  }

  private Future<CommandAnswer> confirm(String user) {
    return unit.orders.run(new Command.Confirm(unit.token(user)), order -> true);
  }
}
