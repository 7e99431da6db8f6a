package io.sluice.contract;

import static io.sluice.contract.StockUnderTest.EPOCH;
import static io.sluice.contract.StockUnderTest.FREE_FOR_ALL;
import static io.sluice.contract.StockUnderTest.TERM;
import static io.sluice.contract.StockUnderTest.VERSION;
import static io.sluice.contract.StockUnderTest.await;
import static io.sluice.contract.StockUnderTest.expectOk;
import static io.sluice.contract.StockUnderTest.failure;
import static io.sluice.contract.StockUnderTest.request;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.model.BucketId;
import io.sluice.model.SkuSettings;
import io.sluice.model.SkuState;
import io.sluice.stock.BucketCode;
import io.sluice.stock.StockStore.BucketTotal;
import io.sluice.stock.StockStore.LoadHead;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;

/** How a bucket whose sale has ended leaves the store. */
interface UnloadContract extends StockContract {

  private boolean hasAny(BucketId... buckets) {
    return await(unit().store().hasAny(List.of(buckets)));
  }

  @Test
  default void shouldHaveNothingOfABucketWhenItIsUnloaded() {
    // given
    BucketId bucket = unit().openBucket(10, SkuState.OPEN, new SkuSettings(300, 2, 0, 0));
    unit().grant(bucket, request(bucket, 1, 1));
    boolean before = hasAny(bucket);
    String mark = unit().freeze(bucket);

    // when
    BucketCode code = await(unit().store().unload(bucket, TERM, mark));

    // then
    assertThat(before).isTrue();
    assertThat(code).isEqualTo(BucketCode.OK);
    assertThat(hasAny(bucket)).isFalse();
    assertThat(unit().snapshot(bucket).code()).isEqualTo(BucketCode.ABSENT);
    assertThat(unit().reserveReply(bucket, request(bucket, 1, 1)).code())
        .isEqualTo(BucketCode.ABSENT);
  }

  @Test
  default void shouldUnloadInAnyStepOfARebuildAndAgain() {
    // given
    BucketId marked = unit().absentBucket();
    unit().freeze(marked);
    BucketId headed = unit().headedBucket();
    BucketId absent = unit().absentBucket();

    // when
    List<BucketCode> codes =
        List.of(
            await(unit().store().unload(marked, TERM, unit().markOf(marked))),
            await(unit().store().unload(marked, TERM, unit().markOf(marked))),
            await(unit().store().unload(headed, TERM, unit().markOf(headed))),
            await(unit().store().unload(absent, TERM, unit().markOf(absent))));

    // then
    assertThat(codes).containsOnly(BucketCode.OK);
    assertThat(hasAny(marked, headed, absent)).isFalse();
  }

  @Test
  default void shouldUnloadNothingWhenTheMarkIsNotTheCallers() {
    // given
    BucketId open = unit().openBucket(1);
    BucketId ofAnotherTerm = unit().headedBucket();
    BucketId ofAnotherMark = unit().headedBucket();
    BucketId lost = unit().headedBucket();
    unit().lose(lost);

    // when
    List<BucketCode> codes =
        List.of(
            await(unit().store().unload(open, TERM, unit().markOf(open))),
            await(unit().store().unload(ofAnotherTerm, TERM + 1, unit().markOf(ofAnotherTerm))),
            await(unit().store().unload(ofAnotherMark, TERM, unit().markOf(ofAnotherTerm))),
            await(unit().store().unload(lost, TERM, unit().markOf(lost))));

    // then
    assertThat(codes).containsOnly(BucketCode.SUPERSEDED);
    assertThat(unit().snapshot(open).code()).isEqualTo(BucketCode.OK);
    assertThat(List.of(hasAny(ofAnotherTerm), hasAny(ofAnotherMark), hasAny(lost)))
        .containsOnly(true);
  }

  /** A late call of before must not find a bucket that was loaded for the next sale. */
  @Test
  default void shouldNeverUseAMarkAgainWhenABucketWasUnloaded() {
    // given
    BucketId bucket = unit().openBucket(10);
    String before = unit().freeze(bucket);
    expectOk(unit().store().unload(bucket, TERM, before));
    String mark = unit().freeze(bucket);
    BucketTotal ceiling = new BucketTotal(VERSION, 10, SkuState.OPEN, FREE_FOR_ALL);
    expectOk(unit().store().load(bucket, TERM, mark, new LoadHead(EPOCH + 2, 0, ceiling, 1)));

    // when
    BucketCode unloaded = await(unit().store().unload(bucket, TERM, before));
    BucketCode loaded =
        await(unit().store().load(bucket, TERM, before, new LoadHead(EPOCH, 0, ceiling, 0)));
    BucketCode opened = await(unit().store().open(bucket, TERM, before));

    // then
    assertThat(List.of(unloaded, loaded, opened)).containsOnly(BucketCode.SUPERSEDED);
    assertThat(unit().snapshot(bucket).epoch()).isEqualTo(EPOCH + 2);
  }

  @Test
  default void shouldFindAnyOfManyBuckets() {
    // given
    BucketId open = unit().openBucket(1);
    BucketId marked = unit().absentBucket();
    unit().freeze(marked);
    BucketId absent = unit().absentBucket();

    // when
    List<Boolean> found =
        List.of(hasAny(absent), hasAny(absent, open), hasAny(marked, absent), hasAny(open));

    // then
    assertThat(found).containsExactly(false, true, true, true);
    assertThat(failure(unit().store().hasAny(List.of())))
        .isInstanceOf(IllegalArgumentException.class);
    assertThat(failure(unit().store().hasAny(Collections.nCopies(501, open))))
        .isInstanceOf(IllegalArgumentException.class);
  }
}
