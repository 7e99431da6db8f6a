package io.sluice.contract;

import static io.sluice.contract.StockUnderTest.EPOCH;
import static io.sluice.contract.StockUnderTest.FREE_FOR_ALL;
import static io.sluice.contract.StockUnderTest.NOTHING_BOOKED;
import static io.sluice.contract.StockUnderTest.TERM;
import static io.sluice.contract.StockUnderTest.await;
import static io.sluice.contract.StockUnderTest.expectOk;
import static io.sluice.contract.StockUnderTest.releaseOf;
import static io.sluice.contract.StockUnderTest.request;
import static io.sluice.contract.StockUnderTest.token;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.model.BucketId;
import io.sluice.model.Grant;
import io.sluice.model.OrderToken;
import io.sluice.stock.BucketCode;
import io.sluice.stock.GrantOutcome.Granted;
import io.sluice.stock.Recorded;
import io.sluice.stock.StockStore;
import io.sluice.stock.StockStore.BookedMark;
import io.sluice.stock.StockStore.Release;
import io.sluice.stock.StockStore.Request;
import io.sluice.stock.StockStore.Snapshot;
import io.sluice.stock.StockStore.Stretch;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The calls that follow the ledger's commits. */
interface BookAndReleaseContract extends StockContract {

  @Test
  default void shouldKeepTheNoteOfWhatWasBookedWhenALaterTermBeginsBelowIt() {
    // given
    BucketId bucket = unit().openBucket(10);
    List<OrderToken> one = List.of(token(bucket, 1));

    // when
    BookedMark first = told(bucket, TERM, new Stretch(10, 40), one);
    BookedMark late = told(bucket, TERM, new Stretch(10, 30), one);
    BookedMark next = told(bucket, TERM + 1, new Stretch(40, 45), one);
    BookedMark wentBack = told(bucket, TERM + 2, new Stretch(20, 90), one);

    // then
    assertThat(first).isEqualTo(new BookedMark(TERM, 40));
    assertThat(late).isEqualTo(first);
    assertThat(next).isEqualTo(new BookedMark(TERM + 1, 45));
    assertThat(wentBack).isEqualTo(next);
    Snapshot seen = await(unit().store().snapshot(bucket, List.of(), 0));
    assertThat(seen.term()).isEqualTo(TERM + 2);
  }

  private BookedMark told(BucketId bucket, long term, Stretch booked, List<OrderToken> tokens) {
    expectOk(unit().store().book(bucket, term, booked, tokens));
    return await(unit().store().snapshot(bucket, List.of(), 0)).told();
  }

  @Test
  default void shouldLeaveUnbookedWhenBooked() {
    // given
    BucketId bucket = unit().openBucket(10);
    Grant one = unit().grant(bucket, request(bucket, 1, 1));
    Grant two = unit().grant(bucket, request(bucket, 2, 1));
    Grant ended = unit().grant(bucket, request(bucket, 3, 1));
    unit().release(ended);

    // when
    var code =
        await(
            unit()
                .store()
                .book(
                    bucket,
                    TERM,
                    NOTHING_BOOKED,
                    List.of(one.token(), ended.token(), token(bucket, 4))));

    // then
    assertThat(code).isEqualTo(BucketCode.OK);
    assertThat(unit().snapshot(bucket).unbooked()).containsExactly(two);
    assertThat(unit().recorded(one.token())).isEqualTo(new Recorded(one, true, false));
    assertThat(unit().recorded(ended.token())).isEqualTo(new Recorded(ended, false, false));
    assertThat(unit().recorded(token(bucket, 4))).isNull();
    assertThat(unit().snapshot(bucket).available()).isEqualTo(8);
  }

  @Test
  default void shouldDropTheCallWhenBookingInABucketThatIsAway() {
    // given
    BucketId lost = unit().openBucket(1);
    Grant grant = unit().grant(lost, request(lost, 1, 1));
    unit().lose(lost);
    BucketId loading = unit().loadingBucket(1);
    BucketId absent = unit().absentBucket();

    // when
    var codes =
        List.of(lost, loading, absent).stream()
            .map(b -> await(unit().store().book(b, TERM, NOTHING_BOOKED, List.of(token(b, 1)))))
            .toList();

    // then
    assertThat(codes).containsOnly(BucketCode.OK);
    unit().find(lost);
    assertThat(unit().snapshot(lost).unbooked()).containsExactly(grant);
    assertThat(unit().snapshot(absent).code()).isEqualTo(BucketCode.ABSENT);
  }

  @Test
  default void shouldReturnUnitsOnceWhenReleasedOften() {
    // given
    BucketId bucket = unit().openBucket(10);
    Grant grant = unit().grant(bucket, request(bucket, 1, 3));
    Release release = releaseOf(grant);

    // when
    expectOk(unit().store().release(bucket, TERM, List.of(release, release)));
    expectOk(unit().store().release(bucket, TERM, List.of(release)));

    // then
    Snapshot seen = unit().snapshot(bucket);
    assertThat(seen.claimed()).isEqualTo(3);
    assertThat(seen.released()).isEqualTo(3);
    assertThat(seen.unbookedCount()).isZero();
    assertThat(unit().recorded(grant.token())).isEqualTo(new Recorded(grant, false, false));
  }

  @Test
  default void shouldReturnUnitsWhenABookedOrderEnds() {
    // given
    BucketId bucket = unit().openBucket(1);
    Grant grant = unit().grant(bucket, request(bucket, 1, 1));
    unit().book(grant);

    // when
    unit().release(grant);

    // then
    assertThat(unit().snapshot(bucket).available()).isEqualTo(1);
  }

  @Test
  default void shouldLeaveAnotherGrantAloneWhenEpochOrSeqDiffer() {
    // given
    BucketId bucket = unit().openBucket(10);
    Grant grant = unit().grant(bucket, request(bucket, 1, 1));
    List<Release> others =
        List.of(
            new Release(grant.token(), EPOCH - 1, grant.seq(), 0),
            new Release(grant.token(), EPOCH, grant.seq() + 1, 0),
            new Release(grant.token(), grant.seq(), EPOCH, 0),
            new Release(token(bucket, 2), EPOCH, grant.seq(), 0));

    // when
    var code = await(unit().store().release(bucket, TERM, others));

    // then
    assertThat(code).isEqualTo(BucketCode.OK);
    assertThat(unit().snapshot(bucket).released()).isZero();
    assertThat(unit().recorded(grant.token())).isEqualTo(new Recorded(grant, true, true));
  }

  /** It would be repeated to its buyer as if it were booked, and no sweep would find it. */
  @Test
  default void shouldLeaveAnotherGrantUnbookedWhenOthersAreReleasedWithIt() {
    // given
    BucketId bucket = unit().openBucket(10);
    Grant other = unit().grant(bucket, request(bucket, 1, 1));
    Grant ended = unit().grant(bucket, request(bucket, 2, 1));
    Release ofEarlier = new Release(other.token(), EPOCH - 1, other.seq(), 0);

    // when
    expectOk(unit().store().release(bucket, TERM, List.of(ofEarlier, releaseOf(ended))));

    // then
    assertThat(unit().recorded(other.token())).isEqualTo(new Recorded(other, true, true));
    assertThat(unit().snapshot(bucket).unbooked()).containsExactly(other);
    assertThat(unit().snapshot(bucket).released()).isEqualTo(1);
  }

  @Test
  default void shouldReleaseTheReloadedGrantWhenItIsOfAnEarlierEpoch() {
    // given
    BucketId bucket = unit().openBucket(10);
    Grant grant = unit().grant(bucket, request(bucket, 1, 2));
    unit().rebuild(10, FREE_FOR_ALL, bucket, new Recorded(grant, true, false));
    Release ofTheNewEpoch = new Release(grant.token(), EPOCH + 1, grant.seq(), 0);

    // when
    expectOk(unit().store().release(bucket, TERM, List.of(ofTheNewEpoch)));
    long before = unit().snapshot(bucket).available();
    unit().release(grant);

    // then
    assertThat(before).isEqualTo(8);
    assertThat(unit().snapshot(bucket).available()).isEqualTo(10);
  }

  @Test
  default void shouldTakeAllWhenThereAreMoreThanABatch() {
    // given
    int count = StockStore.BATCH_MAX + 100;
    BucketId bucket = unit().openBucket(count);
    List<Grant> grants = new ArrayList<>();
    for (int i = 0; i < count; i += 102) {
      int from = i;
      var batch =
          java.util.stream.IntStream.range(from, from + 102).mapToObj(n -> request(bucket, n, 1));
      unit()
          .reserve(bucket, batch.toArray(Request[]::new))
          .forEach(outcome -> grants.add(((Granted) outcome).grant()));
    }

    // when
    expectOk(
        unit()
            .store()
            .book(bucket, TERM, NOTHING_BOOKED, grants.stream().map(Grant::token).toList()));
    long unbooked = unit().snapshot(bucket).unbookedCount();
    expectOk(
        unit()
            .store()
            .release(bucket, TERM, grants.stream().map(StockUnderTest::releaseOf).toList()));

    // then
    assertThat(grants).hasSize(count);
    assertThat(unbooked).isZero();
    assertThat(unit().snapshot(bucket).available()).isEqualTo(count);
  }

  @Test
  default void shouldHaveNothingToDoWhenTheListIsEmpty() {
    // given
    BucketId bucket = unit().openBucket(1);

    // when
    var booked = await(unit().store().book(bucket, TERM, NOTHING_BOOKED, List.of()));
    var released = await(unit().store().release(bucket, TERM, List.of()));
    var found = await(unit().store().lookup(bucket, List.of()));

    // then
    assertThat(List.of(booked, released, found.code())).containsOnly(BucketCode.OK);
    assertThat(found.recorded()).isEmpty();
  }
}
