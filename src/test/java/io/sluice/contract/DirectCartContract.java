package io.sluice.contract;

import static io.sluice.model.OrderStatus.CANCELED;
import static io.sluice.model.OrderStatus.CONFIRMED;
import static io.sluice.model.OrderStatus.PENDING;
import static io.sluice.model.OrderStatus.REFUNDED;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.ledger.DirectLedger.Outcome;
import io.sluice.ledger.DirectLedger.Wish;
import io.sluice.ledger.OutboxRow.OutboxKind;
import io.sluice.ledger.SkuLedger.StateChange;
import io.sluice.model.BucketId;
import io.sluice.model.Cart;
import io.sluice.model.Command;
import io.sluice.model.Command.RefundPart;
import io.sluice.model.Order;
import io.sluice.model.OrderToken;
import io.sluice.model.Placement;
import io.sluice.model.Reason;
import io.sluice.model.Refusal;
import io.sluice.model.Sku;
import io.vertx.core.Future;
import io.vertx.core.json.JsonObject;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * How orders of SKUs live that sell in the ledger alone, of one SKU or several: all lines or none.
 */
abstract class DirectCartContract extends DirectScene {
  @Test
  void shouldBookAllLinesAsOneOrderInNoPartition() {
    // given
    List<BucketId> buckets = directCarts(10, 10, 10);
    Wish first = wish("ann", buckets, 1, 2, 1);

    // when
    List<Outcome> outcomes = place(first, wish("bob", buckets, 2, 1, 1));

    // then
    assertThat(outcomes)
        .allMatch(outcome -> outcome instanceof Outcome.Booked booked && booked.fresh());
    Order order = ((Outcome.Booked) outcomes.get(0)).order();
    assertThat(order).isEqualTo(seen(first.token()));
    assertThat(order.status()).isEqualTo(PENDING);
    assertThat(order.reference()).isEqualTo("ref-ann");
    assertThat(order.cart().lines()).extracting(Cart.Line::qty).containsExactly(1, 2, 1);
    assertThat(((Outcome.Booked) outcomes.get(1)).order().cart().lines())
        .extracting(Cart.Line::seq)
        .containsExactly(3L, 3L, 2L);
    assertThat(held(buckets)).containsExactly(3L, 3L, 2L);
    assertThat(row(buckets.get(2)).partition()).isEqualTo(Placement.DIRECT);
    assertThat(eventTypes(buckets.get(0))).containsExactly("ORDER_BOOKED", "ORDER_BOOKED");
  }

  @ParameterizedTest(name = "{0} lines")
  @ValueSource(ints = {1, 2})
  void shouldTellTheSameOrderAgainAndRefuseItsKeyToOthers(int lines) {
    // given
    List<BucketId> buckets = directCarts(tens(lines));
    Wish wish = each("ann", buckets, 2);
    Wish alone = new Wish(wish.token(), "ann", 1, null);

    // when
    List<Outcome> first = place(wish, wish, each("ann", buckets, 1), each("bob", buckets, 1));
    Order order = seen(wish.token());
    List<Outcome> again = place(each("cid", buckets, 1), wish);
    Outcome one = place(alone).get(0);
    apply(new Command.Cancel(order.token(), Reason.BUYER));
    Outcome ended = place(wish).get(0);

    // then
    assertThat(first.subList(0, 2))
        .containsExactly(new Outcome.Booked(order, true), new Outcome.Booked(order, false));
    assertThat(refusal(first.get(2))).isEqualTo(Refusal.KEY_MISMATCH);
    assertThat(List.of(first.get(3), again.get(0))).allMatch(Outcome.Booked.class::isInstance);
    assertThat(again.get(1)).isEqualTo(new Outcome.Booked(order, false));
    assertThat(refusal(one)).isEqualTo(Refusal.KEY_MISMATCH);
    assertThat(refusal(ended)).isEqualTo(Refusal.ORDER_ENDED);
    assertThat(held(buckets)).containsOnly(2L);
  }

  @Test
  void shouldNameTheSaleOfAnOrderInItsEvents() {
    // given
    List<BucketId> buckets = directCarts(10, 10);

    // when
    Order order = booked(wish("ann", buckets, 1, 2));
    apply(new Command.Confirm(order.token()));

    // then
    assertThat(
            left(buckets.get(0), OutboxKind.EVENT).stream()
                .map(row -> new JsonObject(row.payload()))
                .filter(event -> order.token().value().equals(event.getString("order_token"))))
        .extracting(event -> event.getString("type") + " " + event.getString("sale_id"))
        .containsExactly("ORDER_BOOKED " + saleId, "ORDER_CONFIRMED " + saleId);
  }

  @Test
  void shouldNameTheLineAndLeaveNoTraceWhenItIsRefused() {
    // given
    List<BucketId> buckets = directCarts(10, 1);
    change(buckets.get(1).skuId(), StateChange.CLOSE);
    Outcome closed = place(wish("ann", buckets, 1, 1)).get(0);
    change(buckets.get(1).skuId(), StateChange.OPEN);

    // when
    List<Outcome> outcomes =
        place(
            wish("ann", buckets, 1, 2),
            wish("bob", buckets, 3, 1),
            wish("cid", buckets, 2, 1),
            wish("dan", buckets, 1, 1));

    // then
    assertThat(closed).isEqualTo(new Outcome.Refused(Refusal.NOT_OPEN, 1, 1));
    assertThat(outcomes.get(0)).isEqualTo(new Outcome.Refused(Refusal.SOLD_OUT, 1, 1));
    assertThat(outcomes.get(1)).isEqualTo(new Outcome.Refused(Refusal.LIMIT_REACHED, 0, 10));
    assertThat(outcomes.get(2)).isInstanceOf(Outcome.Booked.class);
    assertThat(outcomes.get(3)).isEqualTo(new Outcome.Refused(Refusal.SOLD_OUT, 1, 0));
    assertThat(held(buckets)).containsExactly(2L, 1L);
    assertThat(eventTypes(buckets.get(0))).containsExactly("ORDER_BOOKED");
  }

  @Test
  void shouldCountALineAgainstTheLimitOfItsSkuUntilItEnds() {
    // given
    List<BucketId> buckets = directCarts(10, 10);
    Order order = booked(wish("ann", buckets, 1, 2));
    BucketId second = buckets.get(1);
    Wish alone = new Wish(TOKENS.tokenFor("ann", second, "more", 1), "ann", 1, null);

    // when
    Outcome over = place(alone).get(0);
    apply(new Command.Cancel(order.token(), Reason.TIMEOUT));
    Outcome after = place(alone).get(0);

    // then
    assertThat(refusal(over)).isEqualTo(Refusal.LIMIT_REACHED);
    assertThat(after).isInstanceOf(Outcome.Booked.class);
  }

  @Test
  void shouldNameTheLineWhoseBucketLacksUnitsOthersHave() {
    // given
    List<BucketId> buckets = carts(Sku.Mode.DIRECT, 2, 4, 2);
    booked(wish("ann", buckets, 1, 1));
    Wish wish = wish("bob", buckets, 1, 1);

    // when
    Outcome before = place(wish).get(0);
    buckets.forEach(bucket -> get(direct().gather(bucket, 1)));
    Outcome after = place(wish).get(0);

    // then
    assertThat(before).isEqualTo(new Outcome.Elsewhere(1));
    assertThat(after).isInstanceOf(Outcome.Booked.class);
    assertThat(held(buckets)).containsExactly(2L, 2L);
  }

  @ParameterizedTest(name = "{0} lines")
  @ValueSource(ints = {1, 2})
  void shouldPayAndRefundAsAWholeAndALineInPart(int lines) {
    // given
    List<BucketId> buckets = directCarts(tens(lines));
    OrderToken token = booked(each("ann", buckets, 2)).token();
    long skuId = last(buckets).skuId();

    // when
    Order paid = apply(new Command.Confirm(token, "p1"));
    apply(
        new RefundPart(token, "r1", 1, RefundPart.Step.REQUEST, skuId),
        new RefundPart(token, "r1", 0, RefundPart.Step.COMPLETE));
    List<Long> soldInPart = sold(buckets);
    Order refunded = apply(new Command.Refund(token));

    // then
    assertThat(paid.status()).isEqualTo(CONFIRMED);
    assertThat(soldInPart).isEqualTo(lines == 1 ? List.of(1L) : List.of(2L, 1L));
    assertThat(refunded.status()).isEqualTo(REFUNDED);
    assertThat(refunded).isEqualTo(seen(token));
    assertThat(sold(buckets)).containsOnly(0L);
    assertThat(buckets).allMatch(bucket -> row(bucket).free() == 10);
    assertThat(eventTypes(buckets.get(0)))
        .containsSubsequence("ORDER_BOOKED", "ORDER_CONFIRMED", "ORDER_REFUNDED");
  }

  @ParameterizedTest(name = "{0} lines")
  @ValueSource(ints = {1, 2})
  void shouldGiveAllLinesBackOnceAndTellRedisNothing(int lines) {
    // given
    List<BucketId> buckets = directCarts(tens(lines));
    OrderToken token = booked(each("ann", buckets, 2)).token();
    OrderToken other = booked(each("bob", buckets, 1)).token();

    // when
    Map<OrderToken, Order> after =
        get(
            direct()
                .apply(
                    List.of(
                        new Command.Cancel(token, Reason.TIMEOUT), new Command.Confirm(other))));
    Order late = apply(new Command.Confirm(token));
    apply(new Command.Cancel(token, Reason.BUYER));

    // then
    assertThat(after.get(token).status()).isEqualTo(CANCELED);
    assertThat(after.get(other).status()).isEqualTo(CONFIRMED);
    assertThat(late.latePaidAtMs()).isPositive();
    assertThat(held(buckets)).containsOnly(0L);
    assertThat(eventTypes(buckets.get(0)))
        .containsExactlyInAnyOrder(
            "ORDER_BOOKED", "ORDER_BOOKED", "ORDER_CANCELED", "ORDER_CONFIRMED", "PAYMENT_LATE");
    assertThat(outbox(Placement.DIRECT, OutboxKind.RELEASE)).isEmpty();
  }

  /** Their order is known by its lead, whose other lines the transaction has not locked. */
  @Test
  void shouldRefuseTheKeyOfOtherLinesBesideNewOrders() {
    // given
    List<BucketId> buckets = directCarts(10, 10, 10);
    List<BucketId> some = List.of(buckets.get(0), buckets.get(2));
    Order order = booked(wish("ann", buckets.subList(0, 2), 1, 2));

    // when
    List<Outcome> outcomes = place(wish("ann", some, 1, 1), wish("bob", some, 1, 1));

    // then
    assertThat(refusal(outcomes.get(0))).isEqualTo(Refusal.KEY_MISMATCH);
    assertThat(outcomes.get(1)).isInstanceOf(Outcome.Booked.class);
    assertThat(seen(order.token())).isEqualTo(order);
    assertThat(held(buckets)).containsExactly(2L, 2L, 1L);
  }

  @ParameterizedTest(name = "{0} lines")
  @ValueSource(ints = {1, 2})
  void shouldAskToReadTheSkusAgainWhenTheLastIsInAnotherSale(int lines) {
    // given
    List<BucketId> buckets = directCarts(tens(lines));
    Wish wish = each("ann", buckets, 1);
    Map<Long, Long> sales = salesOf(wish);
    sales.put(last(buckets).skuId(), 7L);

    // when
    List<Outcome> outcomes = get(direct().place(sales, () -> List.of(wish)));

    // then
    assertThat(outcomes).containsExactly(new Outcome.OtherSale(last(buckets).skuId()));
    assertThat(held(buckets)).containsOnly(0L);
  }

  @Test
  void shouldBookEachOnceWhenCartsOverlapAndRunAtOnce() {
    // given
    List<BucketId> buckets = directCarts(100, 100, 100);
    List<List<BucketId>> sets =
        List.of(
            buckets,
            buckets.subList(0, 2),
            buckets.subList(1, 3),
            List.of(buckets.get(0), buckets.get(2)));
    List<Future<List<Outcome>>> calls = new ArrayList<>();

    // when
    for (int i = 0; i < 20; i++) {
      List<BucketId> set = sets.get(i % sets.size());
      int[] units = set.stream().mapToInt(bucket -> 1).toArray();
      Wish wish = wish("user-" + i, set, units);
      calls.add(direct().place(salesOf(wish), () -> List.of(wish, wish)));
    }
    get(Future.all(calls));

    // then
    assertThat(calls)
        .allMatch(call -> ((Outcome.Booked) call.result().get(0)).fresh())
        .allMatch(call -> !((Outcome.Booked) call.result().get(1)).fresh());
    assertThat(held(buckets)).containsOnly(15L);
  }
}
