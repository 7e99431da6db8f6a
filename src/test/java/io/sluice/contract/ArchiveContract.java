package io.sluice.contract;

import static io.sluice.model.OrderStatus.CANCELED;
import static io.sluice.model.OrderStatus.CONFIRMED;
import static io.sluice.model.OrderStatus.PENDING;
import static io.sluice.model.OrderStatus.REJECTED;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.ledger.Audit;
import io.sluice.ledger.Audit.Mark;
import io.sluice.ledger.Audit.TxnSums;
import io.sluice.ledger.BucketRow;
import io.sluice.ledger.DuePage.DuePlace;
import io.sluice.ledger.Ledger.TakeResult;
import io.sluice.ledger.SkuLedger.ArchiveResult;
import io.sluice.model.BucketId;
import io.sluice.model.Command;
import io.sluice.model.Command.RefundPart.Step;
import io.sluice.model.Grant;
import io.sluice.model.Order;
import io.sluice.model.OrderToken;
import io.sluice.model.Reason;
import io.sluice.model.Sku;
import io.sluice.model.SkuState;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The orders of ended sales move to the archive, and everything goes on to be as it was. */
abstract class ArchiveContract extends MoveScene {
  private static final int ALL = 1_000;
  private static final int STEPS_MAX = 100;

  /** Of three buckets, as one of units that move from one to two others. */
  private static final int ROWS_OF_FIRST_STOCK = 3;

  private static final int ROWS_OF_MOVE = 3;

  private void end(BucketId bucket) {
    inSale(bucket.skuId(), 0, SkuState.ENDED);
  }

  /** Orders in every state that an order can have in the end, with all that can be told of it. */
  private List<OrderToken> life(BucketId bucket) {
    List<Grant> grants =
        IntStream.rangeClosed(1, 5).mapToObj(number -> grant(bucket, number)).toList();
    for (Grant grant : grants) {
      read(bucket, reserve(grant));
    }
    List<OrderToken> tokens = new ArrayList<>(grants.stream().map(Grant::token).toList());
    apply(
        bucket,
        new Command.Confirm(tokens.get(0), "p1"),
        new Command.Confirm(tokens.get(0), "p2"),
        new Command.RefundPart(tokens.get(0), "r1", 1, Step.REQUEST),
        new Command.RefundPart(tokens.get(0), "r1", 0, Step.REJECT),
        new Command.Confirm(tokens.get(1), null),
        new Command.Refund(tokens.get(1)),
        new Command.Cancel(tokens.get(2), Reason.BUYER),
        new Command.Cancel(tokens.get(3), Reason.OPERATOR),
        new Command.Confirm(tokens.get(3), "late"),
        new Command.Confirm(tokens.get(4), null));
    Grant tooMany = grant(bucket, 6, 100);
    read(bucket, reserve(tooMany));
    apply(bucket, new Command.Confirm(tooMany.token(), "too late"));
    apply(bucket, new Command.Confirm(tooMany.token(), "and twice"));
    tokens.add(tooMany.token());
    return tokens;
  }

  @Test
  void shouldAnswerAsBeforeWhenOrdersAreArchived() {
    // given
    BucketId bucket = sku(10);
    List<OrderToken> tokens = life(bucket);
    Map<OrderToken, Order> before = get(ledger().orders(tokens));
    BucketRow row = row(bucket);
    end(bucket);

    // when
    archive(bucket.skuId(), ALL);

    // then
    Map<OrderToken, Order> after = get(ledger().orders(tokens));
    assertThat(after.values()).allMatch(Order::archived);
    before.forEach((token, order) -> assertThat(after.get(token)).isEqualTo(order.inArchive()));
    assertThat(before.get(tokens.get(5)).status()).isEqualTo(REJECTED);
    assertThat(row(bucket))
        .extracting(BucketRow::allotted, BucketRow::held, BucketRow::sold)
        .containsExactly(row.allotted(), row.held(), row.sold());
    assertThat(get(ledger().loadRows(row(bucket), Optional.empty(), 10))).isEmpty();
    assertThat(get(ledger().due(row.partition(), DuePlace.FIRST, Long.MAX_VALUE, 1_000)).tokens())
        .doesNotContainAnyElementsOf(tokens);
    Sku sku = known(bucket.skuId());
    assertThat(sku.state()).isEqualTo(SkuState.ARCHIVED);
  }

  @Test
  void shouldAddUpAtEveryStepWhenOrdersAreArchivedInPages() {
    // given
    Sku sku = sku(30, 3);
    for (int bucket = 0; bucket < 3; bucket++) {
      life(new BucketId(sku.skuId(), bucket));
    }
    inSale(sku.skuId(), 0, SkuState.ENDED);

    // when
    int steps = archiveInSteps(sku.skuId());

    // then
    assertThat(steps).isGreaterThan(8);
  }

  /** The steps of two rows that it took; the counters add up behind each. */
  private int archiveInSteps(long skuId) {
    Audit before = audit(skuId);
    ArchiveResult asked = get(skus().archive(skuId));
    int steps = 0;
    for (; asked instanceof ArchiveResult.Working && steps < STEPS_MAX; steps++) {
      get(ledger().archiveNext(2));
      assertThat(get(skus().audit(skuId))).contains(before);
      asked = get(skus().archive(skuId));
    }
    assertThat(asked).isInstanceOf(ArchiveResult.Done.class);
    return steps;
  }

  /** A SKU of three buckets, and so many moves from its first one to the others. */
  private Sku moved(int moves) {
    Sku sku = sku(90, 3);
    move(sku, moves);
    return sku;
  }

  private void move(Sku sku, int moves) {
    for (int move = 0; move < moves; move++) {
      assertThat(finish(intend(sku, 2, 1))).isEqualTo(TakeResult.DONE);
    }
  }

  /** Each move left three rows, which nothing deleted. */
  @Test
  void shouldLeaveOneRowOfAllMovesForEachBucketWhenASaleIsArchived() {
    // given
    Sku sku = moved(5);
    Audit before = audit(sku.skuId());
    inSale(sku.skuId(), 0, SkuState.ENDED);
    assertThat(get(ledger().audit(sku.skuId(), ROWS_OF_FIRST_STOCK + 5 * ROWS_OF_MOVE - 1)))
        .as("more rows than that")
        .isEmpty();

    // when
    archive(sku.skuId(), 4);

    // then
    assertThat(get(ledger().audit(sku.skuId(), ROWS_OF_FIRST_STOCK + ROWS_OF_MOVE)))
        .contains(before);
    assertThat(before.agrees()).isTrue();
    assertThat(allotments(sku)).containsExactly(15L, 40L, 35L);
  }

  @Test
  void shouldAddUpAtEveryStepWhenMovesAreFoldedInPages() {
    // given
    Sku sku = moved(4);
    inSale(sku.skuId(), 0, SkuState.ENDED);

    // when
    int steps = archiveInSteps(sku.skuId());

    // then
    assertThat(steps).isGreaterThanOrEqualTo(4 * ROWS_OF_MOVE / 2);
  }

  @Test
  void shouldFoldTheMovesOfALaterSaleIntoTheSameRows() {
    // given
    Sku sku = moved(3);
    inSale(sku.skuId(), 0, SkuState.ENDED);
    archive(sku.skuId(), ALL);
    inSale(sku.skuId(), 0, SkuState.OPEN);
    move(sku, 2);
    Audit before = audit(sku.skuId());
    inSale(sku.skuId(), 1, SkuState.ENDED);

    // when
    archive(sku.skuId(), ALL);

    // then
    assertThat(get(ledger().audit(sku.skuId(), ROWS_OF_FIRST_STOCK + ROWS_OF_MOVE)))
        .contains(before);
    assertThat(before.agrees()).isTrue();
  }

  /** A move before each step would give each one more rows to fold. */
  @Test
  void shouldEndTheArchiveOfAnEarlierSaleWhileUnitsMoveInTheNextOne() {
    // given
    Sku sku = moved(2);
    inSale(sku.skuId(), 0, SkuState.ENDED);
    get(skus().archive(sku.skuId()));
    inSale(sku.skuId(), 1, SkuState.OPEN);
    Sku next = known(sku.skuId());
    Mark mark = get(ledger().mark(sku.skuId())).orElseThrow();

    // when
    for (int step = 0; step < 7; step++) {
      move(next, 1);
      get(ledger().archiveNext(200));
    }

    // then
    assertThat(get(ledger().mark(sku.skuId())).orElseThrow().archived())
        .as("an audit in slices goes on")
        .isEqualTo(mark.archived());

    // when
    inSale(sku.skuId(), 0, SkuState.ENDED);
    ArchiveResult again = get(skus().archive(sku.skuId()));

    // then
    assertThat(again).isInstanceOf(ArchiveResult.Done.class);

    // when
    Audit before = audit(sku.skuId());
    inSale(sku.skuId(), 1, SkuState.ENDED);
    archive(sku.skuId(), ALL);

    // then
    assertThat(get(ledger().audit(sku.skuId(), ROWS_OF_FIRST_STOCK + ROWS_OF_MOVE)))
        .contains(before);
    assertThat(before.agrees()).isTrue();
  }

  /** A slice that was read before has rows whose place another one has taken. */
  @Test
  void shouldSumAnewWhenMovesAreFoldedBetweenTwoSlices() {
    // given
    Sku sku = moved(3);
    inSale(sku.skuId(), 0, SkuState.ENDED);
    get(skus().archive(sku.skuId()));
    Mark mark = get(ledger().mark(sku.skuId())).orElseThrow();
    TxnSums first = get(ledger().sum(mark, TxnSums.NONE, 2));

    // when
    archive(sku.skuId(), ALL);
    TxnSums then = summed(mark, first);
    Mark anew = get(ledger().mark(sku.skuId())).orElseThrow();
    TxnSums again = summed(anew, TxnSums.NONE);

    // then
    assertThat(then).isEqualTo(TxnSums.NONE);
    assertThat(again.complete()).isTrue();
    assertThat(anew.against(again).agrees()).isTrue();
  }

  /** NONE where they must be read again. */
  private TxnSums summed(Mark mark, TxnSums before) {
    TxnSums sums = before;
    do {
      sums = get(ledger().sum(mark, sums, 2));
    } while (!sums.complete() && !sums.equals(TxnSums.NONE));
    return sums;
  }

  @Test
  void shouldLeaveAnOrderThatHasNotEndedWhereItIs() {
    // given
    BucketId bucket = sku(10);
    Grant first = grant(bucket, 1);
    Grant pending = grant(bucket, 2);
    Grant last = grant(bucket, 3);
    read(bucket, reserve(first), reserve(pending), reserve(last));
    apply(
        bucket, new Command.Confirm(first.token(), null), new Command.Confirm(last.token(), null));
    end(bucket);
    get(skus().archive(bucket.skuId()));

    // when
    IntStream.range(0, 10).forEach(step -> get(ledger().archiveNext(ALL)));

    // then
    assertThat(order(first.token()).archived()).isTrue();
    assertThat(order(last.token()).archived()).isTrue();
    assertThat(order(pending.token()))
        .extracting(Order::archived, Order::status)
        .containsExactly(false, PENDING);
    assertThat(get(skus().archive(bucket.skuId()))).isInstanceOf(ArchiveResult.Working.class);
    assertThat(known(bucket.skuId()).state()).isEqualTo(SkuState.ENDED);

    // when
    apply(bucket, new Command.Cancel(pending.token(), Reason.TIMEOUT));

    // then
    assertThat(order(pending.token()).status()).isEqualTo(CANCELED);
  }

  @Test
  void shouldRecordPaymentsAndNothingElseWhenAnOrderIsArchived() {
    // given
    BucketId bucket = sku(10);
    List<OrderToken> tokens = life(bucket);
    end(bucket);
    archive(bucket.skuId(), ALL);
    OrderToken paid = tokens.get(0);
    OrderToken canceled = tokens.get(2);
    OrderToken rejected = tokens.get(5);
    Order before = order(paid);

    // when
    apply(
        bucket,
        new Command.Refund(paid),
        new Command.RefundPart(paid, "r2", 1, Step.REQUEST),
        new Command.Extend(paid, 60),
        new Command.Cancel(paid, Reason.OPERATOR));

    // then
    assertThat(order(paid)).isEqualTo(before);

    // when
    apply(bucket, new Command.Confirm(canceled, "l1"));
    apply(bucket, new Command.Confirm(canceled, "l1"), new Command.Confirm(canceled, "l2"));
    apply(bucket, new Command.Confirm(paid, "p3"), new Command.Confirm(rejected, "l3"));

    // then
    assertThat(order(canceled).latePaidAtMs()).isPositive();
    assertThat(order(canceled).status()).isEqualTo(CANCELED);
    assertThat(order(canceled).notes().payments()).containsExactlyInAnyOrder("l1", "l2");
    assertThat(order(paid).status()).isEqualTo(CONFIRMED);
    assertThat(order(paid).notes().payments()).containsExactlyInAnyOrder("p1", "p2", "p3");
    assertThat(order(rejected).notes().payments())
        .containsExactlyInAnyOrder("too late", "and twice", "l3");
    assertThat(List.of(order(canceled), order(paid), order(rejected))).allMatch(Order::archived);
    assertThat(events(bucket).stream().filter("PAYMENT_LATE"::equals)).hasSize(3);
    assertThat(events(bucket).stream().filter("PAYMENT_DOUBLE"::equals)).hasSize(5);
  }

  @Test
  void shouldRecordALatePaymentWhenARejectedOrderWasArchivedUnpaid() {
    // given
    BucketId bucket = sku(10);
    Grant tooMany = grant(bucket, 1, 100);
    read(bucket, reserve(tooMany));
    end(bucket);
    archive(bucket.skuId(), ALL);

    // when
    apply(bucket, new Command.Confirm(tooMany.token(), "late"));

    // then
    Order order = order(tooMany.token());
    assertThat(order.latePaidAtMs()).isPositive();
    assertThat(order.userId()).isEqualTo(Buyers.of(1));
    assertThat(order.archived()).isTrue();
    assertThat(events(bucket)).containsOnlyOnce("PAYMENT_LATE");
  }

  @Test
  void shouldBookNothingTwiceWhenTheLogTellsOfAnArchivedOrder() {
    // given
    BucketId bucket = sku(10);
    Grant grant = grant(bucket, 1);
    read(bucket, reserve(grant));
    apply(bucket, new Command.Confirm(grant.token(), null));
    get(ledger().raiseEpoch(own(bucket), bucket, 1));
    end(bucket);
    archive(bucket.skuId(), ALL);

    // when
    var applied = read(bucket, reserve(grant));

    // then
    assertThat(applied.booked()).containsExactly(grant.token());
    assertThat(row(bucket).sold()).isEqualTo(1);
  }

  @Test
  void shouldMoveOnlyTheOrdersOfEarlierSalesWhenTheSkuIsInALaterOne() {
    // given
    BucketId bucket = sku(10);
    Grant earlier = grantOfSale(bucket, 1, 1, 1);
    read(bucket, reserve(earlier));
    apply(bucket, new Command.Confirm(earlier.token(), null));
    get(ledger().raiseEpoch(own(bucket), bucket, 1));
    inSale(bucket.skuId(), 1, SkuState.ENDED);
    ArchiveResult asked = get(skus().archive(bucket.skuId()));
    inSale(bucket.skuId(), 2, SkuState.OPEN);
    Grant later = grantOfSale(bucket, 1, 2, row(bucket).epoch());
    read(bucket, reserve(later));
    apply(bucket, new Command.Confirm(later.token(), null));

    // when
    IntStream.range(0, 5).forEach(step -> get(ledger().archiveNext(ALL)));

    // then
    assertThat(asked).isInstanceOf(ArchiveResult.Working.class);
    assertThat(order(earlier.token()).archived()).isTrue();
    assertThat(order(later.token()).archived()).isFalse();
    assertThat(known(bucket.skuId()).state()).isEqualTo(SkuState.OPEN);

    // when
    apply(bucket, new Command.Refund(later.token()));

    // then
    assertThat(row(bucket).sold()).isEqualTo(1);
  }

  @ParameterizedTest
  @EnumSource(
      value = SkuState.class,
      names = {"ENDED", "ARCHIVED"},
      mode = EnumSource.Mode.EXCLUDE)
  void shouldRefuseWhenTheSaleHasNotEnded(SkuState state) {
    // given
    BucketId bucket = sku(10);
    inSale(bucket.skuId(), 1, state);

    // when
    ArchiveResult asked = get(skus().archive(bucket.skuId()));

    // then
    assertThat(asked).isInstanceOf(ArchiveResult.NotEnded.class);
    assertThat(known(bucket.skuId()).state()).isEqualTo(state);
  }

  @Test
  void shouldKnowNothingOfAnUnknownSku() {
    assertThat(get(skus().archive(newSkuId()))).isInstanceOf(ArchiveResult.Unknown.class);
  }
}
