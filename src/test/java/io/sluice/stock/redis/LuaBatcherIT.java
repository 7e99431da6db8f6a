package io.sluice.stock.redis;

import static io.sluice.contract.StockUnderTest.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.sluice.config.RedisConfig;
import io.sluice.model.BucketId;
import io.sluice.stock.StockUnavailableException;
import io.vertx.core.Future;
import io.vertx.redis.client.Command;
import io.vertx.redis.client.Response;
import java.time.Duration;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Calls that share an EVALSHA on a real Redis. */
class LuaBatcherIT {
  private static final int TIMEOUT_MS = 1_000;
  private static final Duration SOON = Duration.ofSeconds(30);

  /** Index of this value in the reply of RESERVE. */
  private static final int AVAILABLE = 1;

  private static final int CLAIMED = 5;
  private static final BucketId BUCKET = new BucketId(System.nanoTime(), 0);

  private RedisUnderTest redis;
  private RedisNode unit;

  @BeforeEach
  void connect() {
    redis = new RedisUnderTest();
    RedisConfig config = RedisConfig.standalone(redis.backend().uri(), TIMEOUT_MS, 0, "");
    unit = new RedisNode(redis.vertx, new RedisConnector(redis.vertx, config), redis.meters);
    redis.loop.call(unit::start);
    await().atMost(SOON).until(unit::isUp);
  }

  @AfterEach
  void disconnect() {
    await(redis.loop.call(unit::close));
    redis.close();
  }

  @Test
  void shouldTellOfATimeOutOnTheCallersContextWhenRedisHangs() {
    // when
    List<Thread> told =
        redis
            .backend()
            .whileItHangs(
                () ->
                    await(
                        redis.loop.call(
                            () -> {
                              Thread caller = Thread.currentThread();
                              return RedisUnderTest.causeOf(unit.of(0).run(snapshot(BUCKET)))
                                  .map(late -> List.of(caller, Thread.currentThread()));
                            })));

    // then
    assertThat(told.get(1)).isSameAs(told.get(0));
  }

  @Test
  void shouldShareACallAndAnswerEachBucketItsOwnWhenOneIsBroken() {
    // given
    BucketId broken = new BucketId(BUCKET.skuId() + 1, 0);
    redis.send(Command.SET, StockKeys.of(0, broken).stock(), "not a hash");
    int before = calls();

    // when
    List<Throwable> failures =
        await(
            redis.loop.call(
                () ->
                    Future.join(
                            RedisUnderTest.causeOf(unit.of(0).run(snapshot(BUCKET))),
                            RedisUnderTest.causeOf(unit.of(0).run(snapshot(BUCKET))),
                            RedisUnderTest.causeOf(unit.of(0).run(snapshot(broken))),
                            RedisUnderTest.causeOf(unit.of(0).run(snapshot(BUCKET))))
                        .map(all -> all.list())));

    // then
    assertThat(failures.get(2))
        .isInstanceOf(StockUnavailableException.class)
        .hasMessageContaining("WRONGTYPE");
    assertThat(failures).filteredOn(failure -> failure == null).hasSize(3);
    assertThat(calls() - before).isEqualTo(2);
    redis.send(Command.DEL, StockKeys.of(0, broken).stock());
  }

  @Test
  void shouldGrantEachBucketItsOwnWhenTheyShareACall() {
    // given
    List<BucketId> buckets = List.of(load(10), load(11), load(12));

    // when
    List<Response> replies =
        await(
            redis.loop.call(
                () ->
                    Future.join(
                            List.of(
                                unit.of(0).run(reserve(buckets.get(0), "a")),
                                unit.of(0).run(reserve(buckets.get(1), "a")),
                                unit.of(0).run(reserve(buckets.get(2), "a", "b", "c")),
                                RedisUnderTest.causeOf(unit.of(0).run(reserve(buckets.get(0), ""))),
                                unit.of(0).run(reserve(buckets.get(0), "b", "c"))))
                        .map(
                            all ->
                                List.<Response>of(
                                    all.resultAt(1), all.resultAt(2), all.resultAt(4)))));

    // then
    assertThat(replies.stream().map(reply -> reply.get(AVAILABLE).toInteger()))
        .containsExactly(10, 9, 7);
    assertThat(replies.stream().map(reply -> reply.get(CLAIMED).toInteger()))
        .containsExactly(1, 3, 3);
    assertThat(redis.send(Command.HLEN, StockKeys.of(0, buckets.get(0)).reserve()).toInteger())
        .isEqualTo(3);
  }

  /** From Redis 7.0 on one call has both sections; a frame reads them once for all its calls. */
  @Test
  void shouldAskOnceWhichRedisItIsWhateverTheNumberOfBuckets() {
    // given
    List<BucketId> buckets = List.of(load(20), load(21), load(22));
    boolean both = !redis.send(Command.INFO, "server").toString().contains("redis_version:6.");
    int before = calls("info");

    // when
    await(
        redis.loop.call(
            () ->
                Future.join(
                    buckets.stream().map(each -> unit.of(0).run(reserve(each, "a"))).toList())));

    // then
    int ofEvals = both ? 2 : 4;
    assertThat(calls("info") - before - 1).as("in two EVALSHAs").isEqualTo(ofEvals);
  }

  /** The number of EVALSHAs so far. */
  private int calls() {
    return calls("evalsha");
  }

  private int calls(String command) {
    String stats = redis.send(Command.INFO, "commandstats").toString();
    Matcher calls = Pattern.compile("cmdstat_" + command + ":calls=(\\d+)").matcher(stats);
    return calls.find() ? Integer.parseInt(calls.group(1)) : 0;
  }

  /** Loads a bucket of this many units. */
  private BucketId load(int units) {
    BucketId bucket = new BucketId(BUCKET.skuId() + units, 0);
    String mark = run(LuaScript.FREEZE, bucket, "5", "1").get(1).toString();
    String total = String.valueOf(units);
    run(
        LuaScript.LOAD,
        bucket,
        "5",
        mark,
        "1",
        "0",
        "1",
        total,
        "OPEN",
        "0",
        "0",
        "0",
        "300",
        "",
        "0");
    run(LuaScript.OPEN, bucket, "5", mark);
    return bucket;
  }

  private Response run(LuaScript script, BucketId bucket, String... arguments) {
    return await(redis.loop.call(() -> unit.of(0).run(call(script, bucket, arguments))));
  }

  /** A call that reserves one unit for each of these users. */
  private static LuaCall reserve(BucketId bucket, String... users) {
    return call(
        LuaScript.RESERVE,
        bucket,
        Stream.of(
                Stream.of("0"),
                Stream.of(users).map(user -> "token-" + user),
                Stream.of(users),
                Stream.of(users).map(user -> "1"),
                Stream.of(users).map(user -> ""))
            .flatMap(part -> part)
            .toArray(String[]::new));
  }

  private static LuaCall call(LuaScript script, BucketId bucket, String... arguments) {
    LuaCall call = new LuaCall(script, StockKeys.of(0, bucket), arguments.length);
    Stream.of(arguments).forEach(call::add);
    return call;
  }

  private static LuaCall snapshot(BucketId bucket) {
    return new LuaCall(LuaScript.SNAPSHOT, StockKeys.of(0, bucket), 1).add(0);
  }
}
