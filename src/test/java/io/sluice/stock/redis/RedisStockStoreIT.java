package io.sluice.stock.redis;

import static io.sluice.contract.StockUnderTest.await;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.contract.StockStoreContract;
import io.sluice.contract.StockUnderTest;
import io.sluice.model.BucketId;
import io.sluice.model.Grant;
import io.sluice.model.Grants;
import io.sluice.model.OrderToken;
import io.sluice.model.SkuSettings;
import io.sluice.model.SkuState;
import io.sluice.stock.BucketCode;
import io.sluice.stock.GrantOutcome;
import io.sluice.stock.OpenBuckets;
import io.sluice.stock.Recorded;
import io.sluice.stock.ReserveReply;
import io.sluice.stock.StockStore;
import io.sluice.stock.StockStore.BucketTotal;
import io.sluice.stock.StockStore.Frozen;
import io.sluice.stock.StockStore.LoadHead;
import io.sluice.stock.StockStore.Release;
import io.sluice.stock.StockStore.Request;
import io.vertx.redis.client.Command;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

class RedisStockStoreIT extends StockStoreContract {
  private static final SkuSettings FREE_FOR_ALL = new SkuSettings(300, 0, 0, 0);

  private static RedisUnderTest redis;
  private static RedisStock connection;
  private static StockStore store;

  @BeforeAll
  static void connect() {
    redis = new RedisUnderTest();
    connection = new RedisStock(redis.vertx, redis.connector(), redis.meters);
    store = connection.at(0);
    await(redis.loop.call(connection::start));
  }

  @AfterAll
  static void disconnect() {
    await(redis.loop.call(connection::close));
    redis.close();
  }

  @Override
  public StockUnderTest unit() {
    return new StockUnderTest(redis.loop.wrap(store), redis::writeHistory, redis::vanish);
  }

  @Test
  void shouldForgetABuyerWhoHoldsNothing() {
    // given
    StockStore stock = redis.loop.wrap(store);
    BucketId bucket = new BucketId(System.nanoTime(), 0);
    String mark = await(stock.freeze(bucket, 1)).mark();
    BucketTotal ceiling = new BucketTotal(1, 10, SkuState.OPEN, new SkuSettings(300, 2, 0, 0));
    OrderToken token = OpenBuckets.token(bucket, 'a');
    Grant grant = Grants.of(token, "alice", 2, 2, 1, 1, 1);
    Release release = new Release(token, 1, 2, 0);
    await(stock.load(bucket, 1, mark, new LoadHead(1, 2, ceiling, 0)));
    await(stock.loadPage(bucket, 1, mark, List.of(new Recorded(grant, true, false))));
    await(stock.open(bucket, 1, mark));
    String before = buyers(bucket);

    // when
    await(stock.release(bucket, 1, List.of(release)));

    // then
    assertThat(before).contains("alice");
    assertThat(buyers(bucket)).doesNotContain("alice");
  }

  /**
   * Grants with a timestamp an hour ahead, as they are when Redis' clock is set back after them.
   */
  @Test
  void shouldFindGrantsOverdueWhenTheClockWasSetBack() {
    // given
    StockStore stock = redis.loop.wrap(store);
    BucketId bucket = open(10);
    List<OrderToken> tokens =
        List.of(
            OpenBuckets.token(bucket, 'a'),
            OpenBuckets.token(bucket, 'b'),
            OpenBuckets.token(bucket, 'c'));
    for (OrderToken token : tokens) {
      await(stock.reserve(bucket, List.of(new Request(token, "user-" + token.value(), 1))));
    }
    long nowMs = await(stock.nowMs());
    byte[] unbooked = StockKeys.of(0, bucket).unbooked();
    redis.send(Command.ZADD, unbooked, nowMs + 3_600_000, tokens.get(0).value());
    redis.send(Command.ZADD, unbooked, nowMs - 5_000, tokens.get(1).value());

    // when
    var overdue = await(stock.overdue(bucket, 4_000, 10)).grants();
    var first = await(stock.overdue(bucket, 4_000, 1)).grants();

    // then
    assertThat(overdue).extracting(Grant::token).containsExactly(tokens.get(1), tokens.get(0));
    assertThat(first).extracting(Grant::token).containsExactly(tokens.get(1));
    assertThat(await(stock.snapshot(bucket, List.of(), 0)).nowMs())
        .isBetween(nowMs, nowMs + 60_000);
  }

  @Test
  void shouldNotKnowABucketThatIsInAnotherPartition() {
    // given
    BucketId bucket = open(10);
    StockStore elsewhere = redis.loop.wrap(connection.at(1));
    List<Request> wanted = List.of(OpenBuckets.request(bucket, 'a', 1));

    // when
    ReserveReply there = await(elsewhere.reserve(bucket, wanted));

    // then
    assertThat(there.code()).isEqualTo(BucketCode.ABSENT);
    assertThat(await(redis.loop.wrap(store).reserve(bucket, wanted)).code())
        .isEqualTo(BucketCode.OK);
  }

  /** One EVALSHA on one Redis, whatever the partitions. */
  @Test
  void shouldServeBucketsOfDifferentPartitionsTogether() {
    // given
    BucketId bucket = new BucketId(System.nanoTime(), 0);

    // when
    List<Frozen> frozen =
        IntStream.range(0, 4)
            .mapToObj(
                partition -> redis.loop.call(() -> connection.at(partition).freeze(bucket, 1)))
            .toList()
            .stream()
            .map(StockUnderTest::await)
            .toList();

    // then
    assertThat(frozen).extracting(Frozen::code).containsOnly(BucketCode.OK);
    assertThat(frozen).extracting(Frozen::epoch).containsOnly(0L);
  }

  private static BucketId open(long units) {
    BucketId bucket = new BucketId(System.nanoTime(), 0);
    await(OpenBuckets.open(redis.loop.wrap(store), bucket, units, FREE_FOR_ALL));
    return bucket;
  }

  @Test
  void shouldGrantAtOnceWhenTheClockWasSetBackWhileTheBucketWasSoldOut() {
    // given
    StockStore stock = redis.loop.wrap(store);
    BucketId bucket = open(0);
    List<Request> wanted = List.of(OpenBuckets.request(bucket, 'a', 1));
    int soldOutMs = await(stock.reserve(bucket, wanted)).soldOutMs();
    await(stock.restock(bucket, 1, new BucketTotal(2, 1, SkuState.OPEN, FREE_FOR_ALL)));

    // when: a clock set back by an hour finds values that were written an hour ahead of it
    redis.send(Command.HINCRBY, StockKeys.of(0, bucket).stock(), "sold_out_until", 3_600_000);
    ReserveReply reply = await(stock.reserve(bucket, wanted));

    // then
    assertThat(soldOutMs).isEqualTo(StockStore.SOLD_OUT_MAX_MS);
    assertThat(reply.outcomes().get(0)).isInstanceOf(GrantOutcome.Granted.class);
    assertThat(reply.soldOutMs()).isZero();
  }

  private static String buyers(BucketId bucket) {
    return redis.send(Command.HGETALL, StockKeys.of(0, bucket).buyers()).toString();
  }
}
