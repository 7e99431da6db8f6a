package io.sluice.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import io.sluice.ledger.BucketRow;
import io.sluice.ledger.BucketRow.LoadRow;
import io.sluice.ledger.Ledger.StillBucket;
import io.sluice.ledger.OutboxRow.OutboxKind;
import io.sluice.ledger.SaleLedger.SaleSku;
import io.sluice.ledger.SaleLedger.StateTotals;
import io.sluice.ledger.rules.OutboxPayload.Release;
import io.sluice.model.BucketId;
import io.sluice.model.Command;
import io.sluice.model.Command.RefundPart.Step;
import io.sluice.model.Grant;
import io.sluice.model.Order;
import io.sluice.model.OrderStatus;
import io.sluice.model.OrderToken;
import io.sluice.model.Sku;
import io.sluice.model.SkuState;
import io.vertx.core.Future;
import io.vertx.core.json.JsonObject;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

/** Units of refunded orders that leave the stock within their sale. */
abstract class WithdrawnContract extends DirectScene {
  private static Command withdraw(OrderToken token) {
    return new Command.Refund(token, false);
  }

  private static Command ask(OrderToken token, String id, int qty, long skuId) {
    return new Command.RefundPart(token, id, qty, Step.REQUEST, skuId);
  }

  private static Command complete(OrderToken token, String id, boolean restock) {
    return new Command.RefundPart(token, id, 0, Step.COMPLETE, 0, restock);
  }

  private Grant sold(BucketId bucket, int number, int qty, long seq) {
    Grant grant = cart(number, List.of(bucket), qty);
    log(bucket, reserve(grant), new Command.Confirm(grant.token()));
    assertThat(grant.seq()).isEqualTo(seq);
    return grant;
  }

  /** What the outbox says that has left the stock, by order. */
  private List<String> returned(BucketId bucket) {
    return left(bucket, OutboxKind.EVENT).stream()
        .filter(event -> event.eventType().equals("STOCK_RETURNED"))
        .map(event -> new JsonObject(event.payload()))
        .map(
            event ->
                event.getString("order_token")
                    + " "
                    + event.getLong("returned_qty")
                    + (event.getBoolean("restock", true) ? "" : " not to be sold"))
        .toList();
  }

  private List<LoadRow> loadRows(BucketId bucket) {
    return get(ledger().loadRows(row(bucket), Optional.empty(), ALL));
  }

  @Test
  void shouldTakeTheUnitsOfARefundOutOfTheStock() {
    // given
    BucketId bucket = sku(10);
    Grant grant = sold(bucket, 1, 3, 100);
    BucketRow before = row(bucket);

    // when
    tell(bucket, withdraw(grant.token()), new Command.Refund(grant.token()));
    tell(restarted(), bucket, new Command.Refund(grant.token()), withdraw(grant.token()));

    // then
    Order order = seen(grant.token());
    assertThat(order.status()).isEqualTo(OrderStatus.REFUNDED);
    assertThat(order.notes().refundedQty()).isEqualTo(3);
    assertThat(order.notes().withdrawnQty()).isEqualTo(3);
    BucketRow after = row(bucket);
    assertThat(after)
        .extracting(BucketRow::allotted, BucketRow::sold, BucketRow::free, BucketRow::withdrawn)
        .containsExactly(7L, 0L, 7L, 3L);
    assertThat(List.of(after.total(), after.counted(), after.version()))
        .containsExactly(before.total(), before.counted(), before.version());
    assertThat(after.taken()).isZero();
    assertThat(known(bucket.skuId()).stockNow()).isEqualTo(7);
    assertThat(returned(bucket)).containsExactly(grant.token() + " 3 not to be sold");
    assertThat(told(bucket)).containsOnlyOnce("ORDER_REFUNDED");
    assertThat(released(bucket))
        .containsExactly(new Release(grant.token(), grant.epoch(), grant.seq(), 0, 3, 0));
    assertThat(loadRows(bucket)).containsExactly(new LoadRow(grant, 0, 3, false));
  }

  @Test
  void shouldKnowOfEachPartWhetherItIsSoldAgain() {
    // given
    BucketId bucket = sku(10);
    Grant grant = sold(bucket, 1, 5, 100);
    OrderToken token = grant.token();
    long total = row(bucket).total();
    tell(bucket, ask(token, "a", 2, 0), ask(token, "b", 1, 0), ask(token, "c", 1, 0));

    // when
    tell(restarted(), bucket, complete(token, "a", true), complete(token, "b", false));
    tell(bucket, complete(token, "a", false), complete(token, "b", true));
    List<LoadRow> between = loadRows(bucket);
    tell(restarted(), bucket, complete(token, "c", false));
    tell(restarted(), bucket, new Command.Refund(token));

    // then
    assertThat(between).containsExactly(new LoadRow(grant, 2, 1, false));
    assertThat(seen(token).notes().withdrawnQty()).isEqualTo(2);
    assertThat(released(bucket))
        .containsExactly(
            new Release(token, grant.epoch(), grant.seq(), 3, 0, 0),
            new Release(token, grant.epoch(), grant.seq(), 2, 1, 0),
            new Release(token, grant.epoch(), grant.seq(), 1, 2, 0),
            new Release(token, grant.epoch(), grant.seq(), 0, 2, 0));
    assertThat(returned(bucket))
        .containsExactly(token + " 1 not to be sold", token + " 1 not to be sold");
    assertThat(row(bucket))
        .extracting(BucketRow::free, BucketRow::taken, BucketRow::withdrawn, BucketRow::total)
        .containsExactly(8L, 0L, 2L, total);
  }

  /** What a comparison counts for an order whose release is not sent. */
  @Test
  void shouldTellWhatRedisCountsAfterAReleaseThatIsNotSent() {
    // given
    BucketId bucket = sku(10);
    Grant grant = sold(bucket, 1, 5, 100);
    OrderToken token = grant.token();

    // when
    tell(bucket, ask(token, "a", 2, 0), complete(token, "a", true));
    tell(bucket, ask(token, "b", 1, 0), complete(token, "b", false));

    // then
    assertThat(
            get(
                ledger()
                    .compare(
                        owner(bucket),
                        bucket,
                        (StillBucket still) -> Future.succeededFuture(still.unreleased()))))
        .contains(Optional.of(Map.of(token, 3)));
  }

  @Test
  void shouldWithdrawEachLineOfACart() {
    // given
    List<BucketId> buckets = carts(10, 10);
    Grant lead = soldCart(1, buckets, 2, 3);
    OrderToken token = lead.token();
    BucketId second = buckets.get(1);

    // when
    tell(
        restarted(),
        buckets.get(0),
        ask(token, "a", 1, second.skuId()),
        complete(token, "a", true),
        withdraw(token));

    // then
    assertThat(seen(token).status()).isEqualTo(OrderStatus.REFUNDED);
    assertThat(seen(token).notes().withdrawnQty()).isEqualTo(4);
    assertThat(buckets.stream().map(bucket -> row(bucket).withdrawn())).containsExactly(2L, 2L);
    assertThat(buckets.stream().map(bucket -> known(bucket.skuId()).stockNow()))
        .containsExactly(8L, 8L);
    assertThat(released(second))
        .extracting(Release::left, Release::withdrawn)
        .containsExactly(tuple(2, 0), tuple(0, 2), tuple(0, 2));
  }

  @Test
  void shouldTellRedisTheSameTotalOfTheSku() {
    // given
    Sku sku = sku(10, 2);
    BucketId bucket = new BucketId(sku.skuId(), 0);
    Grant grant = sold(bucket, 1, 3, 100);

    // when
    tell(bucket, withdraw(grant.token()));

    // then
    BucketId sibling = new BucketId(sku.skuId(), 1);
    assertThat(List.of(row(bucket).skuTotal(), row(sibling).skuTotal()))
        .containsOnly(OptionalLong.of(10));
    assertThat(get(skus().bucketsOf(sku.skuId())))
        .containsExactly(row(bucket), row(sibling))
        .extracting(BucketRow::total)
        .containsExactly(5L, 5L);
  }

  @Test
  void shouldKeepTheTotalInRedisWhenUnitsAreAddedLater() {
    // given
    BucketId bucket = sku(10);
    Grant grant = sold(bucket, 1, 3, 100);
    tell(bucket, withdraw(grant.token()));

    // when
    restock(bucket.skuId(), "more", 5);

    // then
    assertThat(row(bucket))
        .extracting(BucketRow::allotted, BucketRow::total, BucketRow::free)
        .containsExactly(12L, 15L, 12L);
    assertThat(known(bucket.skuId()).stockNow()).isEqualTo(12);
  }

  @Test
  void shouldBeginTheNextSaleWithoutThem() {
    // given
    SaleSku wanted = putOne(OPEN, 4, 1);
    BucketId bucket = LeftSaleScene.bucketOf(wanted);
    Grant first = sold(bucket, 1, 1);
    Grant second = sold(bucket, 2, 1);
    apply(bucket, withdraw(first.token()));
    List<StateTotals> selling = get(sales().totals(saleId));
    end(wanted.skuId());

    // when
    again(wanted);
    raise(bucket);

    // then
    assertThat(selling).containsExactly(new StateTotals(SkuState.OPEN, 1, 0, 3, 0, 1));
    assertThat(get(sales().totals(saleId)))
        .containsExactly(new StateTotals(SkuState.ENDED, 1, 0, 3, 0, 1));
    assertThat(row(bucket))
        .extracting(BucketRow::withdrawn, BucketRow::base, BucketRow::total, BucketRow::free)
        .containsExactly(0L, 1L, 4L, 4L);

    // when
    apply(bucket, withdraw(second.token()));

    // then
    assertThat(seen(second.token()).notes().withdrawnQty()).isZero();
    assertThat(returned(bucket))
        .containsExactly(first.token() + " 1 not to be sold", second.token() + " 1 not to be sold");
    assertThat(row(bucket))
        .extracting(BucketRow::withdrawn, BucketRow::base, BucketRow::total, BucketRow::free)
        .containsExactly(0L, 0L, 4L, 4L);
  }

  /** After its end, before its next sale. */
  @Test
  void shouldWithdrawUnitsOfASaleThatHasEnded() {
    // given
    SaleSku wanted = putOne(OPEN, 4, 1);
    BucketId bucket = LeftSaleScene.bucketOf(wanted);
    Grant first = sold(bucket, 1, 1);
    end(wanted.skuId());

    // when
    apply(bucket, withdraw(first.token()));

    // then
    assertThat(known(wanted.skuId()).stockNow()).isEqualTo(3);
    assertThat(row(bucket).free()).isEqualTo(3);
  }

  @Test
  void shouldWithdrawUnitsOfADirectSku() {
    // given
    BucketId bucket = direct(10, 1, limited(3));
    Order order = booked(keyed(bucket, "ann", "a", 3));
    apply(new Command.Confirm(order.token()));

    // when
    Order after = apply(withdraw(order.token()));

    // then
    assertThat(after.status()).isEqualTo(OrderStatus.REFUNDED);
    assertThat(row(bucket))
        .extracting(BucketRow::allotted, BucketRow::free, BucketRow::withdrawn)
        .containsExactly(7L, 7L, 3L);
    assertThat(known(bucket.skuId()).stockNow()).isEqualTo(7);
    assertThat(eventTypes(bucket)).endsWith("ORDER_REFUNDED", "STOCK_RETURNED");
    assertThat(place(keyed(bucket, "ann", "b", 3)).get(0))
        .isInstanceOf(io.sluice.ledger.DirectLedger.Outcome.Booked.class);
  }
}
