package io.sluice.contract;

import static io.sluice.contract.StockUnderTest.VERSION;
import static io.sluice.contract.StockUnderTest.await;
import static io.sluice.contract.StockUnderTest.request;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.model.BucketId;
import io.sluice.model.SkuSettings;
import io.sluice.model.SkuState;
import io.sluice.stock.BucketCode;
import io.sluice.stock.ReserveReply;
import io.sluice.stock.StockStore;
import io.sluice.stock.StockStore.BucketTotal;
import io.sluice.stock.StockStore.EmptyBucket;
import java.util.List;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

/** Buckets of a SKU that has several: units may come from others, so only a check makes one dry. */
interface EmptyBucketContract extends StockContract {
  private BucketId bucket(long version, long units, long skuTotal) {
    BucketId bucket = unit().openBucket(units);
    tell(bucket, version, units, skuTotal);
    return bucket;
  }

  private BucketCode tell(BucketId bucket, long version, long units, long skuTotal) {
    return await(
        unit()
            .store()
            .restock(
                bucket,
                StockUnderTest.TERM,
                new BucketTotal(
                    version,
                    units,
                    SkuState.OPEN,
                    unit().snapshot(bucket).settings(),
                    OptionalLong.of(skuTotal))));
  }

  private EmptyBucket soldOut(BucketId bucket) {
    return await(unit().store().soldOut(bucket));
  }

  @Test
  default void shouldNotBeDryByItselfWhenUnitsMayComeFromOtherBuckets() {
    // given
    BucketId bucket = bucket(VERSION + 1, 1, 5);

    // when
    ReserveReply refused =
        unit().reserveReply(bucket, request(bucket, 1, 1), request(bucket, 2, 1));
    tell(bucket, VERSION + 2, 2, 5);
    ReserveReply after = unit().reserveReply(bucket, request(bucket, 2, 1));

    // then
    assertThat(refused.soldOutMs()).isZero();
    assertThat(after.contents().claimed()).as("the unit that has come").isEqualTo(2);
  }

  @Test
  default void shouldGrantNothingForAMomentWhenACheckFindsItEmpty() {
    // given
    BucketId bucket = bucket(VERSION + 1, 1, 1);
    unit().grant(bucket, request(bucket, 1, 1));

    // when
    EmptyBucket empty = soldOut(bucket);
    tell(bucket, VERSION + 2, 2, 2);
    ReserveReply within = unit().reserveReply(bucket, request(bucket, 2, 1));

    // then
    assertThat(empty.soldOutMs()).isEqualTo(StockStore.SOLD_OUT_MAX_MS);
    assertThat(List.of(empty.total(), empty.skuTotal(), empty.version()))
        .containsExactly(1L, 1L, VERSION + 1);
    assertThat(empty.contents().sameTokens(within.contents())).isTrue();
    assertThat(within.outcomes()).containsExactly(ReserveContract.SOLD_OUT);
    assertThat(soldOut(bucket).soldOutMs())
        .as("not extended")
        .isBetween(1, StockStore.SOLD_OUT_MAX_MS);
  }

  @Test
  default void shouldGoOnGrantingWhenACheckFindsUnits() {
    // given
    BucketId bucket = bucket(VERSION + 1, 2, 2);
    unit().grant(bucket, request(bucket, 1, 1));

    // when
    EmptyBucket seen = soldOut(bucket);
    ReserveReply after = unit().reserveReply(bucket, request(bucket, 2, 1));

    // then
    assertThat(List.of(seen.available(), (long) seen.soldOutMs())).containsExactly(1L, 0L);
    assertThat(after.contents().claimed()).isEqualTo(2);
  }

  @Test
  default void shouldNotBeDryWhenItDoesNotSell() {
    // given
    BucketId closed = unit().openBucket(0, SkuState.CLOSED, new SkuSettings(300, 0, 0, 0));

    // then
    assertThat(soldOut(closed).soldOutMs()).isZero();
  }

  /** Reductions of other buckets change it without a version of this one. */
  @Test
  default void shouldTakeOverTheTotalOfTheSkuWhenTheVersionIsTheSame() {
    // given
    BucketId bucket = bucket(VERSION + 1, 3, 9);

    // when
    tell(bucket, VERSION + 1, 3, 8);
    tell(bucket, VERSION, 3, 7);

    // then
    assertThat(List.of(unit().snapshot(bucket).skuTotal(), soldOut(bucket).skuTotal()))
        .containsExactly(8L, 8L);
    assertThat(unit().snapshot(unit().openBucket(1)).skuTotal()).isEqualTo(StockStore.UNKNOWN);
  }
}
