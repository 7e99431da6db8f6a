package io.sluice.order;

import static io.sluice.grant.Desk.answer;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.grant.Desk;
import io.sluice.grant.ScriptedLog.Append;
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
import io.sluice.order.CommandAnswer.Unknown;
import io.sluice.order.OrderCalls.Answers;
import io.vertx.core.Future;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/**
 * Several commands in one call: what is sent together, in which order, and who is answered what.
 */
class CommandListTest {
  private static final long OFFSET = 41;

  private final Desk unit = new Desk(2);
  private final String alice = unit.buyerOf(0);
  private final String bob = other(0, alice);
  private final String carol = unit.buyerOf(1);

  private String other(int bucket, String first) {
    return IntStream.range(0, 1_000)
        .mapToObj(i -> "other" + i)
        .filter(user -> unit.token(user).bucket() == bucket && !user.equals(first))
        .findFirst()
        .orElseThrow();
  }

  private Order put(String user, OrderStatus status, long version) {
    Order order = unit.order(user, status, version);
    unit.ledger.put(order);
    return order;
  }

  private OrderToken token(String user) {
    return unit.token(user);
  }

  private Command confirm(String user) {
    return new Command.Confirm(token(user));
  }

  private Future<Answers> run(Command... commands) {
    return unit.orders.runAll(List.of(commands));
  }

  @Test
  void shouldWriteOneRecordForEachPartition() {
    // given
    List.of(alice, bob, carol).forEach(user -> put(user, OrderStatus.PENDING, 1));
    Command cancel = new Command.Cancel(token(bob), Reason.OPERATOR);

    // when
    run(confirm(alice), confirm(carol), cancel);

    // then
    assertThat(unit.log.appends)
        .extracting(Append::partition)
        .containsExactly(unit.partition(alice), unit.partition(carol));
    assertThat(unit.log.appends)
        .extracting(Append::commands)
        .containsExactly(List.of(confirm(alice), cancel), List.of(confirm(carol)));
  }

  @Test
  void shouldAnswerEachInItsPlace() {
    // given
    put(alice, OrderStatus.PENDING, 1);
    Order ended = put(bob, OrderStatus.CANCELED, 2);
    Order paid = put(carol, OrderStatus.CONFIRMED, 2);
    String nobody = other(1, carol);
    Future<Answers> answers =
        run(confirm(nobody), new Command.Refund(token(bob)), confirm(alice), confirm(carol));
    unit.log.ack(OFFSET);
    Order confirmed = unit.order(alice, OrderStatus.CONFIRMED, 2);

    // when
    unit.commit(confirmed, 1, OFFSET + 1);

    // then
    assertThat(answer(answers))
        .isEqualTo(
            new Answers(
                List.of(
                    new Unknown(),
                    new Conflict(ConflictType.NOT_CONFIRMED, ended),
                    new Done(confirmed),
                    new Done(paid)),
                true));
  }

  /** The confirmation was answered as the refund had left the order: 409 already-refunded. */
  @Test
  void shouldSendTheNextCommandOfAnOrderOnceTheOneBeforeIsAnswered() {
    // given
    put(alice, OrderStatus.PENDING, 1);
    Order confirmed = unit.order(alice, OrderStatus.CONFIRMED, 2);
    Order refunded = unit.order(alice, OrderStatus.REFUNDED, 3);
    Future<Answers> answers = run(confirm(alice), new Command.Refund(token(alice)));
    unit.log.ack(OFFSET);
    int sentFirst = unit.log.appends.size();
    unit.ledger.put(confirmed);
    unit.commit(confirmed, 1, OFFSET + 1);
    unit.log.ack(OFFSET + 1);

    // when
    unit.commit(refunded, 1, OFFSET + 2);

    // then
    assertThat(sentFirst).isEqualTo(1);
    assertThat(answer(answers).inOrder()).containsExactly(new Done(confirmed), new Done(refunded));
  }

  @Test
  void shouldNotSendTheNextCommandOfAnOrderWhenTheOutcomeOfTheOneBeforeIsUnknown() {
    // given
    put(alice, OrderStatus.PENDING, 1);
    Future<Answers> answers = run(confirm(alice), new Command.Refund(token(alice)));

    // when
    unit.log.last().ack().fail("timeout");

    // then
    assertThat(answer(answers))
        .isEqualTo(new Answers(List.of(new NotNow(false), new NotNow(false)), true));
    assertThat(unit.log.appends).hasSize(1);
  }

  @Test
  void shouldBeAcceptedWhenTheOwnerDoesNotAnswerInTime() {
    // given
    Order pending = put(alice, OrderStatus.PENDING, 1);
    Future<Answers> answers = run(confirm(alice));
    unit.log.ack(OFFSET);

    // when
    unit.time.advanceMs(2_000);

    // then
    assertThat(answer(answers).inOrder()).containsExactly(new Accepted(pending));
  }

  @Test
  void shouldBeginNoFurtherRoundWhenTheTimeIsOver() {
    // given
    Order pending = put(alice, OrderStatus.PENDING, 1);
    Future<Answers> answers = run(confirm(alice), new Command.Refund(token(alice)), confirm(alice));
    unit.log.ack(OFFSET);
    unit.time.advanceMs(2_000);
    unit.log.ack(OFFSET + 1);

    // when
    unit.time.advanceMs(2_000);

    // then
    assertThat(answer(answers).inOrder())
        .containsExactly(new Accepted(pending), new Accepted(pending), new NotNow(true));
    assertThat(unit.log.appends).hasSize(2);
  }

  @Test
  void shouldHaveSentNothingWhenNoOrderCanBeLookedUp() {
    // given
    answer(unit.catalog.find(Desk.SKU));
    unit.ledger.down = true;

    // when
    Future<Answers> answers = run(confirm(alice), confirm(carol));
    unit.time.advanceMs(10_000);

    // then
    assertThat(answer(answers).sent()).isFalse();
    assertThat(answer(answers).inOrder()).allMatch(NotNow.class::isInstance);
  }

  /** A record must not have a command whose caller hears that it was not taken. */
  @Test
  void shouldSendOnlyWhatThereIsRoomFor() {
    // given
    List.of(alice, bob).forEach(user -> put(user, OrderStatus.PENDING, 1));
    for (int i = 1; i < CommandOutcomes.COMMANDS_MAX; i++) {
      unit.orders.run(confirm(alice), order -> true);
    }

    // when
    Future<Answers> answers = run(confirm(alice), confirm(bob));
    unit.log.last().ack().fail("timeout");

    // then
    assertThat(unit.log.last().commands()).containsExactly(confirm(alice));
    assertThat(answer(answers).inOrder()).containsExactly(new NotNow(false), new NotNow(true));
  }
}
