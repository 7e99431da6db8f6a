package io.sluice.contract;

import static io.sluice.contract.StockUnderTest.VERSION;
import static io.sluice.contract.StockUnderTest.request;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.model.BucketId;
import io.sluice.model.Grant;
import io.sluice.model.SkuSettings;
import io.sluice.model.SkuState;
import io.sluice.stock.GrantOutcome.Already;
import io.sluice.stock.GrantOutcome.Granted;
import io.sluice.stock.ReserveReply;
import io.sluice.stock.StockStore;
import org.junit.jupiter.api.Test;

/** A bucket that was found empty grants nothing new for a moment, and reports for how long. */
interface SoldOutForContract extends StockContract {

  @Test
  default void shouldBeSoldOutForAQuarterOfASecondWhenNothingIsAvailable() {
    // given
    BucketId bucket = unit().openBucket(1);
    Grant grant = unit().grant(bucket, request(bucket, 1, 1));

    // when
    ReserveReply reply = unit().reserveReply(bucket, request(bucket, 2, 1));

    // then
    assertThat(reply.outcomes()).containsExactly(ReserveContract.SOLD_OUT);
    assertThat(reply.soldOutMs()).isEqualTo(StockStore.SOLD_OUT_MAX_MS);
    assertThat(reply.contents().epoch()).isEqualTo(grant.epoch());
    assertThat(reply.contents().claimed()).isEqualTo(1);
  }

  @Test
  default void shouldNotBeSoldOutWhileSomethingIsAvailable() {
    // given
    BucketId bucket = unit().openBucket(2);

    // when
    ReserveReply tooMany = unit().reserveReply(bucket, request(bucket, 1, 3));
    ReserveReply last = unit().reserveReply(bucket, request(bucket, 2, 2));

    // then
    assertThat(tooMany.outcomes()).containsExactly(ReserveContract.SOLD_OUT);
    assertThat(tooMany.soldOutMs()).isZero();
    assertThat(last.outcomes().get(0)).isInstanceOf(Granted.class);
    assertThat(last.soldOutMs()).as("nobody was refused").isZero();
  }

  @Test
  default void shouldBeSoldOutWhenTheSameBatchTakesTheLastUnitAndRefuses() {
    // given
    BucketId bucket = unit().openBucket(1);

    // when
    ReserveReply reply = unit().reserveReply(bucket, request(bucket, 1, 1), request(bucket, 2, 1));

    // then
    assertThat(reply.soldOutMs()).isEqualTo(StockStore.SOLD_OUT_MAX_MS);
    assertThat(reply.contents().claimed()).isEqualTo(1);
  }

  @Test
  default void shouldKeepAReturnedUnitBackWhileItIsSoldOut() {
    // given
    BucketId bucket = unit().openBucket(1);
    Grant first = unit().grant(bucket, request(bucket, 1, 1));
    unit().reserve(bucket, request(bucket, 2, 1));
    unit().release(first);

    // when
    ReserveReply refused = unit().reserveReply(bucket, request(bucket, 2, 1));

    // then
    assertThat(refused.outcomes()).containsExactly(ReserveContract.SOLD_OUT);
    assertThat(refused.available()).isZero();
    assertThat(refused.soldOutMs()).isBetween(1, StockStore.SOLD_OUT_MAX_MS);
    assertThat(unit().grantOnceOnSale(bucket, request(bucket, 2, 1)).seq()).isEqualTo(2);
  }

  @Test
  default void shouldNotProlongWhenItRefusesWhileSoldOut() {
    // given
    BucketId bucket = unit().openBucket(0);
    int before = unit().reserveReply(bucket, request(bucket, 1, 1)).soldOutMs();

    // when
    int after = before;
    long endNanos = System.nanoTime() + 1_000_000_000;
    while (after >= before - 100 && System.nanoTime() < endNanos) {
      after = unit().reserveReply(bucket, request(bucket, 1, 1)).soldOutMs();
    }

    // then
    assertThat(after).isLessThan(before - 100);
  }

  @Test
  default void shouldTellAHolderItsGrantWhileItIsSoldOut() {
    // given
    BucketId bucket = unit().openBucket(1);
    Grant grant = unit().grant(bucket, request(bucket, 1, 1));
    unit().reserve(bucket, request(bucket, 2, 1));

    // when
    ReserveReply reply = unit().reserveReply(bucket, request(bucket, 1, 1));

    // then
    assertThat(reply.outcomes()).containsExactly(new Already(grant, true));
    assertThat(reply.soldOutMs()).isPositive();
  }

  @Test
  default void shouldSayTheLimitThatHolds() {
    // given
    BucketId bucket = unit().openBucket(0, SkuState.OPEN, new SkuSettings(300, 4, 0, 0));

    // when
    ReserveReply reply = unit().reserveReply(bucket, request(bucket, 1, 1));

    // then
    assertThat(reply.contents().limitPerUser()).isEqualTo(4);
  }

  @Test
  default void shouldGiveNoLeaseWhenItDoesNotSell() {
    // given
    BucketId bucket = unit().openBucket(0);
    unit().reserve(bucket, request(bucket, 1, 1));

    // when
    unit().restock(bucket, VERSION + 1, 0, SkuState.CLOSED, StockUnderTest.FREE_FOR_ALL);
    ReserveReply closed = unit().reserveReply(bucket, request(bucket, 1, 1));

    // then
    assertThat(closed.soldOutMs()).isZero();
  }

  @Test
  default void shouldSayOtherContentsWhenATokenIsNewOrTheEpochIs() {
    // given
    BucketId bucket = unit().openBucket(9);
    ReserveReply first = unit().reserveReply(bucket, request(bucket, 1, 1));
    ReserveReply same = unit().reserveReply(bucket, request(bucket, 1, 1));

    // when
    ReserveReply more = unit().reserveReply(bucket, request(bucket, 2, 1));
    unit().rebuild(9, StockUnderTest.FREE_FOR_ALL, bucket);
    ReserveReply rebuilt = unit().reserveReply(bucket, request(bucket, 3, 2));

    // then
    assertThat(same.contents().sameTokens(first.contents())).isTrue();
    assertThat(more.contents().sameTokens(first.contents())).isFalse();
    assertThat(rebuilt.contents().claimed()).isEqualTo(more.contents().claimed());
    assertThat(rebuilt.contents().sameTokens(more.contents())).isFalse();
  }
}
