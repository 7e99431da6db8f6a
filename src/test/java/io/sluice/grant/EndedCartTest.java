package io.sluice.grant;

import static io.sluice.grant.Desk.SKU;
import static io.sluice.grant.Desk.answer;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.grant.OrderWish.Line;
import io.sluice.grant.PlacedOrder.Accepted;
import io.sluice.grant.PlacedOrder.Refused;
import io.sluice.ledger.BucketRows;
import io.sluice.ledger.SaleLedger.Seen;
import io.sluice.model.BucketId;
import io.sluice.model.Order;
import io.sluice.model.OrderStatus;
import io.sluice.model.Refusal;
import io.sluice.model.Sale;
import io.sluice.model.Sale.SaleTerms;
import io.sluice.model.Sku;
import io.sluice.model.Sku.Membership;
import io.sluice.model.SkuState;
import io.sluice.stock.BucketCode;
import io.sluice.stock.GrantOutcome;
import io.sluice.stock.ReserveReply;
import io.sluice.stock.StockStore;
import io.vertx.core.Future;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** An order of several SKUs where the bucket of one has ended before others of that SKU. */
class EndedCartTest {
  private static final long OTHER = SKU + 1;
  private static final String SALE_ID = "phones";
  private static final OrderWish WISH =
      new OrderWish("alice", List.of(new Line(SKU, 1), new Line(OTHER, 2)), null, null, false);

  private final Desk unit = new Desk();
  private final BucketId ended = new BucketId(OTHER, 0);

  @BeforeEach
  void sellTogether() {
    unit.ledger.add(OTHER, 1);
    unit.ledger.move(SKU, 3);
    unit.ledger.move(OTHER, 3);
    unit.sales.put(
        SALE_ID,
        new Seen(
            new Sale(
                SALE_ID,
                "n",
                true,
                new SaleTerms(0, 0, 300, false),
                SkuState.ENDING,
                false,
                1,
                1,
                1),
            10_000));
    is(SKU, SkuState.ENDING);
    is(OTHER, SkuState.ENDING);
    unit.stock.carts = carts -> Future.succeededFuture(away(carts));
  }

  private ReserveReply away(List<StockStore.Request> carts) {
    return ReserveReply.ofCarts(
        carts.stream()
            .<GrantOutcome>map(cart -> new GrantOutcome.Away(BucketCode.ABSENT, ended))
            .toList(),
        Map.of(),
        "");
  }

  private void is(long skuId, SkuState state) {
    Sku sku = unit.ledger.skus.get(skuId);
    unit.ledger.skus.put(
        skuId, sku.with(sku.settings(), state, state, new Membership(1, SALE_ID, false, 1)));
  }

  private PlacedOrder placeWhereTheBucketIs(SkuState state) {
    Sku sku = unit.ledger.skus.get(OTHER);
    unit.ledger.buckets =
        List.of(BucketRows.of(ended, 0, 100, 0, 0, 1, 1, state, sku.settings(), sku.saleNo()));
    return answer(unit.reservations.place(WISH, SkuEntry.OPEN));
  }

  @Test
  void shouldSayThatItIsNotOpenWhenABucketHasEnded() {
    // when
    PlacedOrder placed = placeWhereTheBucketIs(SkuState.ENDED);

    // then
    assertThat(((Refused) placed).refusal()).isEqualTo(Refusal.NOT_OPEN);
    assertThat(((Refused) placed).skuId()).isEqualTo(OTHER);
    assertThat(((Refused) placed).detail()).contains("SKU " + OTHER);
  }

  @Test
  void shouldNameTheSkuThatHasEndedWhenOthersAreOnSale() {
    // given
    is(SKU, SkuState.OPEN);
    is(OTHER, SkuState.ENDED);

    // when
    PlacedOrder placed = answer(unit.reservations.place(WISH, SkuEntry.OPEN));

    // then
    assertThat(((Refused) placed).refusal()).isEqualTo(Refusal.NOT_OPEN);
    assertThat(((Refused) placed).skuId()).isEqualTo(OTHER);
  }

  @Test
  void shouldBeBusyByThatLineWhenItsBucketHasNotEnded() {
    // when
    PlacedOrder placed = placeWhereTheBucketIs(SkuState.ENDING);

    // then
    assertThat(((Refused) placed).refusal()).isEqualTo(Refusal.BUSY);
    assertThat(((Refused) placed).skuId()).isEqualTo(OTHER);
  }

  @Test
  void shouldBeBusyByThatLineWhenTheLedgerIsDown() {
    // given
    placeWhereTheBucketIs(SkuState.ENDED);
    unit.ledger.down = true;

    // when
    PlacedOrder placed = answer(unit.reservations.place(WISH, SkuEntry.OPEN));

    // then
    assertThat(((Refused) placed).refusal()).isEqualTo(Refusal.BUSY);
    assertThat(((Refused) placed).skuId()).isEqualTo(OTHER);
  }

  @Test
  void shouldFindTheOrderWhenABucketHasEndedSinceItWasPaid() {
    // given
    unit.stock.carts =
        carts -> {
          Order order = Order.reserved(ScriptedStock.grant(carts.get(0)));
          unit.ledger.orders.put(order.token(), order.changed(OrderStatus.CONFIRMED, null, 20_000));
          return Future.succeededFuture(away(carts));
        };

    // when
    PlacedOrder placed = placeWhereTheBucketIs(SkuState.ENDED);

    // then
    assertThat(((Accepted) placed).order().status()).isEqualTo(OrderStatus.CONFIRMED);
    assertThat(((Accepted) placed).fresh()).isFalse();
  }

  private PlacedOrder placeWhereALineHasEnded(UnaryOperator<Order> order) {
    is(SKU, SkuState.OPEN);
    is(OTHER, SkuState.OPEN);
    unit.stock.carts =
        carts -> {
          Order known = order.apply(Order.reserved(ScriptedStock.grant(carts.get(0))));
          unit.ledger.orders.put(known.token(), known);
          GrantOutcome ended =
              new GrantOutcome.Refused(Refusal.ORDER_ENDED, GrantOutcome.Refused.NO_LINE);
          return Future.succeededFuture(ReserveReply.ofCarts(List.of(ended), Map.of(), ""));
        };
    return answer(unit.reservations.place(WISH, SkuEntry.OPEN));
  }

  /** It answered 409 order-ended, though it had answered 200 before. */
  @Test
  void shouldFindTheOrderWhenOneOfItsLinesWasRefunded() {
    // when
    PlacedOrder placed =
        placeWhereALineHasEnded(order -> order.changed(OrderStatus.CONFIRMED, null, 20_000));

    // then
    assertThat(((Accepted) placed).order().status()).isEqualTo(OrderStatus.CONFIRMED);
    assertThat(((Accepted) placed).fresh()).isFalse();
  }

  @Test
  void shouldSayThatTheOrderHasEndedWhenAllOfItWasRefunded() {
    // when
    PlacedOrder placed =
        placeWhereALineHasEnded(order -> order.changed(OrderStatus.REFUNDED, null, 20_000));

    // then
    assertThat(((Refused) placed).refusal()).isEqualTo(Refusal.ORDER_ENDED);
  }

  @Test
  void shouldLeaveItOpenWhenTheLedgerCannotSayWhetherTheOrderGoesOn() {
    // given
    unit.ledger.down = true;

    // when
    PlacedOrder placed =
        placeWhereALineHasEnded(order -> order.changed(OrderStatus.CONFIRMED, null, 20_000));

    // then
    assertThat(((Refused) placed).refusal()).isEqualTo(Refusal.UNAVAILABLE);
  }
}
