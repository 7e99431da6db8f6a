package io.sluice.reservation.grant;

import static io.sluice.reservation.Desk.answer;
import static io.sluice.reservation.ScriptedStock.bucketWith;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.model.BucketId;
import io.sluice.model.Refusal;
import io.sluice.model.SkuState;
import io.sluice.reservation.Desk;
import io.sluice.reservation.grant.PlacedOrder.Refused;
import io.sluice.stock.BucketCode;
import io.sluice.stock.GrantOutcome;
import io.sluice.stock.ReserveReply.Contents;
import io.sluice.stock.StockStore;
import io.sluice.stock.StockStore.Snapshot;
import io.sluice.stock.StockStore.TokenPage;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Sold out is never said while a unit is free in any bucket. */
class SoldOutTest {
  private static final Contents HELD = new Contents(1, 5, 0);

  private final Desk unit = new Desk(3);

  @Test
  void shouldBeSoldOutWhenEveryOtherBucketIsEmpty() {
    // given
    unit.stock.snapshot = bucket -> Future.succeededFuture(bucketWith(0, 10));

    // when
    Future<PlacedOrder> placed = refuse(1);

    // then
    assertThat(refusal(placed)).isEqualTo(Refusal.SOLD_OUT);
  }

  @Test
  void shouldBeBusyWhenAnotherBucketHasAUnit() {
    // given
    unit.stock.snapshot =
        bucket -> Future.succeededFuture(bucketWith(bucket.bucket() == 2 ? 1 : 0, 10));

    // when
    Future<PlacedOrder> placed = refuse(1);

    // then
    assertThat(refusal(placed)).isEqualTo(Refusal.BUSY);
  }

  @Test
  void shouldBeBusyWhenAnotherBucketCannotBeAsked() {
    // given
    unit.stock.snapshot =
        bucket ->
            bucket.bucket() == 0
                ? Future.failedFuture("connection closed")
                : Future.succeededFuture(bucketWith(0, 10));

    // when
    Future<PlacedOrder> placed = refuse(1);

    // then
    assertThat(refusal(placed)).isEqualTo(Refusal.BUSY);
  }

  @Test
  void shouldBeBusyWhenAnotherBucketIsLoading() {
    // given
    unit.stock.snapshot =
        bucket ->
            Future.succeededFuture(
                bucketWith(
                    bucket.bucket() == 0 ? BucketCode.LOADING : BucketCode.OK,
                    0,
                    10,
                    SkuState.OPEN));

    // when
    Future<PlacedOrder> placed = refuse(1);

    // then
    assertThat(refusal(placed)).isEqualTo(Refusal.BUSY);
  }

  @Test
  void shouldBeBusyWhenItsOwnBucketHasAUnitAgain() {
    // given
    unit.stock.snapshot =
        bucket -> Future.succeededFuture(bucketWith(bucket.bucket() == 1 ? 4 : 0, 10));

    // when
    Future<PlacedOrder> placed = refuse(1);

    // then
    assertThat(refusal(placed)).isEqualTo(Refusal.BUSY);
  }

  @Test
  void shouldBeSoldOutWhenItsOwnBucketHasFewerUnitsThanItWantsAndNoOtherHasAny() {
    // given
    unit.stock.snapshot =
        bucket -> Future.succeededFuture(bucketWith(bucket.bucket() == 1 ? 4 : 0, 10));
    Future<PlacedOrder> placed =
        unit.reservations.place(new OrderWish(unit.buyerOf(1), Desk.SKU, 5, null), SkuEntry.OPEN);

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

  @Test
  void shouldEndTheLeaseWithRedisWhenItsAnswerTookLong() {
    // given
    Desk single = new Desk(1);
    Contents contents = new Contents(1, 5, 0);
    single.stock.tokens =
        Future.succeededFuture(
            new TokenPage(BucketCode.OK, contents, 0, StockStore.FIRST_PAGE, List.of()));
    single.place("alice");
    single.time.advanceMs(200);
    single.stock.last().soldOut(contents, StockStore.SOLD_OUT_MAX_MS);

    // when
    single.time.advanceMs(44);
    Future<PlacedOrder> within = single.place("bob");
    int askedWithin = single.stock.reserves.size();
    single.time.advanceMs(1);
    single.place("carol");

    // then
    assertThat(refusal(within)).isEqualTo(Refusal.SOLD_OUT);
    assertThat(askedWithin).isEqualTo(1);
    assertThat(single.stock.reserves).as("carol's request goes to Redis").hasSize(2);
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

  private static Refusal refusal(Future<PlacedOrder> placed) {
    return ((Refused) answer(placed)).refusal();
  }

  /** What is certain is not hidden by a lack of room or of a way to the log. */
  @Test
  void shouldBeSoldOutUnderALeaseWhenNoOrderCouldBeRecordedEither() {
    // given
    Desk single = leasing("alice");
    lease(single, Desk.SKU);
    single.log.away = true;

    // when
    Future<PlacedOrder> placed = single.place("bob");

    // then
    assertThat(refusal(placed)).isEqualTo(Refusal.SOLD_OUT);
  }

  /** Redis says so to a buyer who holds a unit, and whose requests it gets all the same. */
  @Test
  void shouldEndTheLeaseWhenRedisDoesNotGiveItAnyMore() {
    // given
    Desk single = leasing("alice");
    lease(single, Desk.SKU);
    Future<PlacedOrder> before = single.place("bob");
    single.place("alice");
    single.stock.last().reply(1, request -> new GrantOutcome.Refused(Refusal.KEY_MISMATCH));
    int asked = single.stock.reserves.size();

    // when
    single.place("carol");

    // then
    assertThat(refusal(before)).isEqualTo(Refusal.SOLD_OUT);
    assertThat(single.stock.reserves).hasSize(asked + 1);
  }

  @Test
  void shouldKeepTheSkuThatWasLeasedAgainWhenThereAreTooMany() {
    // given
    Desk many = leasing("zoe");
    for (int i = 0; i < SoldOutLeases.SKUS_MAX; i++) {
      many.ledger.add(Desk.SKU + i, 1);
      lease(many, Desk.SKU + i);
    }
    many.ledger.add(Desk.SKU + SoldOutLeases.SKUS_MAX, 1);
    many.time.advanceMs(StockStore.SOLD_OUT_MAX_MS);

    // when
    lease(many, Desk.SKU);
    lease(many, Desk.SKU + SoldOutLeases.SKUS_MAX);

    // then
    assertThat(refusal(many.place("bob"))).isEqualTo(Refusal.SOLD_OUT);
  }

  /** A SKU of one bucket whose copy of tokens has this holder alone. */
  private static Desk leasing(String holder) {
    Desk desk = new Desk(1);
    desk.stock.tokens =
        Future.succeededFuture(
            new TokenPage(
                BucketCode.OK,
                HELD,
                1,
                StockStore.FIRST_PAGE,
                List.of(desk.token(holder).value(), holder)));
    return desk;
  }

  private static void lease(Desk desk, long skuId) {
    desk.reservations.place(new OrderWish("dave", skuId, 1, null), SkuEntry.OPEN);
    desk.stock.last().soldOut(HELD, StockStore.SOLD_OUT_MAX_MS);
  }
}
