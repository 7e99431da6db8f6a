package io.sluice.grant;

import static io.sluice.grant.Desk.accepted;
import static io.sluice.grant.Desk.answer;
import static io.sluice.grant.Desk.refusal;
import static io.sluice.grant.Desk.refused;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.ledger.BucketRows;
import io.sluice.model.BucketId;
import io.sluice.model.Order;
import io.sluice.model.OrderStatus;
import io.sluice.model.Refusal;
import io.sluice.model.Sku;
import io.sluice.model.SkuState;
import io.sluice.order.OrderAnswer;
import io.sluice.order.OrderAnswer.NotNow;
import io.sluice.order.OrderAnswer.Unknown;
import io.sluice.stock.BucketCode;
import io.sluice.stock.GrantOutcome;
import io.vertx.core.Future;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A bucket ends as soon as its last order has; others of its SKU may have orders for an hour, and
 * Redis has nothing of it any more. Of an order of two SKUs it is a bucket of the second.
 */
class EndedBucketTest extends CartPlacingScene {

  @BeforeEach
  void end() {
    is(LEAD, SkuState.ENDING);
    is(OTHER, SkuState.ENDING);
  }

  private void is(long skuId, SkuState state) {
    Sku sku = unit.ledger.skus.get(skuId);
    unit.ledger.skus.put(skuId, sku.with(sku.settings(), state, state, sku.membership()));
  }

  private static BucketId ended(int skus) {
    return new BucketId(skus == 1 ? LEAD : OTHER, 0);
  }

  private void putBucket(int skus, SkuState state) {
    Sku sku = unit.ledger.skus.get(ended(skus).skuId());
    unit.ledger.buckets =
        List.of(
            BucketRows.of(ended(skus), 0, 100, 0, 0, 1, 1, state, sku.settings(), sku.saleNo()));
  }

  private void sayThatRedisHasNone(int skus) {
    if (skus == 1) {
      last().reply(BucketCode.ABSENT);
    } else {
      last().reply(0, cart -> new GrantOutcome.Away(BucketCode.ABSENT, ended(skus)));
    }
  }

  /** Redis may have lost one that has not ended, and the log may have a grant that is unbooked. */
  @ParameterizedTest
  @CsvSource({
    "1, ENDED, NOT_OPEN, 0, ''",
    "1, ENDING, BUSY, 0, ''",
    "2, ENDED, NOT_OPEN, " + OTHER + ", 'SKU " + OTHER + "'",
    "2, ENDING, BUSY, " + OTHER + ", ''"
  })
  void shouldSayThatItIsNotOpenOnlyWhenTheBucketHasEnded(
      int skus, SkuState ofBucket, Refusal expected, long skuId, String detail) {
    // given
    Future<PlacedOrder> placed = place("alice", skus);
    putBucket(skus, ofBucket);

    // when
    sayThatRedisHasNone(skus);

    // then
    assertThat(refusal(placed)).isEqualTo(expected);
    assertThat(refused(placed).skuId()).isEqualTo(skuId);
    assertThat(refused(placed).detail()).contains(detail);
  }

  @Test
  void shouldNameTheSkuThatHasEndedWhenOthersAreOnSale() {
    // given
    is(LEAD, SkuState.OPEN);
    is(OTHER, SkuState.ENDED);

    // when
    Future<PlacedOrder> placed = place("alice");

    // then
    assertThat(refusal(placed)).isEqualTo(Refusal.NOT_OPEN);
    assertThat(refused(placed).skuId()).isEqualTo(OTHER);
  }

  @Test
  void shouldBeBusyByThatLineWhenTheLedgerIsDown() {
    // given
    Future<PlacedOrder> placed = place("alice");
    putBucket(2, SkuState.ENDED);
    unit.ledger.down = true;

    // when
    sayThatRedisHasNone(2);

    // then
    assertThat(refusal(placed)).isEqualTo(Refusal.BUSY);
    assertThat(refused(placed).skuId()).isEqualTo(OTHER);
  }

  @ParameterizedTest
  @EnumSource(
      value = SkuState.class,
      names = {"ENDED", "ENDING"})
  void shouldKnowThatThereIsNoOrderOnlyWhenTheBucketHasEnded(SkuState ofBucket) {
    // given
    putBucket(1, ofBucket);
    unit.stock.code = BucketCode.ABSENT;

    // when
    OrderAnswer found = answer(unit.orders.find(unit.token("alice"), order -> true));

    // then
    assertThat(found).isEqualTo(ofBucket == SkuState.ENDED ? new Unknown() : new NotNow(true));
  }

  @ParameterizedTest(name = "{0} SKUs")
  @ValueSource(ints = {1, 2})
  void shouldFindTheOrderWhenABucketHasEndedSinceItWasPaid(int skus) {
    // given
    Future<PlacedOrder> placed = place("alice", skus);
    putBucket(skus, SkuState.ENDED);
    isInTheLedger(OrderStatus.CONFIRMED);

    // when
    sayThatRedisHasNone(skus);

    // then
    assertThat(accepted(placed).order().status()).isEqualTo(OrderStatus.CONFIRMED);
    assertThat(accepted(placed).fresh()).isFalse();
  }

  /** The order that was asked for last. */
  private void isInTheLedger(OrderStatus status) {
    Order order = Order.reserved(ScriptedStock.grant(last().only()));
    unit.ledger.put(order.changed(status, null, 20_000));
  }

  private Future<PlacedOrder> placeKnown(OrderStatus status) {
    is(LEAD, SkuState.OPEN);
    is(OTHER, SkuState.OPEN);
    Future<PlacedOrder> placed = place("alice");
    isInTheLedger(status);
    return placed;
  }

  /** It answered 409 order-ended, though it had answered 200 before. */
  @Test
  void shouldFindTheOrderWhenOneOfItsLinesWasRefunded() {
    // given
    Future<PlacedOrder> placed = placeKnown(OrderStatus.CONFIRMED);

    // when
    last().refuseAll(Refusal.ORDER_ENDED, GrantOutcome.Refused.NO_LINE);

    // then
    assertThat(accepted(placed).order().status()).isEqualTo(OrderStatus.CONFIRMED);
    assertThat(accepted(placed).fresh()).isFalse();
  }

  /** Whether all of it was refunded, and whether the ledger can tell. */
  @ParameterizedTest
  @CsvSource({"REFUNDED, false, ORDER_ENDED", "CONFIRMED, true, UNAVAILABLE"})
  void shouldSayThatTheOrderHasEndedOnlyWhenTheLedgerSaysSo(
      OrderStatus status, boolean down, Refusal expected) {
    // given
    Future<PlacedOrder> placed = placeKnown(status);
    unit.ledger.down = down;

    // when
    last().refuseAll(Refusal.ORDER_ENDED, GrantOutcome.Refused.NO_LINE);

    // then
    assertThat(refusal(placed)).isEqualTo(expected);
  }
}
