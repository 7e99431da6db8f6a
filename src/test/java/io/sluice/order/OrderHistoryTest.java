package io.sluice.order;

import static io.sluice.grant.Desk.answer;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.grant.Desk;
import io.sluice.model.Command;
import io.sluice.model.Order;
import io.sluice.model.OrderStatus;
import io.sluice.model.OrderToken;
import io.sluice.model.Reason;
import io.sluice.order.OrderAnswer.Known;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * A ledger that was restored to an earlier state, and went on otherwise, has other orders of the
 * versions that are known.
 */
class OrderHistoryTest {
  private final Desk desk = new Desk();
  private final OrderCache unit = desk.cache;
  private final OrderToken token = desk.token("alice");

  @ParameterizedTest
  @EnumSource(
      value = OrderStatus.class,
      names = {"CONFIRMED", "CANCELED"})
  void shouldNotBeCurrentWhenItsPartitionHasAnotherOwnerSince(OrderStatus status) {
    // given
    desk.heartbeat("alice", 1);
    desk.hear(desk.order("alice", status, 2));
    assertThat(unit.current(token, desk.sku())).isNotNull();

    // when
    desk.heartbeat("alice", 2);

    // then
    assertThat(unit.current(token, desk.sku())).isNull();
  }

  @Test
  void shouldTakeTheLaterOfTwoOrdersOfOneVersion() {
    // given
    List<Order> heard = new ArrayList<>();
    unit.watch(token, heard::add);
    desk.hear(desk.order("alice", OrderStatus.CANCELED, 2));
    Order later = desk.order("alice", OrderStatus.PENDING, 1).paid(null, 90_000);

    // when
    desk.hear(later);

    // then
    assertThat(unit.lastKnown(token)).isEqualTo(later);
    assertThat(heard)
        .extracting(Order::status)
        .containsExactly(OrderStatus.CANCELED, OrderStatus.CONFIRMED);
  }

  /** The ledger may have been restored in between; the next owner books what is left in the log. */
  @Test
  void shouldIgnoreACommitWhenALaterOwnerWasHeard() {
    // given
    desk.heartbeat("alice", 2);

    // when
    desk.commit(desk.order("alice", OrderStatus.CONFIRMED, 2), 1, 40);

    // then
    assertThat(unit.lastKnown(token)).isNull();
  }

  /** The first heartbeat of a new owner comes after its first commits. */
  @Test
  void shouldNotBeCurrentWhenANewOwnerHereHasCommitted() {
    // given
    desk.heartbeat("alice", 1);
    desk.hear(desk.order("alice", OrderStatus.CANCELED, 2));
    desk.hear(desk.order("bob", OrderStatus.CANCELED, 2));

    // when
    desk.commit(desk.order("bob", OrderStatus.CONFIRMED, 2), 2, 40);

    // then
    assertThat(unit.current(token, desk.sku())).isNull();
    desk.heartbeat("bob", 2);
    assertThat(unit.current(desk.token("bob"), desk.sku()))
        .isEqualTo(desk.order("bob", OrderStatus.CONFIRMED, 2));
  }

  @Test
  void shouldTakeALowerVersionWhenItWasReadUnderALaterOwner() {
    // given
    desk.hear(desk.order("alice", OrderStatus.REFUNDED, 3));
    desk.heartbeat("alice", 2);

    // when
    unit.learn(desk.order("alice", OrderStatus.CONFIRMED, 2), unit.asOf());

    // then
    Order confirmed = desk.order("alice", OrderStatus.CONFIRMED, 2);
    assertThat(unit.current(token, desk.sku())).isEqualTo(confirmed);
  }

  @Test
  void shouldKeepTheHigherVersionWhenTheLowerWasReadBeforeItsOwnerChanged() {
    // given
    OrderCache.HeardTerms.Until asOf = unit.asOf();
    desk.heartbeat("alice", 2);
    desk.hear(desk.order("alice", OrderStatus.REFUNDED, 3));

    // when
    unit.learn(desk.order("alice", OrderStatus.CONFIRMED, 2), asOf);

    // then
    assertThat(unit.current(token, desk.sku())).extracting(Order::version).isEqualTo(3L);
  }

  /** A new owner sends again what may not have been sent. */
  @Test
  void shouldKeepTheHigherVersionWhenALowerIsHeardOnceMoreUnderALaterOwner() {
    // given
    desk.hear(desk.order("alice", OrderStatus.REFUNDED, 3));
    desk.heartbeat("alice", 2);

    // when
    desk.hear(desk.order("alice", OrderStatus.CONFIRMED, 2));

    // then
    assertThat(unit.lastKnown(token)).extracting(Order::version).isEqualTo(3L);
    assertThat(unit.current(token, desk.sku())).isNull();
  }

  @Test
  void shouldReadTheLedgerOnceMoreWhenAnOrderHadEndedBeforeItsOwnerChanged() {
    // given
    desk.heartbeat("alice", 1);
    desk.hear(desk.order("alice", OrderStatus.CANCELED, 2));
    desk.heartbeat("alice", 2);
    Order refunded = desk.order("alice", OrderStatus.REFUNDED, 2);
    desk.ledger.put(refunded);

    // when
    OrderAnswer found = answer(desk.orders.find(token, order -> true));
    desk.ledger.reads.clear();
    OrderAnswer again = answer(desk.orders.find(token, order -> true));

    // then
    assertThat(found).isEqualTo(new Known(refunded));
    assertThat(again).isEqualTo(new Known(refunded));
    assertThat(desk.ledger.reads).isEmpty();
  }

  /** What is known is as young as when it was learned, however early it had been asked for. */
  @Test
  void shouldKeepTheHigherVersionWhenItWasAskedForEarlierThanTheLower() {
    // given
    OrderCache.HeardTerms.Until first = unit.asOf();
    desk.heartbeat("alice", 2);
    OrderCache.HeardTerms.Until second = unit.asOf();
    unit.learn(desk.order("alice", OrderStatus.REFUNDED, 3), first);

    // when
    unit.learn(desk.order("alice", OrderStatus.CONFIRMED, 2), second);

    // then
    assertThat(unit.lastKnown(token)).extracting(Order::version).isEqualTo(3L);
  }

  @Test
  void shouldKeepWhatWasAskedForLaterWhenTwoAreOfOneVersion() {
    // given
    OrderCache.HeardTerms.Until early = unit.asOf();
    desk.heartbeat("alice", 2);
    desk.hear(desk.order("alice", OrderStatus.CONFIRMED, 2));

    // when
    unit.learn(desk.order("alice", OrderStatus.CANCELED, 2), early);

    // then
    Order confirmed = desk.order("alice", OrderStatus.CONFIRMED, 2);
    assertThat(unit.current(token, desk.sku())).isEqualTo(confirmed);
  }

  @Test
  void shouldNotAnswerACommandFromTheCacheWhenAnOrderHadEndedBeforeItsOwnerChanged() {
    // given
    answer(desk.catalog.find(Desk.SKU));
    desk.hear(desk.order("alice", OrderStatus.CANCELED, 2));
    desk.heartbeat("alice", 2);
    desk.ledger.down = true;

    // when
    CommandAnswer answer =
        answer(desk.orders.run(new Command.Cancel(token, Reason.BUYER), order -> true));

    // then
    assertThat(answer).isInstanceOf(CommandAnswer.NotNow.class);
  }

  @Test
  void shouldTellWhoWaitsThatALowerVersionHasAnotherStatus() {
    // given
    Order confirmed = desk.order("alice", OrderStatus.CONFIRMED, 2);
    desk.ledger.put(confirmed);
    Future<OrderAnswer> changed =
        desk.orders.findChanged(
            token, Duration.ofSeconds(10), order -> true, Promise.<Void>promise().future());
    desk.heartbeat("alice", 2);
    Order pending = desk.order("alice", OrderStatus.PENDING, 1);
    desk.ledger.put(pending);

    // when
    desk.time.advanceMs(1_000);

    // then
    assertThat(answer(changed)).isEqualTo(new Known(pending));
  }
}
