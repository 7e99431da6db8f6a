package io.sluice.grant;

import static io.sluice.grant.Desk.accepted;
import static io.sluice.grant.Desk.answer;
import static io.sluice.grant.Desk.refused;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.grant.PlacedOrder.Accepted;
import io.sluice.grant.PlacedOrder.Refused;
import io.sluice.model.Command;
import io.sluice.model.Grant;
import io.sluice.model.Order;
import io.sluice.model.Refusal;
import io.vertx.core.Future;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A yes is said only after the log's ack, and only within the grant deadline of 2,000 ms. */
class GrantDeadlineTest extends CartPlacingScene {

  @ParameterizedTest(name = "{0} SKUs")
  @ValueSource(ints = {1, 2})
  void shouldAcceptTheWholeGrantOnlyWhenTheLogAcknowledgesInTime(int skus) {
    // given
    Future<PlacedOrder> placed = place("alice", skus);
    last().grantAll();
    Grant granted = ScriptedStock.grant(last().only());
    unit.time.advanceMs(2_000 - 1);
    boolean answeredBeforeTheAck = placed.isComplete();

    // when
    unit.log.ackAll();

    // then
    assertThat(answeredBeforeTheAck).isFalse();
    assertThat(accepted(placed)).isEqualTo(new Accepted(Order.reserved(granted), true));
    assertThat(unit.log.appends).hasSize(1);
    assertThat(unit.log.last().partition()).isEqualTo(PARTITION);
    assertThat(unit.log.last().commands())
        .isEqualTo(List.of(new Command.Reserve(granted, ScriptedStock.RUN, null)));
    assertThat(unit.count("sluice_grants")).isEqualTo(1);
  }

  /** For how long the script takes, the loop is then held up, and runs. */
  @ParameterizedTest(name = "{0}")
  @CsvSource({
    "the ack is missing, 0, 0, 2000, false",
    "the ack comes after the deadline, 0, 0, 2001, true",
    "the loop is held up and sees the ack late, 0, 2001, 0, true",
    "the reply of the script is slow, 1500, 501, 0, true"
  })
  void shouldBeUnavailableWhen(String what, int scriptMs, int heldUpMs, int thenMs, boolean acked) {
    // given
    Future<PlacedOrder> placed = unit.place("alice");
    unit.time.stall(Duration.ofMillis(scriptMs));
    unit.stock.last().grantAll();

    // when
    unit.time.stall(Duration.ofMillis(heldUpMs));
    unit.time.advanceMs(thenMs);
    if (acked) {
      unit.log.ack(7);
    }

    // then
    assertUnavailable(placed);
  }

  @Test
  void shouldCountEachBatchAnewWhenARequestWaitedInTheQueue() {
    // given
    unit.place("alice");
    Future<PlacedOrder> second = unit.place("bob");
    unit.time.advanceMs(1_500);
    unit.stock.last().grantAll();
    unit.stock.last().grantAll();
    unit.time.advanceMs(1_900);

    // when
    unit.log.ack(8);

    // then
    assertThat(answer(second)).isInstanceOf(Accepted.class);
  }

  @Test
  void shouldBeUnavailableAndUndoNothingWhenAppendFails() {
    // given
    Future<PlacedOrder> placed = unit.place("alice");
    unit.stock.last().grantAll();

    // when
    unit.log.last().ack().fail("timeout");

    // then
    assertUnavailable(placed);
    assertThat(unit.stock.reserves).hasSize(1);
  }

  @ParameterizedTest(name = "{0} SKUs")
  @ValueSource(ints = {1, 2})
  void shouldLeaveTheGrantToTheSweepWhenReplyComesAfterDeadline(int skus) {
    // given
    Future<PlacedOrder> placed = place("alice", skus);
    unit.time.advanceMs(2_001);

    // when
    last().grantAll();

    // then
    assertUnavailable(placed);
    assertThat(unit.log.appends).isEmpty();
  }

  @ParameterizedTest(name = "{0} SKUs")
  @ValueSource(ints = {1, 2})
  void shouldBeUnavailableWithItsTokenAndSendNothingThatWaitedWhenReplyIsLost(int skus) {
    // given
    Future<PlacedOrder> placed = place("alice", skus);
    Future<PlacedOrder> waiting = place("bob", skus);

    // when
    last().fail();

    // then
    assertUnavailable(placed);
    assertThat(refused(placed)).isEqualTo(Refusals.unavailable(last().only().token()));
    assertUnavailable(waiting);
    assertThat(calls).hasSize(1);
    assertThat(unit.log.appends).isEmpty();
  }

  @Test
  void shouldFindOutWhenTheSameRequestComesAgain() {
    // given
    unit.place("alice");
    unit.stock.last().fail();

    // when
    Future<PlacedOrder> again = unit.place("alice");
    unit.stock.last().grantAll();
    unit.log.ack(7);

    // then
    assertThat(unit.stock.reserves.get(0).requests()).isEqualTo(unit.stock.last().requests());
    assertThat(answer(again)).isInstanceOf(Accepted.class);
  }

  @Test
  void shouldForgetTheDeadlineOfADecidedBatch() {
    // given
    for (int i = 0; i < 2; i++) {
      unit.place("buyer" + i);
      unit.stock.last().grantAll();
      unit.log.ack(i);
      unit.time.advanceMs(1_000);
    }

    // when
    int timers = unit.time.timersSet();

    // then
    assertThat(timers).as("timers after that of the first batch").isZero();
  }

  private void assertUnavailable(Future<PlacedOrder> placed) {
    Refused refused = (Refused) answer(placed);
    assertThat(refused.refusal()).isEqualTo(Refusal.UNAVAILABLE);
    assertThat(refused.retryAfterS()).isEqualTo(1);
  }
}
