package io.sluice.contract;

import static io.sluice.contract.StockUnderTest.EPOCH;
import static io.sluice.contract.StockUnderTest.FREE_FOR_ALL;
import static io.sluice.contract.StockUnderTest.TERM;
import static io.sluice.contract.StockUnderTest.VERSION;
import static io.sluice.contract.StockUnderTest.await;
import static io.sluice.contract.StockUnderTest.request;
import static io.sluice.contract.StockUnderTest.token;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.model.BucketId;
import io.sluice.model.Grant;
import io.sluice.model.SkuState;
import io.sluice.stock.BucketCode;
import io.sluice.stock.GrantOutcome.Away;
import io.sluice.stock.Recorded;
import io.sluice.stock.ReserveReply;
import io.sluice.stock.StockStore;
import io.sluice.stock.StockStore.BucketTotal;
import io.sluice.stock.StockStore.Lookup;
import io.sluice.stock.StockStore.Overdue;
import io.sluice.stock.StockStore.Release;
import io.sluice.stock.StockStore.Take;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.junit.jupiter.api.Test;

/** A bucket that cannot be trusted: each call but those of a rebuild says so, and does nothing. */
interface AwayContract extends CartScene {
  /** What is asked of a bucket, with the code of the answer. */
  default Map<String, Function<BucketId, BucketCode>> calls() {
    StockStore store = unit().store();
    Map<String, Function<BucketId, BucketCode>> calls = new LinkedHashMap<>();
    calls.put("reserve", this::reserve);
    calls.put("reserve carts", this::reserveCart);
    calls.put("sold out", bucket -> await(store.soldOut(bucket)).code());
    calls.put("snapshot", bucket -> unit().snapshot(bucket).code());
    calls.put("tokens", bucket -> await(store.tokens(bucket, StockStore.FIRST_PAGE, 10)).code());
    calls.put("lookup", this::lookUp);
    calls.put(
        "release",
        bucket ->
            await(
                store.release(
                    bucket, TERM + 1, List.of(new Release(token(bucket, 1), EPOCH, 1, 0)))));
    calls.put(
        "restock",
        bucket ->
            await(
                store.restock(
                    bucket,
                    TERM + 1,
                    new BucketTotal(VERSION + 1, 60, SkuState.OPEN, FREE_FOR_ALL))));
    calls.put(
        "take", bucket -> await(store.take(bucket, TERM + 1, new Take(7, EPOCH, VERSION, 1))));
    return calls;
  }

  private BucketCode reserve(BucketId bucket) {
    ReserveReply reply = unit().reserveReply(bucket, request(bucket, 2, 1));
    assertThat(reply.outcomes()).isEmpty();
    return reply.code();
  }

  private BucketCode reserveCart(BucketId bucket) {
    BucketId open = unit().openBucket(10);
    ReserveReply reply = reserve(cart(1, BUYER, open, 1, bucket, 1));
    BucketCode code = reply.buckets().get(bucket).code();
    assertThat(reply.outcomes()).containsExactly(new Away(code, bucket));
    expectUntouched(open);
    return code;
  }

  private BucketCode lookUp(BucketId bucket) {
    Lookup found = await(unit().store().lookup(bucket, List.of(token(bucket, 1))));
    assertThat(found.recorded()).isEmpty();
    return found.code();
  }

  @Test
  default void shouldSayThatItIsAwayAndChangeNothing() {
    // given
    BucketId lost = unit().openBucket(9);
    Grant grant = unit().grant(lost, request(lost, 1, 1));
    unit().book(grant);
    unit().lose(lost);
    BucketId loading = unit().loadingBucket(9);
    BucketId lostWhileLoading = unit().loadingBucket(9);
    unit().lose(lostWhileLoading);
    Map<BucketId, BucketCode> codes =
        Map.of(
            unit().absentBucket(),
            BucketCode.ABSENT,
            lost,
            BucketCode.LOST,
            loading,
            BucketCode.LOADING,
            lostWhileLoading,
            BucketCode.LOST);

    // when
    calls()
        .forEach(
            (call, asked) ->
                codes.forEach(
                    (bucket, code) -> assertThat(asked.apply(bucket)).as(call).isEqualTo(code)));

    // then
    codes.forEach(
        (bucket, code) ->
            assertThat(await(unit().store().overdue(bucket, 0, 10)))
                .isEqualTo(new Overdue(code, List.of())));
    unit().find(lost);
    assertThat(unit().snapshot(lost))
        .extracting("total", "claimed", "released", "version", "term")
        .containsExactly(9L, 1L, 0L, VERSION, TERM);
    assertThat(unit().recorded(grant.token())).isEqualTo(new Recorded(grant, true, false));
    assertThat(unit().recorded(token(lost, 2))).isNull();
    assertThat(unit().snapshot(loading))
        .extracting("total", "version", "term")
        .containsExactly(9L, VERSION, TERM);
  }
}
