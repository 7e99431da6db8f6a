package io.sluice.contract;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.ledger.History;
import io.sluice.ledger.History.Group;
import io.sluice.ledger.History.HoldPlace;
import io.sluice.ledger.History.Kind;
import io.sluice.ledger.History.Rest;
import io.sluice.ledger.History.SalePlace;
import io.sluice.ledger.History.Slice;
import io.sluice.model.BucketId;
import io.sluice.model.Cart;
import io.sluice.model.Command;
import io.sluice.model.Command.RefundPart;
import io.sluice.model.Grant;
import io.sluice.model.Order;
import io.sluice.model.Reason;
import io.vertx.core.Future;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.function.ToLongFunction;
import java.util.stream.Collectors;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** An order of several SKUs is one order in lists and counts. */
abstract class CartHistoryContract extends CartLedgerScene {
  private static final long MINUTE_MS = 60_000;

  @ParameterizedTest
  @ValueSource(ints = {1, 2, History.PAGE_MAX})
  void shouldListACartOnceWithAllItsLines(int limit) {
    // given
    List<BucketId> buckets = carts(10, 10, 10);
    Grant all = soldCart(1, buckets, 1, 2, 3);
    Grant two = bookedCart(2, buckets.subList(1, 3), 1, 1);
    Grant alone = bookedCart(3, buckets.subList(2, 3), 2);
    tell(
        buckets.get(0),
        new RefundPart(all.token(), "r", 2, RefundPart.Step.REQUEST, buckets.get(2).skuId()),
        new RefundPart(all.token(), "r", 0, RefundPart.Step.COMPLETE));

    // when
    List<Order> ofSale = ofSale(limit);
    List<Order> ofLast = ofSku(buckets.get(2).skuId(), limit);

    // then
    assertThat(ofSale)
        .extracting(Order::token)
        .containsExactly(all.token(), two.token(), alone.token());
    assertThat(ofLast)
        .extracting(Order::token)
        .containsExactly(all.token(), two.token(), alone.token());
    assertThat(ofSale).extracting(Order::units).containsExactly(6, 2, 2);
    assertThat(ofLast).isEqualTo(ofSale);
    assertThat(ofLast.get(0).cart().lines())
        .extracting(Cart.Line::refundedQty)
        .containsExactly(0, 0, 2);
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 1_000})
  void shouldCountOrdersAndNotTheirLines(int limit) {
    // given
    List<BucketId> buckets = carts(10, 10);
    Grant parts = soldCart(1, buckets, 1, 2);
    Grant whole = soldCart(2, buckets, 1, 1);
    Grant canceled = bookedCart(3, buckets, 1, 3);
    Grant alone = soldCart(4, buckets.subList(1, 2), 1);
    tell(
        buckets.get(0),
        new Command.Refund(whole.token()),
        new Command.Cancel(canceled.token(), Reason.BUYER),
        new RefundPart(parts.token(), "r", 1, RefundPart.Step.REQUEST, buckets.get(1).skuId()),
        new RefundPart(parts.token(), "r", 0, RefundPart.Step.COMPLETE));

    // when
    List<Group> granted = all(buckets, left -> history().granted(left, MINUTE_MS, limit));
    List<Group> ended = all(buckets, left -> history().ended(left, MINUTE_MS, limit));

    // then
    assertThat(alone.cart()).isNull();
    assertThat(sum(granted, Group::orders)).isEqualTo(Map.of(Kind.GRANTED, 4L));
    assertThat(sum(granted, Group::lines)).isEqualTo(Map.of(Kind.GRANTED, 7L));
    assertThat(sum(granted, Group::units)).isEqualTo(Map.of(Kind.GRANTED, 10L));
    assertThat(sum(ended, Group::orders))
        .isEqualTo(Map.of(Kind.PAID, 3L, Kind.CANCELED, 1L, Kind.REFUNDED, 2L));
    assertThat(sum(ended, Group::units))
        .isEqualTo(Map.of(Kind.PAID, 6L, Kind.CANCELED, 4L, Kind.REFUNDED, 3L));
  }

  // ---- shorthand

  private List<Order> ofSale(int limit) {
    List<Order> listed = new ArrayList<>();
    SalePlace after = SalePlace.FIRST;
    boolean complete = false;
    while (!complete) {
      var page = get(history().pageOfSale(saleId, after, limit)).orElseThrow();
      listed.addAll(page.orders());
      after = page.last();
      complete = page.complete();
    }
    return listed;
  }

  private List<Order> ofSku(long skuId, int limit) {
    List<Order> listed = new ArrayList<>();
    HoldPlace after = HoldPlace.FIRST;
    boolean complete = false;
    while (!complete) {
      var page = get(history().page(skuId, after, limit));
      listed.addAll(page.orders());
      after = page.last();
      complete = page.complete();
    }
    return listed;
  }

  private static List<Group> all(List<BucketId> buckets, Function<Rest, Future<Slice>> read) {
    List<Group> groups = new ArrayList<>();
    Rest left = Rest.of(buckets.stream().map(BucketId::skuId).toList());
    while (left != null) {
      Slice slice = get(read.apply(left));
      groups.addAll(slice.groups());
      left = slice.rest().orElse(null);
    }
    return groups;
  }

  private static Map<Kind, Long> sum(List<Group> groups, ToLongFunction<Group> of) {
    return groups.stream()
        .collect(Collectors.groupingBy(Group::kind, TreeMap::new, Collectors.summingLong(of)));
  }
}
