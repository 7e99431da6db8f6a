package io.sluice.grant;

import static io.sluice.grant.Desk.accepted;
import static io.sluice.grant.Desk.refusal;
import static io.sluice.grant.Desk.refused;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.grant.OrderWish.Line;
import io.sluice.model.BucketId;
import io.sluice.model.Grant;
import io.sluice.model.Order;
import io.sluice.model.Refusal;
import io.sluice.stock.BucketCode;
import io.sluice.stock.GrantOutcome;
import io.sluice.stock.StockStore;
import io.vertx.core.Future;
import java.util.List;
import java.util.Map;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What becomes of requests for several SKUs that share a call to Redis. */
class CartBatchingTest extends CartPlacingScene {

  // ---- one request

  @ParameterizedTest
  @CsvSource({"BUSY, 2", "NOT_OPEN, 0", "LIMIT_REACHED, 0", "SOLD_OUT, 0"})
  void shouldNameTheLineThatRedisRefuses(Refusal refusal, int retryAfterS) {
    // given
    Future<PlacedOrder> placed = place("alice");

    // when
    last().refuseAll(refusal, 1);

    // then
    assertThat(refusal(placed)).isEqualTo(refusal);
    assertThat(refused(placed).skuId()).isEqualTo(OTHER);
    assertThat(refused(placed).retryAfterS()).isEqualTo(retryAfterS);
    assertThat(unit.log.appends).isEmpty();
  }

  /** Lines that are missing may be on their way: nobody may hear that they are gone. */
  @Test
  void shouldBeBusyWhenSomeOfItsLinesAreRecorded() {
    // given
    Future<PlacedOrder> placed = place("alice");
    unit.time.advanceMs(SECOND_MS);
    unit.ledger.skuReads.clear();

    // when
    last().reply(0, cart -> new GrantOutcome.Torn());

    // then
    assertThat(refused(placed)).isEqualTo(Refusals.TORN);
    assertThat(refusal(placed)).isEqualTo(Refusal.BUSY);
    assertThat(refused(placed).retryAfterS()).isEqualTo(2);
    assertThat(unit.ledger.skuReads).isEmpty();
    assertThat(unit.log.appends).isEmpty();
  }

  /** A bucket that is being restored; and what contradicts, so that the SKU is read again. */
  @ParameterizedTest
  @CsvSource({"LOST, false", "LOADING, false", "ABSENT, true", "OTHER_SALE, true"})
  void shouldBeBusyByThatLineWhenItsBucketIsAway(BucketCode code, boolean readsAgain) {
    // given
    Future<PlacedOrder> placed = place("alice");
    unit.time.advanceMs(SECOND_MS);
    unit.ledger.skuReads.clear();

    // when
    last().reply(0, cart -> new GrantOutcome.Away(code, new BucketId(OTHER, 0)));

    // then
    assertThat(refusal(placed)).isEqualTo(Refusal.BUSY);
    assertThat(refused(placed).skuId()).isEqualTo(OTHER);
    assertThat(unit.ledger.skuReads).isEqualTo(readsAgain ? List.of(OTHER) : List.of());
  }

  @Test
  void shouldAskInTheNextSaleWhenRedisHasTheSkuInIt() {
    // given
    place("alice");
    sell(SALE, 2, OTHER, 1, PARTITION);
    unit.time.advanceMs(SECOND_MS);
    last().reply(0, cart -> new GrantOutcome.Away(BucketCode.OTHER_SALE, new BucketId(OTHER, 0)));

    // when
    place("alice");

    // then
    assertThat(last().only().lines()).extracting(StockStore.Line::saleNo).containsExactly(1L, 2L);
  }

  // ---- several requests

  @Test
  void shouldAnswerEachOfItsOwnSaleWhenTwoSalesShareACall() {
    // given
    sell("books", 1, 2_001, 1, PARTITION);
    sell("books", 1, 2_002, 1, PARTITION);
    place("first");
    Future<PlacedOrder> phones = place("alice");
    Future<PlacedOrder> books = place("bob", null, new Line(2_001, 1), new Line(2_002, 3));
    last().grantAll();
    Grant granted = ScriptedStock.grant(last().requests().get(0));

    // when
    last()
        .answer(
            List.of(
                new GrantOutcome.Granted(granted),
                new GrantOutcome.Refused(Refusal.LIMIT_REACHED, 1)),
            Map.of());
    unit.log.ackAll();

    // then
    assertThat(last().userIds()).containsExactly("alice", "bob");
    assertThat(accepted(phones).order()).isEqualTo(Order.reserved(granted));
    assertThat(refusal(books)).isEqualTo(Refusal.LIMIT_REACHED);
    assertThat(refused(books).skuId()).isEqualTo(2_002);
    assertThat(refused(books).detail()).contains("3 units");
  }

  /** A call believes each bucket in one sale. */
  @Test
  void shouldBeBusyInTheFormerSaleWhenASkuOfTheNextOneSharesTheCall() {
    // given
    place("first");
    Future<PlacedOrder> former = place("alice");
    sell("next", 2, LEAD, 1, PARTITION);
    sell("next", 2, OTHER, 1, PARTITION);
    unit.time.advanceMs(SECOND_MS);
    unit.catalog.doubt(LEAD);
    unit.catalog.doubt(OTHER);
    place("bob");

    // when
    last().grantAll();

    // then
    assertThat(refusal(former)).isEqualTo(Refusal.BUSY);
    assertThat(last().userIds()).containsExactly("bob");
    assertThat(last().only().lines()).extracting(StockStore.Line::saleNo).containsOnly(2L);
  }

  @Test
  void shouldKeepTheBucketsOfACallBoundedWhenManyLinesWait() {
    // given
    long[] skuIds = LongStream.range(LEAD, LEAD + 20).toArray();
    LongStream.of(skuIds).forEach(skuId -> sell(skuId, 1));
    Line[] lines = LongStream.of(skuIds).mapToObj(id -> new Line(id, 1)).toArray(Line[]::new);
    for (int i = 0; i < 1 + 26; i++) {
      place("buyer" + i, null, lines);
    }

    // when
    calls.get(0).grantAll();
    calls.get(1).grantAll();
    unit.log.ackAll();

    // then
    assertThat(calls).extracting(call -> call.requests().size()).containsExactly(1, 25, 1);
  }
}
