package io.sluice.grant;

import static io.sluice.grant.Desk.SKU;
import static io.sluice.grant.Desk.answer;
import static io.sluice.grant.Desk.refusal;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.ledger.SaleLedger.NewSale;
import io.sluice.ledger.SaleLedger.Seen;
import io.sluice.ledger.rules.SaleRules;
import io.sluice.model.Order;
import io.sluice.model.Refusal;
import io.sluice.model.Sale.SaleTerms;
import io.sluice.model.Sku;
import io.sluice.model.Sku.Membership;
import io.sluice.model.SkuState;
import io.sluice.order.OrderAnswer;
import io.sluice.order.OrderAnswer.Known;
import io.sluice.stock.Recorded;
import io.sluice.stock.StockStore.Request;
import io.vertx.core.Future;
import java.util.List;
import org.junit.jupiter.api.Test;

/** An instance that has seen a SKU end, and was not asked for it since, sells its next sale. */
class NextSaleTest {
  private static final long OTHER = SKU + 1;
  private static final long SECOND_MS = 1_000;

  private final Desk unit = new Desk();

  private void put(long skuId, long saleNo, String saleId, SkuState state) {
    Sku sku = unit.ledger.skus.get(skuId);
    unit.ledger.skus.put(
        skuId, sku.with(sku.settings(), state, state, new Membership(saleNo, saleId, false, 1, 0)));
    NewSale sale = new NewSale(saleId, saleId, true, new SaleTerms(0, 0, 300, false), List.of());
    unit.sales.put(saleId, new Seen(SaleRules.create(sale, 0), 0));
  }

  private Future<PlacedOrder> placeCart() {
    List<OrderWish.Line> lines = List.of(new OrderWish.Line(SKU, 1), new OrderWish.Line(OTHER, 1));
    return unit.reservations.place(new OrderWish("alice", lines, "k1", null, false), SkuEntry.OPEN);
  }

  @Test
  void shouldAskRedisForTheNextSaleWhenItIsKnownAsEnded() {
    // given
    put(SKU, 1, "first", SkuState.ENDED);
    Refusal ended = refusal(unit.place("alice"));
    put(SKU, 2, "next", SkuState.OPEN);

    // when
    unit.place("alice");

    // then
    assertThat(ended).isEqualTo(Refusal.NOT_OPEN);
    assertThat(unit.stock.last().requests()).extracting(Request::saleNo).containsExactly(2L);
  }

  @Test
  void shouldBeUnavailableWhenItCannotBeReadWhetherThereIsANextSale() {
    // given
    put(SKU, 1, "first", SkuState.ENDED);
    unit.place("alice");
    unit.ledger.down = true;

    // when
    Future<PlacedOrder> placed = unit.place("alice");

    // then
    assertThat(refusal(placed)).isEqualTo(Refusal.UNAVAILABLE);
  }

  /** Another instance has granted it, in the same second. */
  @Test
  void shouldFindAnOrderOfTheNextSaleAtOnceWhereTheFormerIsKnown() {
    // given
    put(SKU, 1, "first", SkuState.ENDED);
    unit.place("alice");
    put(SKU, 2, "next", SkuState.OPEN);
    unit.stock.recorded.put(unit.token("alice"), new Recorded(unit.grant("alice"), true, true));

    // when
    Future<OrderAnswer> found = unit.orders.find(unit.token("alice"), order -> true);

    // then
    assertThat(answer(found)).isEqualTo(new Known(Order.reserved(unit.grant("alice"))));
  }

  /** One of them was ordered alone in the next sale: they are known in two sales. */
  @Test
  void shouldTakeThemTogetherInTheNextSaleWhenOneIsKnownInTheFormer() {
    // given
    unit.ledger.add(OTHER, 1);
    put(OTHER, 1, "first", SkuState.ENDED);
    put(SKU, 2, "next", SkuState.OPEN);
    Refusal before = refusal(placeCart());
    put(OTHER, 2, "next", SkuState.OPEN);
    unit.time.advanceMs(SECOND_MS);

    // when
    Future<PlacedOrder> placed = placeCart();

    // then
    assertThat(before).isEqualTo(Refusal.NOT_TOGETHER);
    assertThat(placed.isComplete() && refusal(placed) == Refusal.NOT_TOGETHER).isFalse();
  }

  @Test
  void shouldRefuseThemTogetherAfterOneLookWhenTheyAreInTwoSales() {
    // given
    unit.ledger.add(OTHER, 1);
    put(SKU, 1, "first", SkuState.OPEN);
    put(OTHER, 1, "other", SkuState.OPEN);
    unit.time.advanceMs(SECOND_MS);

    // when
    List<Refusal> refusals = List.of(refusal(placeCart()), refusal(placeCart()));

    // then
    assertThat(refusals).containsOnly(Refusal.NOT_TOGETHER);
    assertThat(unit.ledger.skuQueries).hasSizeLessThanOrEqualTo(2);
  }
}
