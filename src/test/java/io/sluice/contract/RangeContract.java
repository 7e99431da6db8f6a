package io.sluice.contract;

import static io.sluice.contract.StockUnderTest.EPOCH;
import static io.sluice.contract.StockUnderTest.TERM;
import static io.sluice.contract.StockUnderTest.VERSION;
import static io.sluice.contract.StockUnderTest.request;
import static io.sluice.contract.StockUnderTest.token;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.model.BucketId;
import io.sluice.model.OrderToken;
import io.sluice.stock.BucketCode;
import io.sluice.stock.GrantOutcome.Granted;
import io.sluice.stock.ReserveReply;
import io.sluice.stock.StockStore;
import io.sluice.stock.StockStore.Line;
import io.sluice.stock.StockStore.Request;
import io.sluice.stock.StockStore.Take;
import io.vertx.core.Future;
import java.util.Collections;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What is just in range is done; a call that is not fails, and changes nothing. */
interface RangeContract extends CartScene {

  @Test
  default void shouldDecideAllWhenTheBatchIsFull() {
    // given
    BucketId bucket = unit().openBucket(500);
    var requests = IntStream.range(0, StockStore.BATCH_MAX).mapToObj(i -> request(bucket, i, 1));

    // when
    ReserveReply reply = unit().reserveReply(bucket, requests.toArray(Request[]::new));

    // then
    assertThat(reply.outcomes()).filteredOn(Granted.class::isInstance).hasSize(500);
    assertThat(reply.outcomes().subList(500, 512)).containsOnly(ReserveContract.SOLD_OUT);
    assertThat(((Granted) reply.outcomes().get(499)).grant().seq()).isEqualTo(500);
    assertThat(unit().snapshot(bucket).unbookedCount()).isEqualTo(500);
  }

  @Test
  default void shouldFailAndChangeNothingWhenACallIsOutOfRange() {
    // given
    StockStore store = unit().store();
    BucketId bucket = unit().openBucket(10_000);
    BucketId other = unit().openBucket(10_000);
    BucketId absent = unit().absentBucket();
    Request one = request(bucket, 1, 1);
    Request cart = cart(1, BUYER, bucket, 1, other, 1);
    Request ofASale = new Request(token(bucket, 2), BUYER, 1, null, 1);
    Request ofTwoSales =
        Request.ofLines(
            cart.token(), BUYER, null, List.of(new Line(bucket, 1, 0), new Line(other, 1, 3)));
    List<OrderToken> tokens =
        IntStream.rangeClosed(0, StockStore.SNAPSHOT_TOKENS_MAX)
            .mapToObj(i -> token(bucket, i))
            .toList();

    // when
    List<Future<?>> notSent =
        List.of(
            store.reserve(bucket, List.of()),
            store.reserve(bucket, Collections.nCopies(StockStore.BATCH_MAX + 1, one)),
            store.reserve(bucket, List.of(one, ofASale)),
            store.overdue(bucket, 0, StockStore.UNBOOKED_MAX + 1),
            store.overdue(bucket, 0, 0),
            store.snapshot(bucket, List.of(), StockStore.UNBOOKED_MAX + 1),
            store.snapshot(bucket, List.of(), -1),
            store.snapshot(bucket, tokens, 0),
            store.tokens(bucket, StockStore.FIRST_PAGE, 0),
            store.tokens(bucket, StockStore.FIRST_PAGE, StockStore.TOKENS_MAX + 1));
    List<Future<?>> refused =
        List.of(
            store.reserve(bucket, List.of(one, request(bucket, 2, 0))),
            store.reserve(bucket, List.of(one, request(bucket, 2, -1))),
            store.reserve(bucket, List.of(one, request(bucket, 2, 1_001))),
            store.reserveCarts(List.of()),
            store.reserveCarts(Collections.nCopies(StockStore.CARTS_MAX + 1, cart)),
            store.reserveCarts(List.of(cart, ofTwoSales)),
            store.reserveCarts(List.of(cart(1, BUYER, bucket, 1))),
            store.reserveCarts(List.of(cart(1, BUYER, bucket, 1, bucket, 1))),
            store.reserveCarts(List.of(cart(1, BUYER, bucket, 1, other, 0))),
            store.reserveCarts(List.of(cart(1, BUYER, bucket, 1_001, other, 1))),
            store.take(bucket, TERM, new Take(7, EPOCH, VERSION, 0)),
            store.take(bucket, TERM, new Take(0, EPOCH, VERSION, 1)),
            store.take(bucket, TERM, new Take(7, 0, VERSION, 1)),
            store.take(bucket, 0, new Take(7, EPOCH, VERSION, 1)),
            store.freeze(absent, 0));

    // then
    assertThat(notSent.stream().map(StockUnderTest::failure))
        .hasOnlyElementsOfType(IllegalArgumentException.class);
    assertThat(refused.stream().map(StockUnderTest::failure)).doesNotContainNull();
    expectUntouched(bucket);
    assertThat(unit().snapshot(bucket).total()).isEqualTo(10_000);
    assertThat(unit().recorded(one.token())).isNull();
    assertThat(unit().snapshot(absent).code()).isEqualTo(BucketCode.ABSENT);
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 1_000})
  default void shouldGrantWhenAQuantityIsJustInRange(int qty) {
    // given
    BucketId bucket = unit().openBucket(1_000);

    // when
    ReserveReply reply = unit().reserveReply(bucket, request(bucket, 1, qty));

    // then
    assertThat(reply.outcomes().get(0)).isInstanceOf(Granted.class);
    assertThat(reply.available()).isEqualTo(1_000 - qty);
  }
}
