package io.sluice.order;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.grant.Desk;
import io.sluice.model.BucketId;
import io.sluice.model.Grants;
import io.sluice.model.Order;
import io.sluice.model.OrderStatus;
import io.sluice.model.OrderToken;
import io.sluice.model.OrderTokens;
import io.sluice.orderlog.Event;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class OrderCacheTest {
  private final Desk desk = new Desk();
  private final OrderCache unit = desk.cache;
  private final OrderToken token = desk.token("alice");

  @Test
  void shouldKnowTheHighestVersionWhenEventsComeOutOfOrder() {
    // given
    desk.hear(desk.order("alice", OrderStatus.PENDING, 1));
    desk.hear(desk.order("alice", OrderStatus.CONFIRMED, 2));

    // when
    desk.hear(desk.order("alice", OrderStatus.PENDING, 1));

    // then
    assertThat(unit.lastKnown(token)).isEqualTo(desk.order("alice", OrderStatus.CONFIRMED, 2));
  }

  @Test
  void shouldBeCurrentForTwoSecondsAfterEachHeartbeat() {
    // given
    desk.heartbeat("alice", 1);
    desk.hear(desk.order("alice", OrderStatus.PENDING, 1));
    desk.time.advanceMs(1_999);
    desk.heartbeat("alice", 1);
    desk.time.advanceMs(1_999);
    assertThat(unit.current(token, desk.sku())).isNotNull();

    // when
    desk.time.advanceMs(1);

    // then
    assertThat(unit.current(token, desk.sku())).isNull();
  }

  @Test
  void shouldNotBeCurrentWhenTheHeartbeatIsOldAsItArrives() {
    // given
    desk.heartbeat("alice", 1);
    desk.time.advanceMs(2_000);
    desk.hear(desk.order("alice", OrderStatus.PENDING, 1));
    desk.youngFromMs = Desk.HEARTBEAT_AT_MS + 1;

    // when
    desk.heartbeat("alice", 1);

    // then
    assertThat(unit.current(token, desk.sku())).isNull();
  }

  @Test
  void shouldNotBeCurrentWithoutAHeartbeatOfItsOwnPartition() {
    // given
    desk.hear(desk.order("alice", OrderStatus.PENDING, 1));
    assertThat(unit.current(token, desk.sku())).isNull();
    int other = (desk.partition("alice") + 1) % Desk.PARTITIONS;

    // when
    unit.heard(other, Desk.heartbeatOf(other, 1L));

    // then
    assertThat(unit.current(token, desk.sku())).isNull();
  }

  /** Its refund may have been among them; it was answered for as long as there was room. */
  @Test
  void shouldNotBeCurrentWhenEventsWereMissed() {
    // given
    desk.heartbeat("alice", 1);
    desk.hear(desk.order("alice", OrderStatus.CANCELED, 2));
    boolean before = unit.current(token, desk.sku()) != null;

    // when
    unit.missed(desk.partition("alice"));
    desk.heartbeat("alice", 1);
    Order after = unit.current(token, desk.sku());
    unit.learn(desk.order("alice", OrderStatus.CANCELED, 2), unit.asOf());

    // then
    assertThat(before).isTrue();
    assertThat(after).isNull();
    assertThat(unit.current(token, desk.sku())).as("once it was read again").isNotNull();
  }

  @Test
  void shouldStayCurrentWhenAnotherPartitionMissedEventsOrHasAnotherOwner() {
    // given
    desk.heartbeat("alice", 1);
    desk.hear(desk.order("alice", OrderStatus.CANCELED, 2));
    int other = (desk.partition("alice") + 1) % Desk.PARTITIONS;
    unit.heard(other, Desk.heartbeatOf(other, 1L));

    // when
    unit.missed(other);
    unit.heard(other, Desk.heartbeatOf(other, 2L));

    // then
    assertThat(unit.current(token, desk.sku())).isNotNull();
  }

  /** A buyer who was forgotten went on seeing his orders. */
  @Test
  void shouldForgetAnOrderAfterMinutes() {
    // given
    desk.hear(desk.order("alice", OrderStatus.CANCELED, 2));
    desk.time.advanceMs(OrderCache.KEPT_FOR.toMillis() - 1);
    Order before = unit.lastKnown(token);

    // when
    desk.time.advanceMs(1);

    // then
    assertThat(before).isNotNull();
    assertThat(unit.lastKnown(token)).isNull();
    assertThat(unit.current(token, desk.sku())).isNull();
  }

  /** Who can write to the topic of events may write old ones, which are signed, once more. */
  @Test
  void shouldAddNoOrderWhenItsEventIsOld() {
    // given
    desk.heartbeat("alice", 1);
    desk.youngFromMs = desk.order("alice", OrderStatus.CONFIRMED, 2).updatedAtMs() + 1;

    // when
    desk.hear(desk.order("alice", OrderStatus.CONFIRMED, 2));

    // then
    assertThat(unit.lastKnown(token)).isNull();
    assertThat(unit.current(token, desk.sku())).isNull();
  }

  /** In a quiet instance the ledger's clock is not known when the first event comes. */
  @Test
  void shouldTellTheWatchesOfAnOrderThatIsNotAdded() {
    // given
    List<Order> heard = new ArrayList<>();
    unit.watch(token, heard::add);
    desk.youngFromMs = Long.MAX_VALUE;

    // when
    desk.hear(desk.order("alice", OrderStatus.PENDING, 1));

    // then
    assertThat(heard).containsExactly(desk.order("alice", OrderStatus.PENDING, 1));
  }

  /** Else what is known would stay current: the event may have waited long in the outbox. */
  @Test
  void shouldTakeTheHigherVersionWhenItsEventIsOld() {
    // given
    List<Order> heard = new ArrayList<>();
    desk.hear(desk.order("alice", OrderStatus.PENDING, 1));
    unit.watch(token, heard::add);
    desk.youngFromMs = Desk.HEARTBEAT_AT_MS;

    // when
    desk.hear(desk.order("alice", OrderStatus.CONFIRMED, 2));

    // then
    assertThat(unit.lastKnown(token)).isEqualTo(desk.order("alice", OrderStatus.CONFIRMED, 2));
    assertThat(heard).hasSize(1);
  }

  @Test
  void shouldAddAnOrderThatWasReadHoweverOldItIs() {
    // given
    desk.youngFromMs = Desk.HEARTBEAT_AT_MS;

    // when
    unit.learn(desk.order("alice", OrderStatus.CONFIRMED, 2), unit.asOf());

    // then
    assertThat(unit.lastKnown(token)).isNotNull();
  }

  @Test
  void shouldKnowAnOrderAndItsBuyerOnceAnOwnerHereHasCommittedIt() {
    // given
    desk.youngFromMs = Desk.HEARTBEAT_AT_MS;

    // when
    desk.commit(desk.order("alice", OrderStatus.PENDING, 1), 1, 40);
    desk.youngFromMs = 0;
    desk.heartbeat("alice", 1);

    // then
    assertThat(unit.current(token, desk.sku()))
        .isEqualTo(desk.order("alice", OrderStatus.PENDING, 1));
    assertThat(unit.knowsBuyer(token)).isTrue();
  }

  /** Each event comes to the instance that has published it as well. */
  @Test
  void shouldNotReadAnEventThatACommitHasTold() {
    // given
    List<Order> heard = new ArrayList<>();
    unit.watch(token, heard::add);
    desk.commit(desk.order("alice", OrderStatus.PENDING, 1), 1, 40);
    desk.commit(desk.order("alice", OrderStatus.CONFIRMED, 2), 1, 41);

    // when
    desk.hear(desk.order("alice", OrderStatus.PENDING, 1));
    desk.hear(desk.order("alice", OrderStatus.CONFIRMED, 2));
    desk.hear(desk.order("alice", OrderStatus.REFUNDED, 3));

    // then
    assertThat(heard)
        .extracting(Order::status)
        .containsExactly(OrderStatus.PENDING, OrderStatus.CONFIRMED, OrderStatus.REFUNDED);
  }

  /** What was known may be of the past then, so an event tells something although it is known. */
  @Test
  void shouldReadAnEventThatACommitHasToldWhenEventsWereMissedSince() {
    // given
    desk.commit(desk.order("alice", OrderStatus.PENDING, 1), 1, 40);
    unit.missed(desk.partition("alice"));
    desk.heartbeat("alice", 1);
    Order before = unit.current(token, desk.sku());

    // when
    desk.hear(desk.order("alice", OrderStatus.PENDING, 1));

    // then
    assertThat(before).isNull();
    assertThat(unit.current(token, desk.sku())).isNotNull();
    assertThat(unit.knowsBuyer(token)).isTrue();
  }

  @Test
  void shouldKeepTheHigherVersionWhenACommitIsToldLate() {
    // given
    desk.heartbeat("alice", 1);
    desk.hear(desk.order("alice", OrderStatus.CONFIRMED, 2));
    unit.missed((desk.partition("alice") + 1) % Desk.PARTITIONS);

    // when
    desk.commit(desk.order("alice", OrderStatus.PENDING, 1), 1, 40);

    // then
    assertThat(unit.current(token, desk.sku())).extracting(Order::version).isEqualTo(2L);
  }

  @Test
  void shouldIgnoreAHeartbeatWhenItsOwnerWasReplaced() {
    // given
    desk.heartbeat("alice", 5);
    desk.hear(desk.order("alice", OrderStatus.PENDING, 1));
    desk.time.advanceMs(2_000);

    // when
    desk.heartbeat("alice", 4);

    // then
    assertThat(unit.current(token, desk.sku())).isNull();
  }

  @ParameterizedTest
  @EnumSource(
      value = OrderStatus.class,
      names = {"REJECTED", "CANCELED", "REFUNDED"})
  void shouldBeCurrentWithoutHeartbeatWhenTheStatusCannotChange(OrderStatus status) {
    // given
    desk.hear(desk.order("alice", status, 2));

    // when
    Order current = unit.current(token, desk.sku());

    // then
    assertThat(current).isNotNull();
  }

  @Test
  void shouldNotRememberAnOrderThatTheLedgerDoesNotHave() {
    // given
    Order reserved = Order.reserved(desk.grant("alice"));

    // when
    desk.hear(reserved);

    // then
    assertThat(unit.lastKnown(token)).isNull();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "no json",
        "[]",
        "{}",
        "{\"order_token\":\"1001.0.x\"}",
        "{\"term\":\"one\"}",
        "{\"term\":1}"
      })
  void shouldIgnoreWhatItCannotRead(String payload) {
    // given
    desk.hear(desk.order("alice", OrderStatus.PENDING, 1));

    // when
    unit.heard(desk.partition("alice"), new Event("ORDER_CONFIRMED", "?", payload));
    unit.heard(desk.partition("alice"), new Event("HEARTBEAT", "?", payload));

    // then
    assertThat(unit.lastKnown(token)).isEqualTo(desk.order("alice", OrderStatus.PENDING, 1));
    assertThat(unit.current(token, desk.sku())).isNull();
  }

  @Test
  void shouldIgnoreAHeartbeatWhenThePartitionIsBeyondItsOwn() {
    // given
    int beyond = Desk.PARTITIONS;

    // when
    unit.heard(beyond, Desk.heartbeatOf(beyond, 1L));

    // then
    assertThat(unit.current(token, desk.sku())).isNull();
  }

  @Test
  void shouldTellWatchersOfNewVersionsUntilTheyClose() {
    // given
    List<Order> heard = new ArrayList<>();
    OrderCache.Watches.Watch watch = unit.watch(token, heard::add);
    desk.hear(desk.order("alice", OrderStatus.PENDING, 1));
    desk.hear(desk.order("bob", OrderStatus.PENDING, 1));
    desk.hear(desk.order("alice", OrderStatus.CONFIRMED, 2));
    desk.hear(desk.order("alice", OrderStatus.PENDING, 1));

    // when
    watch.close();
    desk.hear(desk.order("alice", OrderStatus.REFUNDED, 3));

    // then
    assertThat(heard)
        .extracting(Order::status)
        .containsExactly(OrderStatus.PENDING, OrderStatus.CONFIRMED);
  }

  @Test
  void shouldTellNoMoreThanABoundedNumberWhenManyWatchOneOrder() {
    // given
    List<Order> heard = new ArrayList<>();
    List<OrderCache.Watches.Watch> watches = new ArrayList<>();
    for (int i = 0; i < 100; i++) {
      watches.add(unit.watch(token, heard::add));
    }
    desk.hear(desk.order("alice", OrderStatus.PENDING, 1));
    assertThat(heard).hasSize(64);
    heard.clear();

    // when
    watches.forEach(OrderCache.Watches.Watch::close);
    unit.watch(token, heard::add);
    desk.hear(desk.order("alice", OrderStatus.CONFIRMED, 2));

    // then
    assertThat(heard).hasSize(1);
  }

  @Test
  void shouldNotBeCurrentWhenItsSkuHasNoSuchBucket() {
    // given
    Order order = desk.order("alice", OrderStatus.PENDING, 1);
    BucketId beyond = new BucketId(Desk.SKU, desk.sku().buckets());
    OrderToken elsewhere = new OrderTokens(new byte[16]).tokenFor("alice", beyond, null);
    unit.learn(
        Order.reserved(Grants.of(elsewhere, "alice", 1, 3, 1, 1, 9))
            .changed(order.status(), null, 2),
        unit.asOf());

    // when
    Order current = unit.current(elsewhere, desk.sku());

    // then
    assertThat(unit.lastKnown(elsewhere)).isNotNull();
    assertThat(current).isNull();
  }

  @Test
  void shouldGoOnTellingAWatcherWhenAnotherOfTheSameOrderCloses() {
    // given
    List<Order> heard = new ArrayList<>();
    List<Order> heardByOther = new ArrayList<>();
    unit.watch(token, heard::add);
    OrderCache.Watches.Watch other = unit.watch(token, heardByOther::add);

    // when
    other.close();
    desk.hear(desk.order("alice", OrderStatus.PENDING, 1));

    // then
    assertThat(heard).hasSize(1);
    assertThat(heardByOther).isEmpty();
  }

  @Test
  void shouldTellAWatcherWhenVeryManyHaveClosedBefore() {
    // given
    List<Order> heard = new ArrayList<>();
    for (int i = 0; i < 100_001; i++) {
      unit.watch(token, order -> {}).close();
    }

    // when
    unit.watch(token, heard::add);
    desk.hear(desk.order("alice", OrderStatus.PENDING, 1));

    // then
    assertThat(heard).hasSize(1);
  }
}
