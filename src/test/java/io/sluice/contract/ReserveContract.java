package io.sluice.contract;

import static io.sluice.contract.StockUnderTest.EPOCH;
import static io.sluice.contract.StockUnderTest.request;
import static io.sluice.contract.StockUnderTest.token;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.model.BucketId;
import io.sluice.model.Grant;
import io.sluice.model.Grants;
import io.sluice.model.Refusal;
import io.sluice.model.SkuSettings;
import io.sluice.model.SkuState;
import io.sluice.stock.BucketCode;
import io.sluice.stock.GrantOutcome;
import io.sluice.stock.GrantOutcome.Already;
import io.sluice.stock.GrantOutcome.Granted;
import io.sluice.stock.GrantOutcome.Refused;
import io.sluice.stock.Recorded;
import io.sluice.stock.ReserveReply;
import io.sluice.stock.StockStore.Request;
import io.sluice.stock.StockStore.Snapshot;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Granting and refusing while the bucket is open. */
interface ReserveContract extends CartScene {
  GrantOutcome SOLD_OUT = new Refused(Refusal.SOLD_OUT);
  GrantOutcome LIMIT_REACHED = new Refused(Refusal.LIMIT_REACHED);
  GrantOutcome MISMATCH = new Refused(Refusal.KEY_MISMATCH);
  GrantOutcome ENDED = new Refused(Refusal.ORDER_ENDED);

  @Test
  default void shouldCarryAllThatBookingNeedsWhenGranted() {
    // given
    BucketId bucket = unit().openBucket(10);
    long before = unit().snapshot(bucket).nowMs();

    // when
    Grant grant = unit().grant(bucket, request(bucket, 1, "alice", 2));

    // then
    long after = unit().snapshot(bucket).nowMs();
    assertThat(grant.grantedAtMs()).isBetween(before, after);
    assertThat(grant)
        .isEqualTo(
            Grants.of(
                token(bucket, 1),
                "alice",
                2,
                2,
                EPOCH,
                grant.grantedAtMs(),
                grant.grantedAtMs() + 300_000));
    assertThat(unit().recorded(grant.token())).isEqualTo(new Recorded(grant, true, true));
  }

  @Test
  default void shouldSayWhichProcessHasDecided() {
    // given
    BucketId bucket = unit().openBucket(10);
    String history = StockUnderTest.await(unit().store().history());

    // when
    ReserveReply reply = unit().reserveReply(bucket, request(bucket, 1, 2));

    // then
    assertThat(reply.run()).hasSizeBetween(1, 8);
    assertThat(history).startsWith(reply.run());
  }

  @Test
  default void shouldCountUnitsWhenNumberingGrants() {
    // given
    BucketId bucket = unit().openBucket(10);

    // when
    ReserveReply reply =
        unit()
            .reserveReply(
                bucket, request(bucket, 1, 2), request(bucket, 2, 3), request(bucket, 3, 1));

    // then
    assertThat(reply.outcomes())
        .extracting(o -> ((Granted) o).grant().seq())
        .containsExactly(2L, 5L, 6L);
    assertThat(reply.available()).isEqualTo(4);
    assertThat(unit().grant(bucket, request(bucket, 4, 1)).seq()).isEqualTo(7);
  }

  @Test
  default void shouldConfirmOnBookingWhenThePaymentWindowIsZero() {
    // given
    BucketId bucket = unit().openBucket(1, SkuState.OPEN, new SkuSettings(0, 0, 0, 0));

    // when
    Grant grant = unit().grant(bucket, request(bucket, 1, 1));

    // then
    assertThat(grant.payBeforeMs()).isEqualTo(grant.grantedAtMs());
  }

  @ParameterizedTest(name = "{0} lines")
  @ValueSource(ints = {1, 2})
  default void shouldDeductOnceAndGiveTheSameGrantWhenARequestIsRepeated(int lines) {
    // given
    List<BucketId> buckets = openTen(lines);
    Request wanted = ofEach(buckets, 1, "alice-2|x", 1);

    // when
    List<GrantOutcome> twins = decide(wanted, wanted, wanted);
    List<GrantOutcome> later = decide(wanted);

    // then
    Grant grant = ((Granted) twins.get(0)).grant();
    assertThat(twins.subList(1, 3)).containsOnly(new Already(grant, true));
    assertThat(later).containsExactly(new Already(grant, true));
    for (Grant line : grant.lines()) {
      Snapshot seen = unit().snapshot(line.token().bucketId());
      assertThat(seen.claimed()).isEqualTo(1);
      assertThat(seen.available()).isEqualTo(9);
      assertThat(seen.unbooked()).containsExactly(line);
    }
  }

  @ParameterizedTest(name = "{0} lines")
  @ValueSource(ints = {1, 2})
  default void shouldSayThatItIsBookedOnceAllItsLinesAre(int lines) {
    // given
    Request wanted = ofEach(openTen(lines), 1, "alice", 1);
    Grant grant = ((Granted) decide(wanted).get(0)).grant();
    List<GrantOutcome> meanwhile = new ArrayList<>();

    // when
    for (Grant line : grant.lines()) {
      meanwhile.addAll(decide(wanted));
      unit().book(line);
    }
    List<GrantOutcome> booked = decide(wanted);

    // then
    assertThat(meanwhile).containsOnly(new Already(grant, true));
    assertThat(booked).containsExactly(new Already(grant, false));
  }

  @ParameterizedTest(name = "{0} lines")
  @ValueSource(ints = {1, 2})
  default void shouldRefuseAsEndedWhenALineIsOver(int lines) {
    // given
    List<BucketId> buckets = openTen(lines);
    Request wanted = ofEach(buckets, 1, "alice", 1);
    Grant last = ((Granted) decide(wanted).get(0)).grant().lines().get(lines - 1);
    unit().release(last);

    // when
    List<GrantOutcome> outcomes = decide(wanted, ofEach(buckets, 1, "alice", 2));

    // then
    assertThat(outcomes).containsExactly(ENDED, MISMATCH);
    assertThat(unit().snapshot(last.token().bucketId()).available()).isEqualTo(10);
  }

  @ParameterizedTest(name = "{0} lines")
  @ValueSource(ints = {1, 2})
  default void shouldGiveTheLimitBackOnceWhenReleased(int lines) {
    // given
    SkuSettings upToThree = new SkuSettings(300, 3, 0, 0);
    List<BucketId> buckets =
        IntStream.range(0, lines)
            .mapToObj(bucket -> unit().openBucket(10, SkuState.OPEN, upToThree))
            .toList();
    Grant two = ((Granted) decide(ofEach(buckets, 1, "alice", 2)).get(0)).grant();
    Grant one = ((Granted) decide(ofEach(buckets, 2, "alice", 1)).get(0)).grant();
    for (int times = 0; times < 2; times++) {
      two.lines().forEach(line -> unit().release(line));
    }

    // when
    List<GrantOutcome> outcomes =
        decide(ofEach(buckets, 3, "alice", 3), ofEach(buckets, 4, "alice", 2));

    // then
    assertThat(outcomes.get(0)).extracting("refusal").isEqualTo(Refusal.LIMIT_REACHED);
    Grant again = ((Granted) outcomes.get(1)).grant();
    assertThat(unit().snapshot(buckets.get(0)).available()).isEqualTo(7);
    Stream.of(one, again)
        .flatMap(grant -> grant.lines().stream())
        .forEach(line -> unit().release(line));
    assertThat(decide(ofEach(buckets, 5, "alice", 3)).get(0)).isInstanceOf(Granted.class);
  }

  @Test
  default void shouldRefuseAsMismatchWhenATokenComesWithAnotherQuantityOrUser() {
    // given
    BucketId bucket = unit().openBucket(10);

    // when
    var outcomes =
        unit()
            .reserve(
                bucket,
                request(bucket, 1, "alice", 1),
                request(bucket, 1, "alice", 2),
                request(bucket, 1, "bob", 1));

    // then
    assertThat(outcomes.get(0)).isInstanceOf(Granted.class);
    assertThat(outcomes.subList(1, 3)).containsOnly(MISMATCH);
    assertThat(unit().reserve(bucket, request(bucket, 1, "alice", 3))).containsExactly(MISMATCH);
    assertThat(unit().snapshot(bucket).available()).isEqualTo(9);
  }

  @Test
  default void shouldGrantASmallerOneWhenABiggerOneOfTheBatchFindsTooFew() {
    // given
    BucketId bucket = unit().openBucket(3);

    // when
    ReserveReply reply =
        unit()
            .reserveReply(
                bucket, request(bucket, 1, 2), request(bucket, 2, 2), request(bucket, 3, 1));

    // then
    assertThat(reply.outcomes().get(1)).isEqualTo(SOLD_OUT);
    assertThat(((Granted) reply.outcomes().get(2)).grant().seq()).isEqualTo(3);
    assertThat(reply.available()).isZero();
  }

  @Test
  default void shouldGrantAgainWhenUnitsCameBackAfterSoldOut() {
    // given
    BucketId bucket = unit().openBucket(1);
    Grant first = unit().grant(bucket, request(bucket, 1, 1));
    assertThat(unit().reserve(bucket, request(bucket, 2, 1))).containsExactly(SOLD_OUT);
    unit().release(first);

    // when
    Grant second = unit().grantOnceOnSale(bucket, request(bucket, 2, 1));

    // then
    assertThat(second.seq()).isEqualTo(2);
    assertThat(unit().reserve(bucket, request(bucket, 3, 1))).containsExactly(SOLD_OUT);
  }

  @Test
  default void shouldLeaveNoTraceWhenRefusing() {
    // given
    BucketId bucket = unit().openBucket(1, SkuState.OPEN, new SkuSettings(300, 1, 0, 0));
    unit().grant(bucket, request(bucket, 1, "alice", 1));
    Snapshot before = unit().snapshot(bucket);

    // when
    var outcomes =
        unit()
            .reserve(
                bucket,
                request(bucket, 2, "alice", 1),
                request(bucket, 3, "bob", 1),
                request(bucket, 1, "alice", 9));

    // then
    assertThat(outcomes).containsExactly(LIMIT_REACHED, SOLD_OUT, MISMATCH);
    unit().expectSame(bucket, before);
    unit().restock(bucket, 11, 2, SkuState.OPEN, new SkuSettings(300, 1, 0, 0));
    assertThat(unit().grantOnceOnSale(bucket, request(bucket, 3, "bob", 1)).seq()).isEqualTo(2);
  }

  @Test
  default void shouldKeepToTheLimitWhenABuyerAsksOften() {
    // given
    BucketId bucket = unit().openBucket(10, SkuState.OPEN, new SkuSettings(300, 3, 0, 0));

    // when
    var outcomes =
        unit()
            .reserve(
                bucket,
                request(bucket, 1, "alice", 2),
                request(bucket, 2, "alice", 2),
                request(bucket, 3, "alice", 1),
                request(bucket, 4, "bob", 1),
                request(bucket, 5, "bob", 4));

    // then
    assertThat(outcomes)
        .extracting(o -> o instanceof Granted)
        .containsExactly(true, false, true, true, false);
    assertThat(outcomes.get(1)).isEqualTo(LIMIT_REACHED);
    assertThat(outcomes.get(4)).isEqualTo(LIMIT_REACHED);
    assertThat(unit().reserve(bucket, request(bucket, 6, "alice", 1)))
        .containsExactly(LIMIT_REACHED);
    assertThat(unit().grant(bucket, request(bucket, 7, "bob", 2)).qty()).isEqualTo(2);
  }

  @Test
  default void shouldKeepBucketsApart() {
    // given
    BucketId one = unit().openBucket(1);
    BucketId other = new BucketId(one.skuId(), one.bucket() + 1);
    unit().grant(one, request(one, 1, 1));

    // when
    ReserveReply reply = unit().reserveReply(other, request(other, 1, 1));

    // then
    assertThat(reply.code()).isEqualTo(BucketCode.ABSENT);
    assertThat(unit().reserve(one, request(one, 2, 1))).containsExactly(SOLD_OUT);
  }
}
