package io.sluice.contract;

import static io.sluice.contract.StockUnderTest.EPOCH;
import static io.sluice.contract.StockUnderTest.FREE_FOR_ALL;
import static io.sluice.contract.StockUnderTest.TERM;
import static io.sluice.contract.StockUnderTest.VERSION;
import static io.sluice.contract.StockUnderTest.await;
import static io.sluice.contract.StockUnderTest.expectOk;
import static io.sluice.contract.StockUnderTest.request;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.contract.TermContract.OwnerCall;
import io.sluice.model.BucketId;
import io.sluice.model.SkuState;
import io.sluice.stock.BucketCode;
import io.sluice.stock.StockStore.BucketTotal;
import io.sluice.stock.StockStore.Frozen;
import io.sluice.stock.StockStore.LoadHead;
import io.sluice.stock.StockStore.Snapshot;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Who may rebuild a bucket, and when: the mark, its term and its run id. */
interface RebuildContract extends StockContract {

  @Test
  default void shouldMarkTheBucketWhenRedisIsEmpty() {
    // given
    BucketId bucket = unit().absentBucket();

    // when
    Frozen frozen = await(unit().store().freeze(bucket, TERM));

    // then
    assertThat(frozen).isEqualTo(new Frozen(BucketCode.OK, frozen.mark(), 0, TERM));
    assertThat(frozen.mark()).startsWith(unit().history() + ":");
    assertThat(unit().reserveReply(bucket, request(bucket, 1, 1)).code())
        .isEqualTo(BucketCode.LOADING);
  }

  /** Only the process and the history count, not the number of the freeze. */
  @Test
  default void shouldTellTwoFreezesApartByTheProcessAndItsHistory() {
    // given
    BucketId bucket = unit().openBucket(10);
    Frozen first = await(unit().store().freeze(bucket, TERM));

    // when
    Frozen second = await(unit().store().freeze(bucket, TERM));

    // then
    assertThat(second.mark()).isNotEqualTo(first.mark());
    assertThat(second.isWhere(first)).isTrue();
    for (String history : List.of("other-" + unit().history(), unit().history() + "-other")) {
      Frozen elsewhere = new Frozen(BucketCode.OK, history + ":1", EPOCH, TERM);
      assertThat(second.isWhere(elsewhere)).isFalse();
    }
  }

  @Test
  default void shouldStopABucketThatSellsWhenFrozen() {
    // given
    BucketId bucket = unit().openBucket(10);
    unit().grant(bucket, request(bucket, 1, 1));

    // when
    unit().freeze(bucket);

    // then
    assertThat(unit().reserveReply(bucket, request(bucket, 1, 1)).code())
        .isEqualTo(BucketCode.LOADING);
    assertThat(unit().snapshot(bucket).claimed()).isEqualTo(1);
  }

  @Test
  default void shouldMarkTheBucketWhenItWasLost() {
    // given
    BucketId bucket = unit().lostBucket(10);

    // when
    Frozen frozen = await(unit().store().freeze(bucket, TERM));

    // then
    assertThat(frozen).isEqualTo(new Frozen(BucketCode.OK, frozen.mark(), EPOCH, TERM));
    assertThat(frozen.mark())
        .startsWith(unit().history() + ":")
        .isNotEqualTo(unit().markOf(bucket));
    assertThat(unit().snapshot(bucket).code()).isEqualTo(BucketCode.LOADING);
  }

  @Test
  default void shouldTakeTheMarkOverWhenTheTermIsHigher() {
    // given
    BucketId bucket = unit().absentBucket();
    String mark = unit().freeze(bucket);

    // when
    Frozen higher = await(unit().store().freeze(bucket, TERM + 1));

    // then
    assertThat(higher.code()).isEqualTo(BucketCode.OK);
    assertThat(await(unit().store().freeze(bucket, TERM)))
        .isEqualTo(new Frozen(BucketCode.STALE_TERM, "", 0, TERM + 1));
    assertThat(await(OwnerCall.LOAD.by(TERM, unit().store(), bucket, mark)))
        .isEqualTo(BucketCode.STALE_TERM);
    assertThat(await(OwnerCall.LOAD.by(TERM + 1, unit().store(), bucket, higher.mark())))
        .isEqualTo(BucketCode.OK);
  }

  @ParameterizedTest
  @EnumSource(
      value = OwnerCall.class,
      names = {"LOAD", "LOAD_PAGE", "OPEN"})
  default void shouldBeSupersededWhenTheMarkIsNotTheCallers(OwnerCall call) {
    // given
    BucketId absent = unit().absentBucket();
    BucketId open = unit().openBucket(1);
    BucketId markedByAnother = unit().headedBucket();
    BucketId ofAnotherRun = unit().headedBucket();
    BucketId lost = unit().headedBucket();
    unit().lose(lost);
    BucketId lostToTheCaller = unit().headedBucket();
    unit().lose(lostToTheCaller);

    // when
    var codes =
        List.of(
            await(call.by(TERM, unit().store(), absent, unit().markOf(absent))),
            await(call.by(TERM, unit().store(), open, unit().markOf(open))),
            await(
                call.by(TERM + 1, unit().store(), markedByAnother, unit().markOf(markedByAnother))),
            await(call.by(TERM, unit().store(), ofAnotherRun, "fedcba9876543210:1")),
            await(call.by(TERM, unit().store(), lost, unit().markOf(lost))),
            await(
                call.by(
                    TERM,
                    unit().store(),
                    lostToTheCaller,
                    "other-" + unit().markOf(lostToTheCaller))));

    // then
    assertThat(codes).containsOnly(BucketCode.SUPERSEDED);
    assertThat(unit().snapshot(absent).code()).isEqualTo(BucketCode.ABSENT);
    assertThat(unit().snapshot(open).code()).isEqualTo(BucketCode.OK);
    assertThat(unit().snapshot(markedByAnother))
        .extracting("code", "term", "total")
        .containsExactly(BucketCode.LOADING, TERM, 1L);
  }

  /** Calls of an abandoned rebuild may still be in flight and arrive during the next one. */
  @ParameterizedTest
  @EnumSource(
      value = OwnerCall.class,
      names = {"LOAD", "LOAD_PAGE", "OPEN", "UNLOAD"})
  default void shouldBeSupersededWhenTheSameOwnerHasFrozenAgain(OwnerCall call) {
    // given
    BucketId bucket = unit().headedBucket();
    String former = unit().markOf(bucket);
    String mark = unit().freeze(bucket);
    BucketTotal ceiling = new BucketTotal(VERSION, 3, SkuState.OPEN, FREE_FOR_ALL);
    expectOk(unit().store().load(bucket, TERM, mark, new LoadHead(EPOCH + 2, 0, ceiling, 0)));
    Snapshot before = unit().snapshot(bucket);

    // when
    var code = await(call.by(TERM, unit().store(), bucket, former));

    // then
    assertThat(code).isEqualTo(BucketCode.SUPERSEDED);
    unit().expectSame(bucket, before);
  }

  @ParameterizedTest
  @EnumSource(
      value = OwnerCall.class,
      names = {"LOAD_PAGE", "OPEN"})
  default void shouldBeSupersededWhenNothingWasLoadedUnderTheMark(OwnerCall call) {
    // given
    BucketId bucket = unit().headedBucket();
    String mark = unit().freeze(bucket);

    // when
    var code = await(call.by(TERM, unit().store(), bucket, mark));

    // then
    assertThat(code).isEqualTo(BucketCode.SUPERSEDED);
    assertThat(unit().snapshot(bucket).code()).isEqualTo(BucketCode.LOADING);
  }

  @Test
  default void shouldClearTheMarkAndNothingElseWhenOpened() {
    // given
    BucketId bucket = unit().absentBucket();
    String mark = unit().freeze(bucket);
    BucketTotal ceiling = new BucketTotal(VERSION, 7, SkuState.FROZEN, FREE_FOR_ALL);
    expectOk(unit().store().load(bucket, TERM, mark, new LoadHead(4, 2, ceiling, 0)));
    Snapshot loading = unit().snapshot(bucket);

    // when
    expectOk(unit().store().open(bucket, TERM, mark));

    // then
    assertThat(loading.code()).isEqualTo(BucketCode.LOADING);
    assertThat(unit().snapshot(bucket))
        .usingRecursiveComparison()
        .ignoringFields("code", "nowMs")
        .isEqualTo(loading);
    assertThat(unit().snapshot(bucket).code()).isEqualTo(BucketCode.OK);
    assertThat(await(unit().store().open(bucket, TERM, mark))).isEqualTo(BucketCode.SUPERSEDED);
  }
}
