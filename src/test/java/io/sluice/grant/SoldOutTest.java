package io.sluice.grant;

import static io.sluice.grant.Desk.answer;
import static io.sluice.grant.Desk.refusal;
import static io.sluice.grant.ScriptedStock.bucketWith;
import static io.sluice.grant.ScriptedStock.emptyBucket;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.model.BucketId;
import io.sluice.model.Refusal;
import io.sluice.model.SkuState;
import io.sluice.stock.BucketCode;
import io.sluice.stock.GrantOutcome;
import io.sluice.stock.ReserveReply.Contents;
import io.sluice.stock.StockStore.EmptyBucket;
import io.sluice.stock.StockStore.Snapshot;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Sold out is never said while a unit is free in any bucket, or moves from one to another. */
class SoldOutTest {

  private final Desk unit = new Desk(3);

  /** What the buckets say after that of the buyer, the second, has refused. */
  @ParameterizedTest
  @CsvSource({"0, 0, 0, SOLD_OUT", "0, 0, 1, BUSY", "silent, 0, 0, BUSY", "0, 4, 0, BUSY"})
  void shouldBeSoldOutOnlyWhenEveryBucketIsEmpty(
      String first, String second, String third, Refusal expected) {
    // given
    List<String> buckets = List.of(first, second, third);
    unit.stock.snapshot = bucket -> bucketThat(buckets.get(bucket.bucket()));

    // when
    Future<PlacedOrder> placed = refuse(1);

    // then
    assertThat(refusal(placed)).isEqualTo(expected);
  }

  private static Future<Snapshot> bucketThat(String says) {
    return says.equals("silent")
        ? Future.failedFuture("connection closed")
        : Future.succeededFuture(bucketWith(Long.parseLong(says), 10));
  }

  /** It may have none when it is open again, and its owner lends none until then. */
  @Test
  void shouldAskForNoUnitsOfABucketThatIsNotServed() {
    // given
    Snapshot shut = bucketWith(BucketCode.LOADING, 5, 10, SkuState.OPEN);
    unit.stock.snapshot =
        bucket -> Future.succeededFuture(bucket.bucket() == 0 ? shut : bucketWith(0, 10));

    // when
    Future<PlacedOrder> placed = refuse(1);

    // then
    assertThat(refusal(placed)).isEqualTo(Refusal.BUSY);
    assertThat(unit.ledger.borrows).isEmpty();
  }

  @Test
  void shouldBeSoldOutWhenItsOwnBucketHasFewerUnitsThanItWantsAndNoOtherHasAny() {
    // given
    unit.stock.snapshot =
        bucket -> Future.succeededFuture(bucketWith(bucket.bucket() == 1 ? 4 : 0, 10));
    Future<PlacedOrder> placed =
        unit.reservations.place(Desk.wish(unit.buyerOf(1), Desk.SKU, 5, null), SkuEntry.OPEN);

    // when
    unit.stock.last().reply(4, request -> new GrantOutcome.Refused(Refusal.SOLD_OUT));

    // then
    assertThat(refusal(placed)).isEqualTo(Refusal.SOLD_OUT);
  }

  @Test
  void shouldAskNobodyWhenThereIsOneBucket() {
    // given
    Desk single = new Desk(1);
    Future<PlacedOrder> placed = single.place("alice");

    // when
    single.stock.last().refuseAll(Refusal.SOLD_OUT);

    // then
    assertThat(refusal(placed)).isEqualTo(Refusal.SOLD_OUT);
    assertThat(single.stock.snapshots).isEmpty();
  }

  @Test
  void shouldAskAgainAfterTheRefusalWhenARoundIsUnderWay() {
    // given
    List<Promise<Snapshot>> asked = hold();
    Future<PlacedOrder> first = refuse(0);
    Future<PlacedOrder> second = refuse(1);
    Future<PlacedOrder> third = refuse(2);
    assertThat(asked).hasSize(3);

    // when
    List.copyOf(asked).forEach(each -> each.complete(bucketWith(0, 10)));

    // then
    assertThat(refusal(first)).isEqualTo(Refusal.SOLD_OUT);
    assertThat(second.isComplete()).isFalse();
    assertThat(asked).as("one more round for the two others").hasSize(6);
    assertThat(third.isComplete()).isFalse();
  }

  @Test
  void shouldHearOfAReturnedUnitWhenItCameAfterTheFirstRound() {
    // given
    List<Promise<Snapshot>> asked = hold();
    refuse(0);
    Future<PlacedOrder> second = refuse(1);
    List.copyOf(asked).forEach(each -> each.complete(bucketWith(0, 10)));

    // when
    asked.subList(3, 6).forEach(each -> each.complete(bucketWith(1, 10)));

    // then
    assertThat(refusal(second)).isEqualTo(Refusal.BUSY);
  }

  @Test
  void shouldBeBusyAtTheDeadlineWhenTheOthersDoNotAnswer() {
    // given
    hold();
    Future<PlacedOrder> placed = refuse(1);

    // when
    unit.time.advanceMs(2_000);

    // then
    assertThat(refusal(placed)).isEqualTo(Refusal.BUSY);
  }

  /** A unit may have moved from a bucket that was not read yet to one that was. */
  @Test
  void shouldBeBusyWhenABucketHasChangedBetweenTheReadings() {
    // given
    unit.stock.snapshot = bucket -> Future.succeededFuture(bucketWith(0, 10));
    EmptyBucket was = emptyBucket(10);
    List<EmptyBucket> changed =
        List.of(
            new EmptyBucket(was.code(), 11, 0, 1, 30, new Contents(1, 11, 0), 250),
            new EmptyBucket(was.code(), 10, 0, 2, 30, was.contents(), 250),
            new EmptyBucket(was.code(), 10, 0, 1, 31, was.contents(), 250),
            new EmptyBucket(was.code(), 10, 1, 1, 30, new Contents(1, 11, 0), 250),
            new EmptyBucket(was.code(), 10, 0, 1, 30, new Contents(2, 10, 0), 250));

    for (EmptyBucket second : changed) {
      unit.time.advanceMs(100);
      unit.stock.soldOut =
          bucket -> Future.succeededFuture(bucket.bucket() == 2 ? second : emptyBucket(10));

      // when
      Future<PlacedOrder> placed = refuse(1);

      // then
      assertThat(refusal(placed)).as("%s", second).isEqualTo(Refusal.BUSY);
    }
  }

  /** A unit on its way is in no bucket. */
  @Test
  void shouldBeBusyWhenTheTotalsDoNotAddUp() {
    // given
    unit.stock.snapshot =
        bucket -> Future.succeededFuture(bucketWith(0, bucket.bucket() == 2 ? 9 : 10));
    unit.stock.soldOut =
        bucket -> Future.succeededFuture(emptyBucket(bucket.bucket() == 2 ? 9 : 10));

    // when
    Future<PlacedOrder> placed = refuse(1);

    // then
    assertThat(refusal(placed)).isEqualTo(Refusal.BUSY);
  }

  private List<Promise<Snapshot>> hold() {
    List<Promise<Snapshot>> asked = new ArrayList<>();
    unit.stock.snapshot =
        (BucketId bucket) -> {
          Promise<Snapshot> answer = Promise.promise();
          asked.add(answer);
          return answer.future();
        };
    return asked;
  }

  private Future<PlacedOrder> refuse(int bucket) {
    Future<PlacedOrder> placed = unit.place(unit.buyerOf(bucket));
    unit.stock.last().refuseAll(Refusal.SOLD_OUT);
    return placed;
  }
}
