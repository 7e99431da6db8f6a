package io.sluice.grant;

import static io.sluice.grant.Desk.refusal;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.model.Refusal;
import io.sluice.stock.BucketCode;
import io.sluice.stock.GrantOutcome;
import io.sluice.stock.ReserveReply.Contents;
import io.sluice.stock.StockStore;
import io.sluice.stock.StockStore.TokenPage;
import io.vertx.core.Future;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What a buyer hears while the event loop may say "sold out" by itself. */
class LeasedSkuTest {
  private static final Contents HELD = new Contents(1, 5, 0);

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
    desk.reservations.place(Desk.wish("dave", skuId, 1, null), SkuEntry.OPEN);
    desk.stock.last().soldOut(HELD, StockStore.SOLD_OUT_MAX_MS);
  }
}
