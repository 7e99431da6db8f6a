package io.sluice.owner;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.ledger.Fence;
import io.sluice.model.BucketId;
import io.sluice.model.OrderToken;
import io.sluice.stock.BucketCode;
import io.sluice.stock.StockStore;
import io.sluice.testkit.Ports;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Locale;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class BookedTokensTest {
  private static final int MANY = 10_000;

  private final Redis redis = new Redis();
  private final Ownership ownership =
      new Ownership(new Fence(3, 5, 0), new KnownFences(), () -> {});
  private final BookedTokens unit =
      new BookedTokens(Ports.partly(StockStore.class, redis), ownership);

  /** A Redis whose answers the test gives, and that can be down. */
  static final class Redis {
    final Deque<Promise<BucketCode>> calls = new ArrayDeque<>();
    final List<OrderToken> booked = new ArrayList<>();
    final List<Long> terms = new ArrayList<>();
    final List<BucketId> buckets = new ArrayList<>();
    boolean away;

    Future<BucketCode> book(
        BucketId bucket, long term, StockStore.Stretch stretch, List<OrderToken> tokens) {
      buckets.add(bucket);
      terms.add(term);
      booked.addAll(tokens);
      if (away) {
        return Future.failedFuture("Redis is away");
      }
      Promise<BucketCode> call = Promise.promise();
      calls.add(call);
      return call.future();
    }
  }

  @Test
  void shouldCallOnceABucketWhenABatchHasSeveralTokensOfIt() {
    // when
    unit.add(List.of(token(1, 1), token(2, 1), token(1, 2)));

    // then
    assertThat(redis.buckets).containsExactly(new BucketId(1, 0), new BucketId(2, 0));
    assertThat(redis.booked).containsExactly(token(1, 1), token(1, 2), token(2, 1));
    assertThat(redis.terms).containsOnly(5L);
  }

  @Test
  void shouldHaveFewCallsUnderWayAndCallForAllWhenABatchIsSpreadWide() {
    // given
    unit.add(oneOfEach(MANY));
    int underWay = redis.calls.size();

    // when
    while (!redis.calls.isEmpty()) {
      redis.calls.remove().complete(BucketCode.OK);
    }

    // then
    assertThat(underWay).isEqualTo(BookedTokens.CALLS_MAX);
    assertThat(redis.booked).containsExactlyElementsOf(oneOfEach(MANY));
  }

  @Test
  void shouldGoOnWhenRedisIsAway() {
    // given
    redis.away = true;
    unit.add(oneOfEach(MANY));

    // when
    redis.away = false;
    unit.add(List.of(token(1, 1)));

    // then
    assertThat(redis.buckets).hasSize(MANY + 1);
    assertThat(redis.calls).hasSize(1);
  }

  @Test
  void shouldLeaveTheRestToTheSweepWhenMoreThanItsBoundWait() {
    // given
    int fits = BookedTokens.WAITING_MAX;
    unit.add(oneOfEach(BookedTokens.CALLS_MAX));
    unit.add(oneOfEach(fits));

    // when
    unit.add(List.of(token(fits + 1L, 1)));
    while (!redis.calls.isEmpty()) {
      redis.calls.remove().complete(BucketCode.OK);
    }

    // then
    assertThat(redis.booked).hasSize(BookedTokens.CALLS_MAX + fits);
  }

  @Test
  void shouldCallNoMoreWhenTheOwnershipIsLost() {
    // given
    unit.add(oneOfEach(MANY));
    ownership.lose();

    // when
    redis.calls.remove().complete(BucketCode.OK);

    // then
    assertThat(redis.buckets).hasSize(BookedTokens.CALLS_MAX);
  }

  private static List<OrderToken> oneOfEach(int skus) {
    return LongStream.rangeClosed(1, skus).mapToObj(sku -> token(sku, 1)).toList();
  }

  private static OrderToken token(long skuId, int number) {
    return OrderToken.parse(
            "%d.0.%22s"
                .formatted(skuId, Integer.toHexString(number).toUpperCase(Locale.ROOT))
                .replace(' ', '0'))
        .orElseThrow();
  }
}
