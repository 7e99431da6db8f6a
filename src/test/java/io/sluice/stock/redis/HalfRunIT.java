package io.sluice.stock.redis;

import static io.sluice.contract.StockUnderTest.await;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.model.BucketId;
import io.sluice.model.Grant;
import io.sluice.model.OrderToken;
import io.sluice.model.SkuSettings;
import io.sluice.model.SkuState;
import io.sluice.stock.BucketCode;
import io.sluice.stock.GrantOutcome;
import io.sluice.stock.OpenBuckets;
import io.sluice.stock.Recorded;
import io.sluice.stock.StockStore;
import io.sluice.stock.StockStore.BucketTotal;
import io.sluice.stock.StockStore.LoadHead;
import io.sluice.stock.StockStore.Release;
import io.sluice.stock.StockStore.Request;
import io.sluice.stock.StockStore.Snapshot;
import io.sluice.stock.StockStore.Stretch;
import io.sluice.stock.StockStore.Take;
import io.vertx.core.Future;
import io.vertx.redis.client.Command;
import io.vertx.redis.client.Response;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Redis does not undo a script that ends half-way. Each script is stopped before each of its writes
 * in turn, and then repeated: no unit is granted twice, nobody hears a yes of which nothing is
 * left, and what is stranded shows when Redis is compared with the ledger.
 */
class HalfRunIT {
  private static final int UNITS = 10;
  private static final int WRITES_MAX = 20;
  private static final SkuSettings UP_TO_TWO = new SkuSettings(300, 2, 0, 0);
  private static final SkuSettings NO_LIMIT = new SkuSettings(300, 0, 0, 0);
  private static final Stretch BOOKED = new Stretch(0, 7);
  private static final AtomicLong NEXT_SKU = new AtomicLong(System.nanoTime());

  /** Ends a script before its nth write, as a Redis that refuses it does. */
  private static final String STOPPING =
      """
      local stop_at, writes = %d, 0
      local WRITES = {HSET = 1, HSETNX = 1, HDEL = 1, HINCRBY = 1, ZADD = 1, ZREM = 1, UNLINK = 1}
      local function may_stop(command, ...)
        if WRITES[command] then
          writes = writes + 1
          if writes == stop_at then error({err = 'NOPERM this write is denied'}) end
        end
        return redis.call(command, ...)
      end
      """;

  private static RedisUnderTest redis;
  private static RedisNode runner;
  private static StockStore stock;

  /** Which write of which script is denied; null: none. */
  private static LuaScript stopped;

  private static int stopAt;

  /** The units of live orders that the ledger has. */
  private final Map<OrderToken, Integer> ledger = new HashMap<>();

  @BeforeAll
  static void connect() {
    redis = new RedisUnderTest();
    runner = new RedisNode(redis.vertx, redis.connector(), redis.meters);
    await(redis.loop.call(runner::start));
    RedisNode.Lane stopping =
        runner.new Lane(0) {
          @Override
          Future<Response> run(LuaCall call) {
            return call.script() == stopped ? halfRun(call) : super.run(call);
          }
        };
    stock = redis.loop.wrap(new RedisStockStore(() -> stopping, new AtomicLong(), 0));
  }

  @AfterAll
  static void disconnect() {
    await(redis.loop.call(runner::close));
    redis.close();
  }

  @BeforeEach
  void nothingIsDenied() {
    stopped = null;
  }

  private static Future<Response> halfRun(LuaCall call) {
    var whole = LuaCall.eval(List.of(call));
    String source =
        STOPPING.formatted(stopAt)
            + new String(call.script().source(), UTF_8).replace("redis.call(", "may_stop(");
    // The text is the first argument.
    var again = io.vertx.redis.client.Request.cmd(Command.EVAL);
    List<byte[]> arguments = ((io.vertx.redis.client.impl.RequestImpl) whole).getArgs();
    again.arg(source.getBytes(UTF_8));
    arguments.stream().skip(1).forEach(again::arg);
    return runner
        .send(again)
        .compose(
            replies ->
                replies.get(0) instanceof Throwable denied
                    ? Future.failedFuture(denied)
                    : Future.succeededFuture(replies.get(0)));
  }

  /** Whether the call was stopped before its nth write; else it had fewer. */
  private static boolean isStopped(LuaScript script, int write, Supplier<Future<?>> call) {
    stopped = script;
    stopAt = write;
    boolean failed = await(call.get().transform(done -> Future.succeededFuture(done.failed())));
    stopped = null;
    return failed;
  }

  @Test
  void shouldGrantNoUnitTwiceWhenAGrantIsStoppedHalfWay() {
    int writes = 0;
    for (int write = 1; write < WRITES_MAX; write++) {
      // given
      ledger.clear();
      BucketId bucket = opened(UP_TO_TWO);
      List<Request> two =
          List.of(OpenBuckets.request(bucket, 'a', 1), OpenBuckets.request(bucket, 'b', 2));

      // when
      boolean wasStopped = isStopped(LuaScript.RESERVE, write, () -> stock.reserve(bucket, two));
      List<Grant> granted = granted(bucket, two);
      granted.addAll(granted(bucket, List.of(OpenBuckets.request(bucket, 'c', 1))));

      // then
      assertSound(bucket, granted, "reserve, write " + write);
      writes += wasStopped ? 1 : 0;
    }
    assertThat(writes).isEqualTo(4);
  }

  @Test
  void shouldGrantNoCartTwiceWhenItIsStoppedHalfWay() {
    int writes = 0;
    for (int write = 1; write < WRITES_MAX; write++) {
      // given
      ledger.clear();
      BucketId one = opened(UP_TO_TWO);
      BucketId other = opened(UP_TO_TWO);
      StockStore.Request cart = cart(one, other, 'a');

      // when
      boolean wasStopped =
          isStopped(LuaScript.RESERVE_CARTS, write, () -> stock.reserveCarts(List.of(cart)));
      List<Grant> lines = new ArrayList<>(cartGranted(cart));
      lines.addAll(cartGranted(cart(one, other, 'b')));
      lines.addAll(granted(one, List.of(OpenBuckets.request(one, 'c', 1))));

      // then
      String where = "reserve_carts, write " + write;
      assertSound(one, of(one, lines), where);
      assertSound(other, of(other, lines), where);
      writes += wasStopped ? 1 : 0;
    }
    assertThat(writes).isEqualTo(8);
  }

  @Test
  void shouldStayInOrderWhenBookingIsStoppedHalfWay() {
    for (int write = 1; write < WRITES_MAX; write++) {
      // given
      ledger.clear();
      BucketId bucket = opened(UP_TO_TWO);
      List<Request> two =
          List.of(OpenBuckets.request(bucket, 'a', 1), OpenBuckets.request(bucket, 'b', 2));
      List<Grant> granted = granted(bucket, two);
      granted.forEach(grant -> ledger.put(grant.token(), grant.qty()));
      List<OrderToken> tokens = granted.stream().map(Grant::token).toList();

      // when
      isStopped(LuaScript.BOOK, write, () -> stock.book(bucket, 1, BOOKED, tokens));
      await(stock.book(bucket, 1, BOOKED, tokens));
      List<Grant> again = granted(bucket, two);

      // then
      assertSound(bucket, again, "book, write " + write);
    }
  }

  @Test
  void shouldReturnNoUnitTwiceWhenAReleaseIsStoppedHalfWay() {
    for (int write = 1; write < WRITES_MAX; write++) {
      for (int keeps = 0; keeps < 2; keeps++) {
        // given
        ledger.clear();
        BucketId bucket = opened(UP_TO_TWO);
        List<Grant> granted =
            granted(
                bucket,
                List.of(OpenBuckets.request(bucket, 'a', 2), OpenBuckets.request(bucket, 'b', 2)));
        int left = keeps;
        List<Release> releases =
            granted.stream()
                .map(grant -> new Release(grant.token(), grant.epoch(), grant.seq(), left))
                .toList();
        granted.forEach(grant -> ledger.put(grant.token(), left));

        // when
        isStopped(LuaScript.RELEASE, write, () -> stock.release(bucket, 1, releases));
        await(stock.release(bucket, 1, releases));
        List<Grant> later = granted(bucket, List.of(OpenBuckets.request(bucket, 'c', 2)));

        // then
        assertSound(bucket, later, "release that leaves " + left + ", write " + write);
      }
    }
  }

  @Test
  void shouldTakeNoUnitTwiceWhenARestockIsStoppedHalfWay() {
    for (int write = 1; write < WRITES_MAX; write++) {
      // given
      ledger.clear();
      BucketId bucket = opened(UP_TO_TWO);
      List<Grant> granted = granted(bucket, List.of(OpenBuckets.request(bucket, 'a', 2)));
      Take take = new Take(1, 1, 1, 3);
      await(stock.take(bucket, 1, take));
      BucketTotal more = new BucketTotal(2, 2 * UNITS, SkuState.OPEN, NO_LIMIT);

      // when
      isStopped(LuaScript.RESTOCK, write, () -> stock.restock(bucket, 1, more));
      BucketCode late = await(stock.take(bucket, 1, take));
      Snapshot between = await(stock.snapshot(bucket, List.of(), 100));
      await(stock.restock(bucket, 1, more));

      // then
      assertThat(between.total()).as("restock, write %d", write).isIn(UNITS - 3L, 2L * UNITS);
      assertThat(late).isIn(BucketCode.OK, BucketCode.SUPERSEDED, BucketCode.LOST);
      assertSound(bucket, granted, "restock, write " + write);
    }
  }

  @Test
  void shouldDecideATakeOnceWhenItIsStoppedHalfWay() {
    for (int write = 1; write < WRITES_MAX; write++) {
      // given
      ledger.clear();
      BucketId bucket = opened(UP_TO_TWO);
      Take take = new Take(1, 1, 1, 3);

      // when
      isStopped(LuaScript.TAKE, write, () -> stock.take(bucket, 2, take));
      BucketCode again = await(stock.take(bucket, 2, take));

      // then
      assertThat(again).isEqualTo(BucketCode.OK);
      assertThat(await(stock.snapshot(bucket, List.of(), 0)).total()).isEqualTo(UNITS - 3L);
    }
  }

  @Test
  void shouldNotOpenWhatWasLoadedHalfWay() {
    for (LuaScript script : List.of(LuaScript.FREEZE, LuaScript.LOAD, LuaScript.LOAD_PAGE)) {
      for (int write = 1; write < WRITES_MAX; write++) {
        // given
        ledger.clear();
        BucketId bucket = opened(UP_TO_TWO);
        Grant sold = granted(bucket, List.of(OpenBuckets.request(bucket, 'a', 2))).get(0);
        ledger.put(sold.token(), sold.qty());

        // when
        int denied = write;
        boolean wasStopped =
            isStopped(script, denied, () -> loaded(bucket, List.of(sold), UP_TO_TWO, 2));
        BucketCode between = await(stock.snapshot(bucket, List.of(), 0)).code();
        if (wasStopped) {
          await(loaded(bucket, List.of(sold), UP_TO_TWO, 3));
        }
        GrantOutcome more =
            outcome(bucket, new Request(OpenBuckets.token(bucket, 'b'), "user-a", 1));

        // then
        String where = script + ", write " + write;
        assertThat(between)
            .as(where)
            .isIn(wasStopped && script != LuaScript.FREEZE ? BucketCode.LOADING : BucketCode.OK);
        assertThat(more).as(where).isInstanceOf(GrantOutcome.Refused.class);
        assertSound(bucket, granted(bucket, List.of(OpenBuckets.request(bucket, 'a', 2))), where);
      }
    }
  }

  /** What is left of a grant whose record was refused must not be in the way of the others. */
  @Test
  void shouldSkipWhatIsUnbookedWithoutARecord() {
    // given
    BucketId bucket = opened(UP_TO_TWO);
    Grant whole = granted(bucket, List.of(OpenBuckets.request(bucket, 'a', 1))).get(0);
    redis.send(
        Command.ZADD,
        StockKeys.of(0, bucket).unbooked(),
        1,
        OpenBuckets.token(bucket, 'b').value());
    count(bucket);

    // when
    var overdue = await(stock.overdue(bucket, 0, 100));
    Snapshot seen = await(stock.snapshot(bucket, List.of(), 100));

    // then
    assertThat(overdue.grants()).containsExactly(whole);
    assertThat(seen.unbooked()).containsExactly(whole);
    assertThat(seen.unbookedCount()).isEqualTo(1);
  }

  /**
   * A page of such tokens alone looked as if nothing were left, and no grant behind it was booked.
   */
  @ParameterizedTest
  @CsvSource({"1, 1", "2, 2", "3, 2", "5, 2"})
  void shouldFindGrantsBehindAPageOfWhatHasNoRecord(int page, int found) {
    // given
    BucketId bucket = opened(UP_TO_TWO);
    for (char id = 'p'; id < 's'; id++) {
      redis.send(
          Command.ZADD,
          StockKeys.of(0, bucket).unbooked(),
          1,
          OpenBuckets.token(bucket, id).value());
    }
    count(bucket);
    List<Grant> whole =
        granted(
            bucket,
            List.of(OpenBuckets.request(bucket, 'a', 1), OpenBuckets.request(bucket, 'b', 1)));

    // when
    var overdue = await(stock.overdue(bucket, 0, page));

    // then
    assertThat(overdue.grants()).containsExactlyElementsOf(whole.subList(0, found));
  }

  /**
   * Behind two windows of them only each other minute shows it, unless the first is passed over.
   */
  @ParameterizedTest
  @CsvSource({"9999, 0, true", "19999, 0, true", "20000, 10000, true", "20000, 30000, false"})
  void shouldPassOverManyTokensWithoutARecordInOneCall(int tokens, int skip, boolean found) {
    // given
    BucketId bucket = opened(UP_TO_TWO);
    List<Object> left = new ArrayList<>(List.of(StockKeys.of(0, bucket).unbooked()));
    for (int token = 0; token < tokens; token++) {
      left.add(1);
      left.add("left-" + token);
    }
    redis.send(Command.ZADD, left.toArray());
    count(bucket);
    Grant whole = granted(bucket, List.of(OpenBuckets.request(bucket, 'a', 1))).get(0);

    // when
    var overdue = await(stock.overdue(bucket, 0, 1, skip));

    // then
    assertThat(overdue.grants()).isEqualTo(found ? List.of(whole) : List.of());
  }

  /** Makes the head count what is there, else the bucket is LOST. */
  private static void count(BucketId bucket) {
    StockKeys keys = StockKeys.of(0, bucket);
    String entries =
        "%s:%s:%s"
            .formatted(
                redis.send(Command.HLEN, keys.reserve()),
                redis.send(Command.ZCARD, keys.unbooked()),
                redis.send(Command.HLEN, keys.buyers()));
    redis.send(Command.HSET, keys.stock(), "entries", entries);
  }

  private static BucketId opened(SkuSettings settings) {
    BucketId bucket = new BucketId(NEXT_SKU.incrementAndGet(), 0);
    await(loaded(bucket, List.of(), settings, 1));
    return bucket;
  }

  private static Future<BucketCode> loaded(
      BucketId bucket, List<Grant> sold, SkuSettings settings, long epoch) {
    BucketTotal ceiling = new BucketTotal(1, UNITS, SkuState.OPEN, settings);
    long claimed = sold.stream().mapToLong(Grant::qty).sum();
    List<Recorded> page = sold.stream().map(grant -> new Recorded(grant, true, false)).toList();
    return stock
        .freeze(bucket, 1)
        .compose(
            frozen ->
                stock
                    .load(bucket, 1, frozen.mark(), new LoadHead(epoch, claimed, ceiling, 0))
                    .compose(ok -> stock.loadPage(bucket, 1, frozen.mark(), page))
                    .compose(ok -> stock.open(bucket, 1, frozen.mark())));
  }

  /** Nobody is told of a grant of which nothing would be left, and no unit is there twice. */
  private void assertSound(BucketId bucket, List<Grant> granted, String where) {
    Snapshot seen = await(stock.snapshot(bucket, List.copyOf(ledger.keySet()), 100));
    if (seen.code() != BucketCode.OK) {
      return; // it is rebuilt
    }
    long returning =
        seen.live().entrySet().stream()
            .mapToLong(live -> Math.max(0, live.getValue() - ledger.get(live.getKey())))
            .sum();
    Map<OrderToken, Integer> unbooked = new HashMap<>();
    seen.unbooked().stream()
        .filter(grant -> !ledger.containsKey(grant.token()))
        .forEach(grant -> unbooked.put(grant.token(), grant.qty()));
    long expected =
        ledger.values().stream().mapToLong(Integer::longValue).sum()
            + unbooked.values().stream().mapToLong(Integer::longValue).sum()
            + returning;
    assertThat(seen.claimed() - seen.released()).as(where).isGreaterThanOrEqualTo(expected);
    assertThat(seen.available()).as(where).isBetween(0L, seen.total() - expected);
    assertThat(granted)
        .as(where)
        .allSatisfy(
            grant ->
                assertThat(ledger.containsKey(grant.token()) || unbooked.containsKey(grant.token()))
                    .as("%s can be booked", grant)
                    .isTrue());
    assertThat(granted.stream().map(grant -> grant.epoch() + ":" + grant.seq()))
        .as(where)
        .doesNotHaveDuplicates();
  }

  /** The grants among the answers. */
  private static List<Grant> granted(BucketId bucket, List<Request> requests) {
    List<Grant> granted = new ArrayList<>();
    for (GrantOutcome outcome : await(stock.reserve(bucket, requests)).outcomes()) {
      if (outcome instanceof GrantOutcome.Granted fresh) {
        granted.add(fresh.grant());
      } else if (outcome instanceof GrantOutcome.Already known) {
        granted.add(known.grant());
      }
    }
    return granted;
  }

  private static GrantOutcome outcome(BucketId bucket, Request request) {
    return await(stock.reserve(bucket, List.of(request))).outcomes().get(0);
  }

  private static List<Grant> cartGranted(StockStore.Request cart) {
    GrantOutcome outcome = await(stock.reserveCarts(List.of(cart))).outcomes().get(0);
    if (outcome instanceof GrantOutcome.Granted fresh) {
      return fresh.grant().lines();
    }
    return outcome instanceof GrantOutcome.Already known ? known.grant().lines() : List.of();
  }

  private static List<Grant> of(BucketId bucket, List<Grant> lines) {
    return lines.stream().filter(line -> line.token().bucketId().equals(bucket)).toList();
  }

  private static StockStore.Request cart(BucketId one, BucketId other, char id) {
    return StockStore.Request.ofLines(
        OpenBuckets.token(one, id),
        "user-" + id,
        null,
        List.of(new StockStore.Line(one, 1, 0), new StockStore.Line(other, 2, 0)));
  }
}
