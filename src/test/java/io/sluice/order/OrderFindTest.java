package io.sluice.order;

import static io.sluice.grant.Desk.answer;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.grant.Desk;
import io.sluice.model.Order;
import io.sluice.model.OrderStatus;
import io.sluice.model.OrderToken;
import io.sluice.order.OrderAnswer.Known;
import io.sluice.order.OrderAnswer.NotNow;
import io.sluice.order.OrderAnswer.Unknown;
import io.sluice.stock.BucketCode;
import io.sluice.stock.Recorded;
import io.vertx.core.Future;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The sources of an order's status, and the answer where it cannot be learned. */
class OrderFindTest {
  private final Desk unit = new Desk(2);
  private final OrderToken token = unit.token("alice");
  private final Order pending = unit.order("alice", OrderStatus.PENDING, 1);

  @BeforeEach
  void knowTheSku() {
    unit.catalog.find(Desk.SKU);
  }

  @Test
  void shouldBeReservedWhenRedisHasItUnbooked() {
    // given
    record(true, true);
    unit.ledger.down = true;

    // when
    OrderAnswer found = find();

    // then
    assertThat(found).isEqualTo(new Known(Order.reserved(unit.grant("alice"))));
    assertThat(unit.ledger.reads).isEmpty();
  }

  @Test
  void shouldReadTheLedgerWhenRedisHasItBooked() {
    // given
    record(true, false);
    unit.ledger.put(pending);

    // when
    OrderAnswer found = find();

    // then
    assertThat(found).isEqualTo(new Known(pending));
  }

  @Test
  void shouldReadTheLedgerWhenRedisDoesNotKnowIt() {
    // given
    unit.ledger.put(pending);

    // when
    OrderAnswer found = find();

    // then
    assertThat(found).isEqualTo(new Known(pending));
  }

  @Test
  void shouldAskNobodyWhenTheCacheIsCurrent() {
    // given
    unit.heartbeat("alice", 1);
    unit.hear(pending);

    // when
    OrderAnswer found = find();

    // then
    assertThat(found).isEqualTo(new Known(pending));
    assertThat(unit.stock.lookups).isEmpty();
    assertThat(unit.ledger.reads).isEmpty();
  }

  @Test
  void shouldReadTheLedgerWhenTheCacheIsNotCurrent() {
    // given
    unit.hear(pending);
    Order confirmed = unit.order("alice", OrderStatus.CONFIRMED, 2);
    unit.ledger.put(confirmed);

    // when
    OrderAnswer found = find();

    // then
    assertThat(found).isEqualTo(new Known(confirmed));
    assertThat(unit.cache.lastKnown(token)).isEqualTo(confirmed);
  }

  @Test
  void shouldNotGoBackToReservedWhenTheLedgersRowWasSeen() {
    // given
    record(true, true);
    unit.hear(pending);
    unit.ledger.put(pending);

    // when
    OrderAnswer found = find();

    // then
    assertThat(found).isEqualTo(new Known(pending));
  }

  @Test
  void shouldBeUnknownWhenOpenRedisAndLedgerBothDoNotKnowIt() {
    // given
    unit.stock.code = BucketCode.OK;

    // when
    OrderAnswer found = find();

    // then
    assertThat(found).isEqualTo(new Unknown());
  }

  @ParameterizedTest
  @EnumSource(
      value = BucketCode.class,
      names = {"ABSENT", "LOST", "LOADING"})
  void shouldBeBusyWhenRedisIsAwayAndTheLedgerDoesNotKnowIt(BucketCode code) {
    // given
    unit.stock.code = code;

    // when
    OrderAnswer found = find();

    // then
    assertThat(found).isEqualTo(new NotNow(true));
  }

  @Test
  void shouldBeKnownWhenRedisIsAwayAndTheLedgerKnowsIt() {
    // given
    unit.stock.code = BucketCode.LOST;
    unit.ledger.put(pending);

    // when
    OrderAnswer found = find();

    // then
    assertThat(found).isEqualTo(new Known(pending));
  }

  @Test
  void shouldBeUnavailableWhenRedisFailsAndTheLedgerDoesNotKnowIt() {
    // given
    unit.stock.down = true;

    // when
    OrderAnswer found = find();

    // then
    assertThat(found).isEqualTo(new NotNow(false));
  }

  @Test
  void shouldBeUnavailableWhenTheLedgerFails() {
    // given
    unit.ledger.down = true;

    // when
    OrderAnswer found = find();

    // then
    assertThat(found).isEqualTo(new NotNow(false));
  }

  @Test
  void shouldLookTwiceWhenTheBookedRowIsNotSeenYet() {
    // given
    record(true, false);
    unit.ledger.hold();
    Future<OrderAnswer> found = unit.orders.find(token, order -> true);
    unit.ledger.release();

    // when
    List<?> reads = unit.ledger.reads;

    // then
    assertThat(reads).hasSize(2);
    assertThat(answer(found)).isEqualTo(new NotNow(true));
  }

  @Test
  void shouldBeBusyWhenRedisSaysEndedAndTheLedgerHasNoRow() {
    // given
    record(false, false);

    // when
    OrderAnswer found = find();

    // then
    assertThat(found).isEqualTo(new NotNow(true));
  }

  @Test
  void shouldAskNoStoreWhenTheSkuIsUnknown() {
    // given
    OrderToken foreign = OrderToken.parse("77.0.AAAAAAAAAAAAAAAAAAAAAA").orElseThrow();

    // when
    OrderAnswer found = answer(unit.orders.find(foreign, order -> true));

    // then
    assertThat(found).isEqualTo(new Unknown());
    assertThat(unit.stock.lookups).isEmpty();
    assertThat(unit.ledger.reads).isEmpty();
  }

  @Test
  void shouldAskNoStoreWhenTheSkuHasNoSuchBucket() {
    // given
    OrderToken outside = OrderToken.parse("1001.2.AAAAAAAAAAAAAAAAAAAAAA").orElseThrow();

    // when
    OrderAnswer found = answer(unit.orders.find(outside, order -> true));

    // then
    assertThat(found).isEqualTo(new Unknown());
    assertThat(unit.stock.lookups).isEmpty();
  }

  @Test
  void shouldBeUnavailableWhenTheSkuCannotBeLookedUp() {
    // given
    OrderToken foreign = OrderToken.parse("77.0.AAAAAAAAAAAAAAAAAAAAAA").orElseThrow();
    unit.ledger.down = true;

    // when
    OrderAnswer found = answer(unit.orders.find(foreign, order -> true));

    // then
    assertThat(found).isEqualTo(new NotNow(false));
  }

  @Test
  void shouldBeUnknownWhenTheCallerMayNotSeeIt() {
    // given
    unit.ledger.put(pending);

    // when
    OrderAnswer found = answer(unit.orders.find(token, order -> order.userId().equals("bob")));

    // then
    assertThat(found).isEqualTo(new Unknown());
  }

  @Test
  void shouldJoinReadsWhenOneIsUnderWay() {
    // given
    unit.ledger.put(pending);
    unit.ledger.hold();
    unit.orders.find(unit.token("bob"), order -> true);
    Future<OrderAnswer> alice = unit.orders.find(token, order -> true);
    unit.orders.find(unit.token("carol"), order -> true);

    // when
    unit.ledger.release();

    // then
    assertThat(answer(alice)).isEqualTo(new Known(pending));
    assertThat(unit.ledger.reads).hasSize(2);
  }

  private OrderAnswer find() {
    return answer(unit.orders.find(token, order -> order.userId().equals("alice")));
  }

  private void record(boolean live, boolean unbooked) {
    unit.stock.recorded.put(token, new Recorded(unit.grant("alice"), live, unbooked));
  }
}
