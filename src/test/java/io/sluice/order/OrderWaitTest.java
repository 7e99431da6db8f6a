package io.sluice.order;

import static io.sluice.grant.Desk.answer;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.grant.Desk;
import io.sluice.model.Order;
import io.sluice.model.OrderStatus;
import io.sluice.model.OrderToken;
import io.sluice.order.OrderAnswer.Known;
import io.sluice.order.OrderAnswer.Unknown;
import io.sluice.stock.Recorded;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** {@code GET ?wait=}: the answer comes with the change, or after the wait. */
class OrderWaitTest {
  private final Desk unit = new Desk();
  private final OrderToken token = unit.token("alice");
  private final Order pending = unit.order("alice", OrderStatus.PENDING, 1);
  private final Order confirmed = unit.order("alice", OrderStatus.CONFIRMED, 2);

  private final Promise<Void> left = Promise.promise();

  @BeforeEach
  void book() {
    unit.ledger.put(pending);
  }

  @Test
  void shouldAnswerWithTheChangeWhenItsEventIsHeard() {
    // given
    Future<OrderAnswer> changed = waiting();
    assertThat(changed.isComplete()).isFalse();

    // when
    unit.hear(confirmed);

    // then
    assertThat(answer(changed)).isEqualTo(new Known(confirmed));
  }

  @Test
  void shouldGoOnWaitingWhenTheEventChangesNoStatus() {
    // given
    Future<OrderAnswer> changed = waiting();

    // when
    unit.hear(pending);
    unit.hear(unit.order("alice", OrderStatus.PENDING, 2));

    // then
    assertThat(changed.isComplete()).isFalse();
  }

  @Test
  void shouldFindTheChangeWithinASecondWhenNoEventIsHeard() {
    // given
    Future<OrderAnswer> changed = waiting();
    unit.time.advanceMs(2_500);
    assertThat(changed.isComplete()).isFalse();
    unit.ledger.put(confirmed);

    // when
    unit.time.advanceMs(500);

    // then
    assertThat(answer(changed)).isEqualTo(new Known(confirmed));
  }

  @Test
  void shouldKeepRereadingWhenTheLedgerWasDown() {
    // given
    Future<OrderAnswer> changed = waiting();
    unit.ledger.down = true;
    unit.time.advanceMs(1_000);
    unit.ledger.down = false;
    unit.ledger.put(confirmed);

    // when
    unit.time.advanceMs(1_000);

    // then
    assertThat(answer(changed)).isEqualTo(new Known(confirmed));
  }

  @Test
  void shouldNotPileUpReadsWhenTheLedgerIsSlow() {
    // given
    waiting();
    int before = unit.ledger.reads.size();
    unit.ledger.hold();

    // when
    unit.time.advanceMs(5_000);

    // then
    assertThat(unit.ledger.reads).hasSize(before + 1);
  }

  @Test
  void shouldAnswerWithTheLatestWhenTheWaitIsOver() {
    // given
    Future<OrderAnswer> changed = wait(Duration.ofSeconds(3));
    unit.hear(unit.order("alice", OrderStatus.PENDING, 2));
    unit.time.advanceMs(2_999);
    assertThat(changed.isComplete()).isFalse();

    // when
    unit.time.advanceMs(1);

    // then
    assertThat(answer(changed)).isEqualTo(new Known(unit.order("alice", OrderStatus.PENDING, 2)));
  }

  @Test
  void shouldWaitThirtySecondsAtMost() {
    // given
    Future<OrderAnswer> changed = wait(Duration.ofHours(1));
    unit.time.advanceMs(29_999);
    assertThat(changed.isComplete()).isFalse();

    // when
    unit.time.advanceMs(1);

    // then
    assertThat(answer(changed)).isEqualTo(new Known(pending));
  }

  @Test
  void shouldSeeTheBookingWhenTheOrderWasReserved() {
    // given
    unit.ledger.orders.clear();
    unit.stock.recorded.put(token, new Recorded(unit.grant("alice"), true, true));
    Future<OrderAnswer> changed = waiting();
    assertThat(changed.isComplete()).isFalse();

    // when
    unit.hear(pending);

    // then
    assertThat(answer(changed)).isEqualTo(new Known(pending));
  }

  @Test
  void shouldAnswerAtOnceWhenThereIsNothingToWaitFor() {
    // given
    unit.ledger.orders.clear();
    Future<OrderAnswer> unknown = waiting();
    unit.ledger.put(pending);

    // when
    Future<OrderAnswer> noWait = wait(Duration.ZERO);

    // then
    assertThat(answer(unknown)).isEqualTo(new Unknown());
    assertThat(answer(noWait)).isEqualTo(new Known(pending));
  }

  @Test
  void shouldBeUnknownWhenTheCallerMayNotSeeIt() {
    // given

    // when
    Future<OrderAnswer> changed =
        unit.orders.findChanged(token, Duration.ofSeconds(10), order -> false, left.future());

    // then
    assertThat(answer(changed)).isEqualTo(new Unknown());
  }

  @Test
  void shouldAnswerAtOnceWhenTooManyWait() {
    // given
    for (int i = 0; i < 10_000; i++) {
      waiting();
    }

    // when
    Future<OrderAnswer> over = waiting();

    // then
    assertThat(answer(over)).isEqualTo(new Known(pending));
  }

  @Test
  void shouldStopRereadingWhenNobodyWaits() {
    // given
    wait(Duration.ofSeconds(2));
    unit.time.advanceMs(4_000);
    int reads = unit.ledger.reads.size();

    // when
    unit.time.advanceMs(10_000);

    // then
    assertThat(unit.ledger.reads).hasSize(reads);
    assertThat(unit.time.timersSet()).isZero();
  }

  @Test
  void shouldHearEventsWhenManyWaitedBefore() {
    // given
    for (int i = 0; i < 100; i++) {
      wait(Duration.ofMillis(1));
      unit.time.advanceMs(1);
    }
    Future<OrderAnswer> changed = waiting();

    // when
    unit.hear(confirmed);

    // then
    assertThat(answer(changed)).isEqualTo(new Known(confirmed));
  }

  @Test
  void shouldEndTheWaitWhenItsCallerHasLeft() {
    // given
    Future<OrderAnswer> changed = waiting();

    // when
    left.complete();

    // then
    assertThat(answer(changed)).isEqualTo(new Known(pending));
  }

  private Future<OrderAnswer> waiting() {
    return wait(Duration.ofSeconds(10));
  }

  private Future<OrderAnswer> wait(Duration atMost) {
    return unit.orders.findChanged(token, atMost, order -> true, left.future());
  }

  /** An event that came before the wait began is not told again. */
  @Test
  void shouldAnswerAtOnceWhenTheChangeWasHeardBeforeTheWait() {
    // given
    unit.hear(confirmed);

    // when
    Future<OrderAnswer> changed = waiting();

    // then
    assertThat(answer(changed)).isEqualTo(new Known(confirmed));
  }

  /** The cache is bounded, and events are late while bookings are. */
  @Test
  void shouldGoOnWaitingWhenAnEarlierEventComesOfAnOrderThatIsNoLongerCached() {
    // given
    var reader = new OrderReader(unit.ledger.port(), unit.cache);
    var waits = new OrderWaits(unit.cache, reader, unit.time.loop());
    Future<OrderAnswer> changed = waits.changed(confirmed, Duration.ofSeconds(10), left.future());

    // when
    unit.hear(pending);
    boolean early = changed.isComplete();
    unit.time.advanceMs(10_000);

    // then
    assertThat(early).isFalse();
    assertThat(answer(changed)).isEqualTo(new Known(confirmed));
  }

  /** Events tell a bounded number of those that wait for one order; the others find it. */
  @Test
  void shouldFindTheChangeWithinASecondWhenVeryManyWaitForOneOrder() {
    // given
    List<Future<OrderAnswer>> waits = new ArrayList<>();
    for (int i = 0; i < 100; i++) {
      waits.add(waiting());
    }
    unit.ledger.put(confirmed);

    // when
    unit.time.advanceMs(1_000);

    // then
    assertThat(waits).allMatch(Future::isComplete);
  }
}
