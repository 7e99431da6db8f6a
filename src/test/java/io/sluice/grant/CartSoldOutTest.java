package io.sluice.grant;

import static io.sluice.grant.Desk.refusal;
import static io.sluice.grant.Desk.refused;
import static io.sluice.grant.ScriptedStock.bucketWith;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.grant.OrderWish.Line;
import io.sluice.grant.ScriptedStock.Reserve;
import io.sluice.ledger.Move.Borrow;
import io.sluice.model.BucketId;
import io.sluice.model.Refusal;
import io.sluice.model.Sku;
import io.sluice.stock.BucketCode;
import io.sluice.stock.GrantOutcome;
import io.sluice.stock.ReserveReply;
import io.sluice.stock.ReserveReply.Contents;
import io.sluice.stock.StockStore;
import io.sluice.stock.StockStore.Snapshot;
import io.sluice.stock.StockStore.TokenPage;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** An order of several SKUs is sold out by a line only where no unit of its SKU is free. */
class CartSoldOutTest extends CartPlacingScene {
  private static final int BUCKETS = 3;
  private static final Contents HELD = new Contents(1, 5, 0);
  private static final long THIRD = OTHER + 1;

  private void expect(Future<PlacedOrder> placed, Refusal refusal, String detail) {
    assertThat(refusal(placed)).isEqualTo(refusal);
    assertThat(refused(placed).skuId()).isEqualTo(OTHER);
    assertThat(refused(placed).detail()).isEqualTo(detail);
  }

  /** The second line finds too few units in its bucket. */
  private void refuseSecond(long available, Contents contents, int soldOutMs) {
    Reserve call = last();
    List<GrantOutcome> outcomes =
        call.requests().stream()
            .<GrantOutcome>map(cart -> new GrantOutcome.Refused(Refusal.SOLD_OUT, 1))
            .toList();
    call.answer(
        outcomes,
        Map.of(
            call.requests().get(0).lines().get(1).bucket(), reply(available, contents, soldOutMs)));
  }

  private static ReserveReply reply(long available, Contents contents, int soldOutMs) {
    return new ReserveReply(
        BucketCode.OK, available, List.of(), contents, soldOutMs, ScriptedStock.RUN);
  }

  // ---- one bucket, and leases

  @Test
  void shouldSayHowManyAreLeftAndAskNobodyWhenThereIsOneBucket() {
    // given
    Future<PlacedOrder> placed = place("alice");

    // when
    refuseSecond(1, Contents.UNKNOWN, 0);

    // then
    expect(placed, Refusal.SOLD_OUT, "Expected 2 units, but 1 is left.");
    assertThat(unit.stock.snapshots).isEmpty();
  }

  /** From now on the second SKU is sold out for a while; its bucket has these tokens and buyers. */
  private void lease(String... tokens) {
    unit.stock.tokens =
        Future.succeededFuture(
            new TokenPage(
                BucketCode.OK, HELD, tokens.length / 2, StockStore.FIRST_PAGE, List.of(tokens)));
    refuseSecond(0, HELD, StockStore.SOLD_OUT_MAX_MS);
  }

  @Test
  void shouldRefuseByTheSecondLineWithoutAskingRedisWhileItIsLeased() {
    // given
    place("zoe");
    lease();

    // when
    Future<PlacedOrder> placed = place("bob");

    // then
    expect(placed, Refusal.SOLD_OUT, "Expected 2 units, but 0 are left.");
    assertThat(calls).hasSize(1);
    assertThat(unit.count("sluice_lease_refusals")).isEqualTo(1);
  }

  @Test
  void shouldAskRedisAgainWhenTheLeaseIsOver() {
    // given
    place("zoe");
    lease();

    // when
    unit.time.advanceMs(StockStore.SOLD_OUT_MAX_MS - SoldOutLeases.MARGIN_MS);
    place("bob");

    // then
    assertThat(last().userIds()).containsExactly("bob");
  }

  @Test
  void shouldNotSendWhatWaitedForTheReplyThatBroughtTheLease() {
    // given
    sell(THIRD, 1);
    place("zoe");
    Future<PlacedOrder> waiting = place("bob");
    Future<PlacedOrder> unleased = place("carol", null, new Line(LEAD, 1), new Line(THIRD, 1));

    // when
    lease();

    // then
    expect(waiting, Refusal.SOLD_OUT, "Expected 2 units, but 0 are left.");
    assertThat(last().userIds()).containsExactly("carol");
    assertThat(unleased.isComplete()).isFalse();
  }

  @Test
  void shouldSendAHolderToRedisWhileItsSecondLineIsLeased() {
    // given
    place("alice");
    String line = last().only().token().in(new BucketId(OTHER, 0)).value();
    last().grantAll();
    place("zoe");
    lease(line, "alice");

    // when
    Future<PlacedOrder> holder = place("alice");

    // then
    assertThat(holder.isComplete()).isFalse();
    assertThat(last().only()).isEqualTo(calls.get(0).only());
  }

  /** What is certain is not hidden by the lack of a way to the log. */
  @Test
  void shouldBeSoldOutUnderALeaseWhenNoOrderCouldBeRecordedEither() {
    // given
    place("zoe");
    lease();
    unit.log.away = true;

    // when
    Future<PlacedOrder> placed = place("bob");

    // then
    expect(placed, Refusal.SOLD_OUT, "Expected 2 units, but 0 are left.");
  }

  // ---- several buckets

  private static int own() {
    return BucketId.of(OTHER, "alice", BUCKETS).bucket();
  }

  private static int next() {
    return (own() + 1) % BUCKETS;
  }

  /** The second SKU has several buckets; these units are in that of the buyer and in the next. */
  private void split(long ofBuyer, long ofNext) {
    sell(OTHER, BUCKETS);
    unit.stock.snapshot =
        bucket -> {
          long others = bucket.bucket() == next() ? ofNext : 0;
          return Future.succeededFuture(
              bucketWith(bucket.bucket() == own() ? ofBuyer : others, 10));
        };
  }

  /** The units in the bucket of the buyer and in the next one, and how many are said to be left. */
  @ParameterizedTest
  @CsvSource(
      nullValues = "-",
      value = {"0, 5, -", "0, 0, 0 are left", "1, 0, 1 is left"})
  void shouldBeSoldOutOnlyWhenNoBucketOfTheSecondLineHasUnitsToLend(
      long ofBuyer, long ofNext, String left) {
    // given
    split(ofBuyer, ofNext);
    Future<PlacedOrder> placed = place("alice");

    // when
    refuseSecond(ofBuyer, Contents.UNKNOWN, 0);

    // then
    if (left == null) {
      expect(placed, Refusal.BUSY, Refusals.EMPTY_BUCKET.detail());
    } else {
      expect(placed, Refusal.SOLD_OUT, "Expected 2 units, but " + left + ".");
    }
    Sku other = unit.ledger.skus.get(OTHER);
    assertThat(unit.stock.snapshots).extracting(BucketId::skuId).containsOnly(OTHER);
    assertThat(unit.ledger.borrows)
        .isEqualTo(
            left == null
                ? List.of(new Borrow(other.placed(next()), other.placed(own()), 1, 2, 2))
                : List.of());
  }

  @Test
  void shouldBeBusyByTheSecondLineAtTheDeadlineWhenItsOtherBucketsDoNotAnswer() {
    // given
    split(0, 0);
    unit.stock.snapshot = bucket -> Promise.<Snapshot>promise().future();
    Future<PlacedOrder> placed = place("alice");
    refuseSecond(0, Contents.UNKNOWN, 0);

    // when
    unit.time.advanceMs(2_000);

    // then
    expect(placed, Refusal.BUSY, Refusals.EMPTY_BUCKET.detail());
  }

  @Test
  void shouldAskForUnitsWhenTheBucketOfTheSecondLineIsSoonEmpty() {
    // given
    split(7, 100);
    place("alice", null, new Line(LEAD, 1), new Line(OTHER, 20));
    GrantOutcome granted = new GrantOutcome.Granted(ScriptedStock.grant(last().only()));

    // when
    last()
        .answer(
            List.of(granted), Map.of(new BucketId(OTHER, own()), reply(7, Contents.UNKNOWN, 0)));

    // then
    Sku other = unit.ledger.skus.get(OTHER);
    assertThat(unit.ledger.borrows)
        .containsExactly(new Borrow(other.placed(next()), other.placed(own()), 1, 50, 50));
  }
}
