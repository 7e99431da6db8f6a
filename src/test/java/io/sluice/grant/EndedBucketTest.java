package io.sluice.grant;

import static io.sluice.grant.Desk.SKU;
import static io.sluice.grant.Desk.accepted;
import static io.sluice.grant.Desk.answer;
import static io.sluice.grant.Desk.refusal;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.ledger.BucketRows;
import io.sluice.model.BucketId;
import io.sluice.model.Order;
import io.sluice.model.OrderStatus;
import io.sluice.model.Refusal;
import io.sluice.model.Sku;
import io.sluice.model.Sku.Membership;
import io.sluice.model.SkuState;
import io.sluice.order.OrderAnswer;
import io.sluice.order.OrderAnswer.NotNow;
import io.sluice.order.OrderAnswer.Unknown;
import io.sluice.stock.BucketCode;
import io.vertx.core.Future;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * A bucket ends as soon as its last order has; others of its SKU may have orders for an hour, and
 * Redis has nothing of it any more.
 */
class EndedBucketTest {
  private final Desk unit = new Desk();

  private void isEnding() {
    Sku sku = unit.ledger.skus.get(SKU);
    unit.ledger.skus.put(
        SKU,
        sku.with(
            sku.settings(), SkuState.ENDING, SkuState.ENDING, new Membership(0, null, false, 0)));
  }

  private Future<PlacedOrder> placeWhereRedisHasNone(SkuState ofBucket) {
    isEnding();
    Future<PlacedOrder> placed = unit.place("alice");
    putBucket(ofBucket);
    unit.stock.last().reply(BucketCode.ABSENT);
    return placed;
  }

  private void putBucket(SkuState state) {
    Sku sku = unit.ledger.skus.get(SKU);
    BucketId bucket = unit.token("alice").bucketId();
    unit.ledger.buckets =
        List.of(BucketRows.of(bucket, 0, 100, 0, 0, 1, 1, state, sku.settings(), sku.saleNo()));
  }

  /**
   * Redis may have lost one that has not ended, and the log may have a grant that is not booked.
   */
  @ParameterizedTest
  @CsvSource({"ENDED, NOT_OPEN", "ENDING, BUSY"})
  void shouldSayThatItIsNotOpenOnlyWhenTheBucketHasEnded(SkuState ofBucket, Refusal expected) {
    // when
    Future<PlacedOrder> placed = placeWhereRedisHasNone(ofBucket);

    // then
    assertThat(refusal(placed)).isEqualTo(expected);
  }

  @ParameterizedTest
  @EnumSource(
      value = SkuState.class,
      names = {"ENDED", "ENDING"})
  void shouldKnowThatThereIsNoOrderOnlyWhenTheBucketHasEnded(SkuState ofBucket) {
    // when
    OrderAnswer found = findWhereRedisHasNone(ofBucket);

    // then
    assertThat(found).isEqualTo(ofBucket == SkuState.ENDED ? new Unknown() : new NotNow(true));
  }

  @Test
  void shouldFindTheOrderWhenTheBucketHasEndedSinceItWasPaid() {
    // given
    isEnding();
    Future<PlacedOrder> granted = unit.place("alice");
    unit.stock.last().grantAll();
    unit.log.ackAll();
    Order order = accepted(granted).order();
    unit.ledger.orders.put(order.token(), order.changed(OrderStatus.CONFIRMED, null, 20_000));

    // when
    Future<PlacedOrder> placed = placeWhereRedisHasNone(SkuState.ENDED);

    // then
    assertThat(accepted(placed).order().status()).isEqualTo(OrderStatus.CONFIRMED);
  }

  private OrderAnswer findWhereRedisHasNone(SkuState ofBucket) {
    isEnding();
    putBucket(ofBucket);
    unit.stock.code = BucketCode.ABSENT;
    return answer(unit.orders.find(unit.token("alice"), order -> true));
  }
}
