package io.sluice.contract;

import static io.sluice.model.OrderStatus.CANCELED;
import static io.sluice.model.OrderStatus.CONFIRMED;
import static io.sluice.model.OrderStatus.PENDING;
import static io.sluice.model.OrderStatus.REFUNDED;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.ledger.DirectLedger.Outcome;
import io.sluice.ledger.DirectLedger.Wish;
import io.sluice.ledger.LogProgress.Reading;
import io.sluice.ledger.OrderReads.DuePlace;
import io.sluice.ledger.Outbox.OutboxKind;
import io.sluice.ledger.OwnerRequests.OwnerRequest;
import io.sluice.ledger.SaleLedger.NewSale;
import io.sluice.ledger.SaleLedger.SaleSku;
import io.sluice.ledger.SkuLedger.NewSku;
import io.sluice.ledger.SkuLedger.RestockResult;
import io.sluice.ledger.SkuLedger.StateChange;
import io.sluice.ledger.rules.OutboxList;
import io.sluice.model.BucketId;
import io.sluice.model.Command;
import io.sluice.model.Order;
import io.sluice.model.OrderToken;
import io.sluice.model.OrderTokens;
import io.sluice.model.Placement;
import io.sluice.model.Reason;
import io.sluice.model.Refusal;
import io.sluice.model.SaleTerms;
import io.sluice.model.Sku;
import io.sluice.model.SkuSettings;
import io.sluice.model.SkuState;
import io.sluice.model.Watermarks;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** SKUs that sell in the ledger alone. */
abstract class DirectSaleContract extends LedgerScene {
  private static final OrderTokens TOKENS = new OrderTokens(new byte[16]);

  private BucketId direct(long stock) {
    return direct(stock, 1, SETTINGS);
  }

  private BucketId direct(long stock, int buckets, SkuSettings settings) {
    Sku sku = put(new NewSku(newSkuId(), stock, buckets, Sku.Mode.DIRECT, settings));
    return new BucketId(sku.skuId(), 0);
  }

  private static SkuSettings limited(int limit) {
    return new SkuSettings(300, limit, 0, 0);
  }

  private static Wish wish(BucketId bucket, String user, int qty) {
    return keyed(bucket, user, "", qty);
  }

  private static Wish keyed(BucketId bucket, String user, String key, int qty) {
    return new Wish(TOKENS.tokenFor(user, bucket, key), user, qty, null);
  }

  private List<Outcome> place(Wish... wishes) {
    return get(direct().place(wishes[0].token().skuId(), 0, List.of(wishes)));
  }

  private Order booked(Wish wish) {
    Outcome outcome = place(wish).get(0);
    assertThat(outcome).isInstanceOf(Outcome.Booked.class);
    return ((Outcome.Booked) outcome).order();
  }

  private static Refusal refusal(Outcome outcome) {
    assertThat(outcome).isInstanceOf(Outcome.Refused.class);
    return ((Outcome.Refused) outcome).refusal();
  }

  private Order apply(Command command) {
    return get(direct().apply(List.of(command))).get(command.token());
  }

  private List<String> eventTypes(BucketId bucket) {
    return outbox(Placement.DIRECT, OutboxKind.EVENT).stream()
        .filter(row -> row.payload().contains("\"sku_id\":" + bucket.skuId()))
        .flatMap(
            row -> Collections.nCopies(entriesOf(row.payload(), bucket), row.eventType()).stream())
        .toList();
  }

  private static int entriesOf(String payload, BucketId bucket) {
    return (int)
        OutboxList.entries(payload).stream()
            .filter(entry -> entry.contains("\"sku_id\":" + bucket.skuId()))
            .count();
  }

  // ---- orders

  @Test
  void shouldBookInNoPartitionWhenUnitsAreThere() {
    // given
    BucketId bucket = direct(10);

    // when
    List<Outcome> outcomes = place(wish(bucket, "ann", 2), wish(bucket, "bob", 1));

    // then
    assertThat(outcomes)
        .allMatch(outcome -> outcome instanceof Outcome.Booked booked && booked.fresh());
    Order first = order(wish(bucket, "ann", 2).token());
    Order second = order(wish(bucket, "bob", 1).token());
    assertThat(first.status()).isEqualTo(PENDING);
    assertThat(first.seq()).isEqualTo(2);
    assertThat(second.seq()).isEqualTo(3);
    assertThat(first.payBeforeMs() - first.createdAtMs()).isEqualTo(300_000);
    assertThat(row(bucket).partition()).isEqualTo(Placement.DIRECT);
    assertThat(row(bucket).held()).isEqualTo(3);
    assertThat(eventTypes(bucket)).containsExactly("ORDER_BOOKED", "ORDER_BOOKED");
  }

  @Test
  void shouldAskNoOwnerAndTellRedisNothingWhenASkuLivesItsWholeLife() {
    // given
    BucketId bucket = direct(10);
    Order order = booked(wish(bucket, "ann", 2));

    // when
    apply(new Command.Cancel(order.token(), Reason.BUYER));
    get(skus().restock(bucket.skuId(), "more", 5));
    get(skus().change(bucket.skuId(), StateChange.CLOSE));

    // then
    assertThat(get(ledger().openRequests(List.of(Placement.DIRECT), 0, 1_000)))
        .extracting(OwnerRequest::bucket)
        .doesNotContain(Optional.of(bucket));
    assertThat(outbox(Placement.DIRECT, OutboxKind.RELEASE)).isEmpty();
    assertThat(outbox(Placement.DIRECT, OutboxKind.RESTOCK)).isEmpty();
    assertThat(row(bucket).free()).isEqualTo(15);
  }

  @Test
  void shouldTellTheSameOrderWhenTheRequestComesAgain() {
    // given
    BucketId bucket = direct(10);
    Order order = booked(wish(bucket, "ann", 2));

    // when
    List<Outcome> again = place(wish(bucket, "ann", 2), wish(bucket, "ann", 2));

    // then
    assertThat(again)
        .allMatch(
            outcome ->
                outcome instanceof Outcome.Booked booked
                    && !booked.fresh()
                    && booked.order().equals(order(order.token())));
    assertThat(row(bucket).held()).isEqualTo(2);
  }

  @Test
  void shouldBookOnceWhenOneBatchHasTheRequestTwice() {
    // given
    BucketId bucket = direct(10);

    // when
    List<Outcome> outcomes =
        place(wish(bucket, "ann", 2), wish(bucket, "ann", 2), wish(bucket, "ann", 1));

    // then
    assertThat(((Outcome.Booked) outcomes.get(0)).fresh()).isTrue();
    assertThat(((Outcome.Booked) outcomes.get(1)).fresh()).isFalse();
    assertThat(refusal(outcomes.get(2))).isEqualTo(Refusal.KEY_MISMATCH);
    assertThat(row(bucket).held()).isEqualTo(2);
  }

  @Test
  void shouldRefuseTheKeyWhenItsOrderHasEnded() {
    // given
    BucketId bucket = direct(10);
    Order order = booked(wish(bucket, "ann", 2));
    apply(new Command.Cancel(order.token(), Reason.BUYER));

    // when
    List<Outcome> again = place(wish(bucket, "ann", 2));

    // then
    assertThat(refusal(again.get(0))).isEqualTo(Refusal.ORDER_ENDED);
    assertThat(row(bucket).held()).isZero();
  }

  @Test
  void shouldSellTheLastUnitsOnceAndThenBeSoldOut() {
    // given
    BucketId bucket = direct(2);

    // when
    List<Outcome> outcomes =
        place(
            wish(bucket, "ann", 1),
            wish(bucket, "bob", 2),
            wish(bucket, "cid", 1),
            wish(bucket, "dan", 1));

    // then
    assertThat(outcomes.get(0)).isInstanceOf(Outcome.Booked.class);
    assertThat(outcomes.get(1)).isEqualTo(new Outcome.Refused(Refusal.SOLD_OUT, 1));
    assertThat(outcomes.get(2)).isInstanceOf(Outcome.Booked.class);
    assertThat(outcomes.get(3)).isEqualTo(new Outcome.Refused(Refusal.SOLD_OUT, 0));
  }

  @Test
  void shouldConfirmAtOnceWhenThereIsNothingToPay() {
    // given
    BucketId bucket = direct(2, 1, new SkuSettings(0, 0, 0, 0));

    // when
    Order order = booked(wish(bucket, "ann", 1));

    // then
    assertThat(order.status()).isEqualTo(CONFIRMED);
    assertThat(row(bucket).sold()).isEqualTo(1);
  }

  @Test
  void shouldCountWhatABuyerHasWhenThereIsALimit() {
    // given
    BucketId bucket = direct(20, 1, limited(3));
    Order first = booked(keyed(bucket, "ann", "a", 2));

    // when
    List<Outcome> second =
        place(
            keyed(bucket, "ann", "b", 2),
            keyed(bucket, "ann", "c", 1),
            keyed(bucket, "ann", "d", 1),
            keyed(bucket, "bob", "a", 3));
    apply(new Command.Cancel(first.token(), Reason.BUYER));
    List<Outcome> third = place(keyed(bucket, "ann", "e", 2), keyed(bucket, "ann", "f", 1));

    // then
    assertThat(refusal(second.get(0))).isEqualTo(Refusal.LIMIT_REACHED);
    assertThat(second.get(1)).isInstanceOf(Outcome.Booked.class);
    assertThat(refusal(second.get(2))).isEqualTo(Refusal.LIMIT_REACHED);
    assertThat(second.get(3)).isInstanceOf(Outcome.Booked.class);
    assertThat(third.get(0)).isInstanceOf(Outcome.Booked.class);
    assertThat(refusal(third.get(1))).isEqualTo(Refusal.LIMIT_REACHED);
  }

  @Test
  void shouldCountOrdersOfBeforeWhenALimitIsSetLater() {
    // given
    BucketId bucket = direct(20);
    booked(keyed(bucket, "ann", "a", 2));
    put(new NewSku(bucket.skuId(), 20, 1, Sku.Mode.DIRECT, limited(2)));

    // when
    List<Outcome> next = place(keyed(bucket, "ann", "b", 1));

    // then
    assertThat(refusal(next.get(0))).isEqualTo(Refusal.LIMIT_REACHED);
  }

  @Test
  void shouldGiveTheLimitBackWhenUnitsAreRefunded() {
    // given
    BucketId bucket = direct(20, 1, limited(3));
    Order order = booked(keyed(bucket, "ann", "a", 3));
    apply(new Command.Confirm(order.token()));
    apply(part(order.token(), 2, Command.RefundPart.Step.REQUEST));
    apply(part(order.token(), 0, Command.RefundPart.Step.COMPLETE));

    // when
    List<Outcome> next = place(keyed(bucket, "ann", "b", 3), keyed(bucket, "ann", "c", 2));

    // then
    assertThat(refusal(next.get(0))).isEqualTo(Refusal.LIMIT_REACHED);
    assertThat(next.get(1)).isInstanceOf(Outcome.Booked.class);
  }

  private static Command part(OrderToken token, int qty, Command.RefundPart.Step step) {
    return new Command.RefundPart(token, "r1", qty, step);
  }

  @Test
  void shouldRefuseWhenNotOnSale() {
    // given
    BucketId closed = direct(5);
    BucketId frozen = direct(5);
    long nowMs = get(ledger().nowMs());
    BucketId early = direct(5, 1, new SkuSettings(300, 0, nowMs + 3_600_000, 0));
    BucketId late = direct(5, 1, new SkuSettings(300, 0, 0, nowMs - 1));
    Wish held = wish(frozen, "ann", 1);
    booked(held);
    get(skus().change(closed.skuId(), StateChange.CLOSE));
    get(skus().change(frozen.skuId(), StateChange.FREEZE));

    // when
    List<Refusal> refusals =
        Stream.of(closed, frozen, early, late)
            .map(bucket -> refusal(place(wish(bucket, "bob", 1)).get(0)))
            .toList();

    // then
    assertThat(refusals)
        .containsExactly(Refusal.NOT_OPEN, Refusal.BUSY, Refusal.NOT_OPEN, Refusal.NOT_OPEN);
    assertThat(booked(held).status()).isEqualTo(PENDING);
  }

  @Test
  void shouldAskToReadTheSkuAgainWhenTheCallerBelievesInAnotherSale() {
    // given
    BucketId bucket = direct(5);

    // when
    List<Outcome> outcomes =
        get(direct().place(bucket.skuId(), 7, List.of(wish(bucket, "ann", 1))));

    // then
    assertThat(outcomes).containsExactly(new Outcome.OtherSale());
    assertThat(row(bucket).held()).isZero();
  }

  // ---- several buckets

  @Test
  void shouldBringUnitsWhereTheyAreWantedWhenABucketIsEmpty() {
    // given
    BucketId first = direct(9, 2, SETTINGS);
    BucketId second = new BucketId(first.skuId(), 1);
    booked(wish(second, "ann", 4));

    // when
    List<Outcome> before = place(wish(second, "bob", 1), wish(second, "cid", 6));
    boolean gathered = get(direct().gather(second, 1));
    List<Outcome> after = place(wish(second, "bob", 1));

    // then
    assertThat(before.get(0)).isEqualTo(new Outcome.Elsewhere());
    assertThat(refusal(before.get(1))).isEqualTo(Refusal.SOLD_OUT);
    assertThat(gathered).isTrue();
    assertThat(after.get(0)).isInstanceOf(Outcome.Booked.class);
    assertThat(row(first).allotted()).isEqualTo(2);
    assertThat(row(second).allotted()).isEqualTo(7);
  }

  @Test
  void shouldSellEveryUnitWhenAllBuyersAreInOneBucket() {
    // given
    BucketId bucket = direct(12, 5, SETTINGS);

    // when
    for (int i = 0; i < 13; i++) {
      if (place(wish(bucket, "user-" + i, 1)).get(0) instanceof Outcome.Elsewhere) {
        get(direct().gather(bucket, 1));
        place(wish(bucket, "user-" + i, 1));
      }
    }

    // then
    assertThat(row(bucket).held()).isEqualTo(12);
    assertThat(refusal(place(wish(bucket, "late", 1)).get(0))).isEqualTo(Refusal.SOLD_OUT);
  }

  @Test
  void shouldGatherFromSeveralWhenOneHasTooFew() {
    // given
    BucketId bucket = direct(6, 3, SETTINGS);

    // when
    boolean enough = get(direct().gather(bucket, 6));
    boolean tooMany = get(direct().gather(bucket, 7));

    // then
    assertThat(enough).isTrue();
    assertThat(tooMany).isFalse();
    assertThat(booked(wish(bucket, "ann", 6)).qty()).isEqualTo(6);
  }

  // ---- what happens to orders

  @Test
  void shouldTellHowOrdersStandWhenCommandsAreApplied() {
    // given
    BucketId bucket = direct(10);
    Order paid = booked(wish(bucket, "ann", 2));
    Order left = booked(wish(bucket, "bob", 1));

    // when
    var after =
        get(
            direct()
                .apply(
                    List.of(
                        new Command.Confirm(paid.token(), "p1"),
                        new Command.Cancel(left.token(), Reason.BUYER),
                        new Command.Confirm(left.token()),
                        new Command.Refund(paid.token()))));

    // then
    assertThat(after.get(paid.token()).status()).isEqualTo(REFUNDED);
    assertThat(after.get(left.token()).status()).isEqualTo(CANCELED);
    assertThat(after.get(left.token()).latePaidAtMs()).isPositive();
    assertThat(row(bucket).free()).isEqualTo(10);
    assertThat(eventTypes(bucket))
        .containsExactlyInAnyOrder(
            "ORDER_BOOKED",
            "ORDER_BOOKED",
            "ORDER_CONFIRMED",
            "ORDER_CANCELED",
            "PAYMENT_LATE",
            "ORDER_REFUNDED");
  }

  @Test
  void shouldListWhatIsDueByItsOwnPartition() {
    // given
    BucketId bucket = direct(10);
    Order order = booked(wish(bucket, "ann", 2));
    Order extended = booked(wish(bucket, "bob", 2));
    apply(new Command.Extend(extended.token(), 3_600));

    // when
    var due =
        get(ledger().due(Placement.DIRECT, DuePlace.FIRST, order.payBeforeMs() + 60_000, 10_000));
    Order canceled = apply(new Command.Cancel(order.token(), Reason.TIMEOUT));

    // then
    assertThat(due.tokens()).contains(order.token()).doesNotContain(extended.token());
    assertThat(canceled.status()).isEqualTo(CANCELED);
    assertThat(canceled.reason()).isEqualTo(Reason.TIMEOUT);
  }

  @Test
  void shouldTakeBackWhatIsFreeAtOnce() {
    // given
    BucketId bucket = direct(10, 2, SETTINGS);
    booked(wish(bucket, "ann", 4));

    // when
    RestockResult taken = get(skus().restock(bucket.skuId(), "less", -5));
    RestockResult again = get(skus().restock(bucket.skuId(), "less", -5));
    RestockResult tooMany = get(skus().restock(bucket.skuId(), "none", -2));
    RestockResult tooManyAgain = get(skus().restock(bucket.skuId(), "none", -2));

    // then
    assertThat(taken).isInstanceOf(RestockResult.Done.class);
    assertThat(((RestockResult.Done) taken).sku().totalStock()).isEqualTo(5);
    assertThat(again).isInstanceOf(RestockResult.Done.class);
    assertThat(tooMany).isEqualTo(new RestockResult.Refused(1));
    assertThat(tooManyAgain).isEqualTo(new RestockResult.Refused(1));
  }

  // ---- duties

  @Test
  void shouldCrossWatermarksOnce() {
    // given
    BucketId bucket = direct(10);
    booked(wish(bucket, "ann", 9));

    // when
    get(direct().crossMarks(bucket.skuId() - 1, 1));
    get(direct().crossMarks(bucket.skuId() - 1, 1));

    // then
    assertThat(eventTypes(bucket).stream().filter("WATERMARK_CROSSED"::equals)).hasSize(1);
  }

  @Test
  void shouldEndOnceNothingIsHeldAndBeginAgainInTheNextSale() {
    // given
    BucketId bucket = direct(10, 1, limited(2));
    Order order = booked(wish(bucket, "ann", 2));
    get(skus().change(bucket.skuId(), StateChange.END));
    endAll(bucket);
    SkuState whileHeld = get(skus().sku(bucket.skuId())).orElseThrow().state();
    apply(new Command.Confirm(order.token()));

    // when
    endAll(bucket);
    SkuState ended = get(skus().sku(bucket.skuId())).orElseThrow().state();
    get(
        sales()
            .put(
                new NewSale(
                    "again-" + bucket.skuId(),
                    "again",
                    true,
                    new SaleTerms(0, 0, 300, false),
                    List.of(new SaleSku(bucket.skuId(), 5, 1, 2, Watermarks.DEFAULT)))));
    Wish next = new Wish(TOKENS.tokenFor("ann", bucket, "", 1), "ann", 2, null);
    List<Outcome> outcomes = get(direct().place(bucket.skuId(), 1, List.of(next)));
    apply(new Command.Refund(order.token()));

    // then
    assertThat(whileHeld).isEqualTo(SkuState.ENDING);
    assertThat(ended).isEqualTo(SkuState.ENDED);
    assertThat(outcomes.get(0)).isInstanceOf(Outcome.Booked.class);
    Order again = ((Outcome.Booked) outcomes.get(0)).order();
    assertThat(again.seq()).isEqualTo(2);
    assertThat(again.epoch()).isGreaterThan(order.epoch());
    assertThat(row(bucket).partition()).isEqualTo(Placement.DIRECT);
    assertThat(row(bucket).total()).isEqualTo(5);
    assertThat(eventTypes(bucket)).contains("STOCK_RETURNED");
  }

  private void endAll(BucketId bucket) {
    for (int turn = 0; turn < 10 && get(direct().endBucket(bucket, 1)); turn++) {
      // Until nothing is left to do.
    }
  }

  @Test
  void shouldBeCreatedInASaleWhenTheSaleSaysSo() {
    // given
    long skuId = newSkuId();
    SaleSku wanted = new SaleSku(skuId, 5, 2, 0, Watermarks.DEFAULT, Sku.Mode.DIRECT);

    // when
    get(
        sales()
            .put(
                new NewSale(
                    "direct-" + skuId,
                    "direct",
                    false,
                    new SaleTerms(0, 0, 300, false),
                    List.of(wanted))));

    // then
    Sku sku = get(skus().sku(skuId)).orElseThrow();
    assertThat(sku.mode()).isEqualTo(Sku.Mode.DIRECT);
    assertThat(sku.placement()).isEqualTo(Placement.direct(2));
    assertThat(sku.saleNo()).isEqualTo(1);
  }

  @Test
  void shouldKeepAReadingOnlyWhenNoOtherCameBetween() {
    // given
    long since = get(ledger().reading(Placement.DIRECT)).map(Reading::readAtMs).orElse(0L);

    // when
    boolean first = get(direct().keepReading(since, new Reading(since + 10, 0, 0), false));
    boolean late = get(direct().keepReading(since, new Reading(since + 20, 5, 9), true));

    // then
    assertThat(first).isTrue();
    assertThat(late).isFalse();
    assertThat(get(ledger().reading(Placement.DIRECT)).orElseThrow().readAtMs())
        .isEqualTo(since + 10);
  }

  @Test
  void shouldNotNumberEventsWhereThereIsAnOrderLog() {
    // given
    BucketId bucket = direct(5);
    booked(wish(bucket, "ann", 1));
    own(bucket(0));

    // when
    boolean more = get(direct().numberEvents(100));

    // then
    assertThat(more).isFalse();
    assertThat(eventTypes(bucket)).containsExactly("ORDER_BOOKED");
  }

  private BucketId bucket(int number) {
    return new BucketId(sku(1, number + 1).skuId(), number);
  }

  @Test
  void shouldBookManyInOneCallWhenTheyArriveTogether() {
    // given
    BucketId bucket = direct(1_000, 3, limited(1));
    Wish[] wishes =
        IntStream.range(0, 500)
            .mapToObj(i -> wish(new BucketId(bucket.skuId(), i % 3), "user-" + i, 1))
            .toArray(Wish[]::new);

    // when
    List<Outcome> outcomes = place(wishes);

    // then
    assertThat(outcomes).hasSize(500).allMatch(Outcome.Booked.class::isInstance);
    assertThat(
            IntStream.range(0, 3).mapToLong(i -> row(new BucketId(bucket.skuId(), i)).held()).sum())
        .isEqualTo(500);
  }
}
