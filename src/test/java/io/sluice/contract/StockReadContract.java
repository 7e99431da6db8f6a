package io.sluice.contract;

import static io.sluice.contract.StockUnderTest.EPOCH;
import static io.sluice.contract.StockUnderTest.TERM;
import static io.sluice.contract.StockUnderTest.VERSION;
import static io.sluice.contract.StockUnderTest.await;
import static io.sluice.contract.StockUnderTest.request;
import static io.sluice.contract.StockUnderTest.token;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.model.BucketId;
import io.sluice.model.Grant;
import io.sluice.model.OrderToken;
import io.sluice.model.SkuSettings;
import io.sluice.model.SkuState;
import io.sluice.stock.BucketCode;
import io.sluice.stock.Recorded;
import io.sluice.stock.StockStore;
import io.sluice.stock.StockStore.BookedMark;
import io.sluice.stock.StockStore.Lookup;
import io.sluice.stock.StockStore.Overdue;
import io.sluice.stock.StockStore.Request;
import io.sluice.stock.StockStore.Snapshot;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Calls that only read. */
interface StockReadContract extends StockContract {
  int HOUR_MS = 3_600_000;

  @Test
  default void shouldBeQuietOnlyWhenEachBucketIsThereWithNothingUnbooked() {
    // given
    BucketId idle = unit().openBucket(10);
    BucketId booked = unit().openBucket(10);
    unit().book(unit().grant(booked, request(booked, 1, 1)));
    BucketId unbooked = unit().openBucket(10);
    unit().grant(unbooked, request(unbooked, 1, 1));
    BucketId absent = unit().absentBucket();

    // when
    var quiet =
        List.of(
            await(unit().store().areQuiet(List.of(idle, booked))),
            await(unit().store().areQuiet(List.of(idle, unbooked, booked))),
            await(unit().store().areQuiet(List.of(idle, booked, absent))));

    // then
    assertThat(quiet).containsExactly(true, false, false);
  }

  @Test
  default void shouldFindEachAsItStandsWhenLookingUp() {
    // given
    BucketId bucket = unit().openBucket(10);
    Grant unbooked = unit().grant(bucket, request(bucket, 1, 1));
    Grant booked = unit().grant(bucket, request(bucket, 2, 2));
    unit().book(booked);
    Grant ended = unit().grant(bucket, request(bucket, 3, 3));
    unit().release(ended);
    OrderToken unknown = token(bucket, 4);

    // when
    Lookup lookup =
        await(
            unit()
                .store()
                .lookup(bucket, List.of(ended.token(), unknown, booked.token(), unbooked.token())));

    // then
    assertThat(lookup.code()).isEqualTo(BucketCode.OK);
    assertThat(lookup.recorded())
        .isEqualTo(
            Map.of(
                unbooked.token(), new Recorded(unbooked, true, true),
                booked.token(), new Recorded(booked, true, false),
                ended.token(), new Recorded(ended, false, false)));
  }

  @Test
  default void shouldFindAllWhenLookingUpMoreThanABatch() {
    // given
    BucketId bucket = unit().openBucket(2_000);
    int count = StockStore.BATCH_MAX + 3;
    unit().reserve(bucket, requests(bucket, 0, StockStore.BATCH_MAX));
    unit().reserve(bucket, requests(bucket, StockStore.BATCH_MAX, count));
    var tokens = IntStream.range(0, count).mapToObj(i -> token(bucket, i)).toList();

    // when
    Lookup lookup = await(unit().store().lookup(bucket, tokens));

    // then
    assertThat(lookup.recorded()).hasSize(count).containsKeys(tokens.toArray(OrderToken[]::new));
  }

  /** Only Redis may still know them, and the bucket is dropped next. */
  @Test
  default void shouldGiveThePagesOfWhatIsUnbookedWhenTheBucketIsFrozen() {
    // given
    BucketId bucket = unit().openBucket(10);
    Grant first = unit().grant(bucket, request(bucket, 1, 1));
    Grant second = unit().grant(bucket, request(bucket, 2, 1));
    Grant third = unit().grant(bucket, request(bucket, 3, 1));
    await(
        unit().store().freeze(bucket, await(unit().store().snapshot(bucket, List.of(), 0)).term()));

    // when
    Overdue two = await(unit().store().overdue(bucket, HOUR_MS, 2, 0));
    Overdue last = await(unit().store().overdue(bucket, HOUR_MS, 2, 2));
    Overdue none = await(unit().store().overdue(bucket, HOUR_MS, 2, 4));

    // then
    assertThat(two.code()).isEqualTo(BucketCode.LOADING);
    assertThat(Stream.of(two, last, none).flatMap(page -> page.grants().stream()))
        .containsExactlyInAnyOrder(first, second, third);
    assertThat(last.grants()).hasSize(1);
  }

  @Test
  default void shouldGiveTheOldestUnbookedWhenTheyAreOverdue() {
    // given
    BucketId bucket = unit().openBucket(10);
    Grant first = unit().grant(bucket, request(bucket, 1, 1));
    Grant booked = unit().grant(bucket, request(bucket, 2, 1));
    Grant third = unit().grant(bucket, request(bucket, 3, 1));
    unit().grant(bucket, request(bucket, 4, 1));
    unit().book(booked);

    // when
    Overdue two = await(unit().store().overdue(bucket, 0, 2));
    Overdue one = await(unit().store().overdue(bucket, 0, 1));
    Overdue second = await(unit().store().overdue(bucket, 0, 1, 1));
    Overdue none = await(unit().store().overdue(bucket, HOUR_MS + 1, 2));

    // then
    assertThat(second).isEqualTo(new Overdue(BucketCode.OK, List.of(third)));
    assertThat(two).isEqualTo(new Overdue(BucketCode.OK, List.of(first, third)));
    assertThat(one).isEqualTo(new Overdue(BucketCode.OK, List.of(first)));
    assertThat(none).isEqualTo(new Overdue(BucketCode.OK, List.of()));
  }

  @Test
  default void shouldShowTheBucketAsItStandsWhenSnapshotIsTaken() {
    // given
    long farFuture = 253_402_300_799_999L;
    SkuSettings settings = new SkuSettings(60, 4, 1, farFuture);
    BucketId bucket = unit().openBucket(10, SkuState.SCHEDULED, settings);
    Grant one = unit().grant(bucket, request(bucket, 1, 1));
    Grant two = unit().grant(bucket, request(bucket, 2, 2));
    Grant ended = unit().grant(bucket, request(bucket, 3, 3));
    unit().book(one);
    unit().release(ended);

    // when
    Snapshot seen =
        await(
            unit()
                .store()
                .snapshot(
                    bucket, List.of(one.token(), two.token(), ended.token(), token(bucket, 4)), 1));

    // then
    assertThat(seen.nowMs()).isGreaterThanOrEqualTo(ended.grantedAtMs());
    assertThat(seen)
        .isEqualTo(
            new Snapshot(
                BucketCode.OK,
                10,
                6,
                3,
                EPOCH,
                VERSION,
                TERM,
                SkuState.SCHEDULED,
                settings,
                new BookedMark(TERM, 0),
                seen.nowMs(),
                1,
                List.of(two),
                Map.of(one.token(), 1, two.token(), 2),
                StockStore.UNKNOWN));
    assertThat(seen.available()).isEqualTo(7);
  }

  @Test
  default void shouldOnlyCountUnbookedWhenThereAreMoreThanAskedFor() {
    // given
    BucketId bucket = unit().openBucket(10);
    unit().reserve(bucket, requests(bucket, 0, 3));

    // when
    Snapshot seen = await(unit().store().snapshot(bucket, List.of(), 2));

    // then
    assertThat(seen.unbookedCount()).isEqualTo(3);
    assertThat(seen.unbooked()).isEmpty();
  }

  @Test
  default void shouldShowAsManyUnbookedAsAPageHolds() {
    // given
    BucketId bucket = unit().openBucket(5_000);
    for (int from = 0; from < StockStore.UNBOOKED_MAX; from += 500) {
      unit().reserve(bucket, requests(bucket, from, from + 500));
    }
    var tokens =
        IntStream.range(0, StockStore.SNAPSHOT_TOKENS_MAX).mapToObj(i -> token(bucket, i)).toList();

    // when
    Snapshot seen = await(unit().store().snapshot(bucket, tokens, StockStore.UNBOOKED_MAX));

    // then
    assertThat(seen.unbooked()).hasSize(StockStore.UNBOOKED_MAX);
    assertThat(seen.live()).hasSize(StockStore.UNBOOKED_MAX);
    assertThat(await(unit().store().overdue(bucket, 0, StockStore.UNBOOKED_MAX)).grants())
        .isEqualTo(seen.unbooked());
  }

  @Test
  default void shouldShowWhatStandsThereWhenTheBucketIsAway() {
    // given
    BucketId empty = unit().absentBucket();
    await(unit().store().freeze(empty, TERM + 2));

    // when
    Snapshot absent = unit().snapshot(unit().absentBucket());
    Snapshot lost = unit().snapshot(unit().lostBucket(7));
    Snapshot loading = unit().snapshot(unit().loadingBucket(8));
    Snapshot frozen = unit().snapshot(empty);

    // then
    SkuSettings none = new SkuSettings(0, 0, 0, 0);
    assertThat(absent)
        .isEqualTo(
            new Snapshot(
                BucketCode.ABSENT,
                0,
                0,
                0,
                0,
                0,
                0,
                SkuState.CLOSED,
                none,
                BookedMark.NOTHING,
                0,
                0,
                List.of(),
                Map.of(),
                StockStore.UNKNOWN));
    assertThat(lost).extracting("code", "total").containsExactly(BucketCode.LOST, 7L);
    assertThat(loading).extracting("code", "total").containsExactly(BucketCode.LOADING, 8L);
    assertThat(frozen)
        .extracting("code", "term", "total", "state", "settings")
        .containsExactly(BucketCode.LOADING, TERM + 2, 0L, SkuState.CLOSED, none);
  }

  @Test
  default void shouldNameTheSameHistoryWhileTheProcessLives() {
    // given
    String history = unit().history();

    // when
    String mark = await(unit().store().freeze(unit().absentBucket(), 1)).mark();

    // then
    assertThat(history).isNotEmpty().isEqualTo(unit().history());
    assertThat(mark).startsWith(history);
  }

  private static Request[] requests(BucketId bucket, int from, int end) {
    return IntStream.range(from, end).mapToObj(i -> request(bucket, i, 1)).toArray(Request[]::new);
  }
}
