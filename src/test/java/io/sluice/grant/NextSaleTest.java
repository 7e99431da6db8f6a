package io.sluice.grant;

import static io.sluice.grant.Desk.answer;
import static io.sluice.grant.Desk.refusal;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.grant.OrderWish.Line;
import io.sluice.model.Order;
import io.sluice.model.Refusal;
import io.sluice.model.SkuState;
import io.sluice.order.OrderAnswer;
import io.sluice.order.OrderAnswer.Known;
import io.sluice.stock.Recorded;
import io.sluice.stock.StockStore.Request;
import io.vertx.core.Future;
import java.util.List;
import org.junit.jupiter.api.Test;

/** An instance that has seen a SKU end, and was not asked for it since, sells its next sale. */
class NextSaleTest extends CartPlacingScene {
  private Future<PlacedOrder> placeCart() {
    return place("alice", "k1", new Line(LEAD, 1), new Line(OTHER, 1));
  }

  @Test
  void shouldAskRedisForTheNextSaleWhenItIsKnownAsEnded() {
    // given
    put(LEAD, 1, "first", SkuState.ENDED);
    Refusal ended = refusal(unit.place("alice"));
    put(LEAD, 2, "next", SkuState.OPEN);

    // when
    unit.place("alice");

    // then
    assertThat(ended).isEqualTo(Refusal.NOT_OPEN);
    assertThat(unit.stock.last().requests()).extracting(Request::saleNo).containsExactly(2L);
  }

  @Test
  void shouldBeUnavailableWhenItCannotBeReadWhetherThereIsANextSale() {
    // given
    put(LEAD, 1, "first", SkuState.ENDED);
    unit.place("alice");
    unit.ledger.down = true;

    // when
    Future<PlacedOrder> placed = unit.place("alice");

    // then
    assertThat(refusal(placed)).isEqualTo(Refusal.UNAVAILABLE);
  }

  @Test
  void shouldSayThatThereIsNoSuchSkuWhenItIsKnownAsEndedAndWasDeleted() {
    // given
    put(LEAD, 1, "first", SkuState.ENDED);
    Refusal ended = refusal(unit.place("alice"));
    unit.ledger.remove(LEAD);

    // when
    Refusal deleted = refusal(unit.place("alice"));

    // then
    assertThat(List.of(ended, deleted)).containsExactly(Refusal.NOT_OPEN, Refusal.UNKNOWN_SKU);
  }

  /** Another instance has granted it, in the same second. */
  @Test
  void shouldFindAnOrderOfTheNextSaleAtOnceWhereTheFormerIsKnown() {
    // given
    put(LEAD, 1, "first", SkuState.ENDED);
    unit.place("alice");
    put(LEAD, 2, "next", SkuState.OPEN);
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
    put(OTHER, 1, "first", SkuState.ENDED);
    put(LEAD, 2, "next", SkuState.OPEN);
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
    put(LEAD, 1, "first", SkuState.OPEN);
    put(OTHER, 1, "other", SkuState.OPEN);
    unit.time.advanceMs(SECOND_MS);

    // when
    List<Refusal> refusals = List.of(refusal(placeCart()), refusal(placeCart()));

    // then
    assertThat(refusals).containsOnly(Refusal.NOT_TOGETHER);
    assertThat(unit.ledger.skuQueries).hasSizeLessThanOrEqualTo(2);
  }
}
