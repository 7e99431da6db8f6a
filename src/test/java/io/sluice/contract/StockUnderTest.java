package io.sluice.contract;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.model.BucketId;
import io.sluice.model.Grant;
import io.sluice.model.OrderToken;
import io.sluice.model.SkuSettings;
import io.sluice.model.SkuState;
import io.sluice.stock.BucketCode;
import io.sluice.stock.GrantOutcome;
import io.sluice.stock.Recorded;
import io.sluice.stock.ReserveReply;
import io.sluice.stock.StockStore;
import io.sluice.stock.StockStore.BucketTotal;
import io.sluice.stock.StockStore.LoadHead;
import io.sluice.stock.StockStore.Release;
import io.sluice.stock.StockStore.Request;
import io.sluice.stock.StockStore.Snapshot;
import io.sluice.stock.StockStore.Stretch;
import io.vertx.core.Future;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BiConsumer;
import java.util.stream.Stream;

/** A stock store for the contract: waits for each answer, and makes new buckets. */
public final class StockUnderTest {
  static final long TERM = 5;
  static final long EPOCH = 3;
  static final long VERSION = 10;
  static final Stretch NOTHING_BOOKED = new Stretch(0, 0);
  static final SkuSettings FREE_FOR_ALL = new SkuSettings(300, 0, 0, 0);

  private static final long WAIT_S = 10;
  private static final AtomicLong NEXT_SKU = new AtomicLong(System.nanoTime() / 1_000);

  private static final Map<BucketId, String> MARKS = new ConcurrentHashMap<>();

  private final StockStore store;
  private final BiConsumer<BucketId, String> writeHistory;
  private final BiConsumer<BucketId, String> vanish;

  /**
   * Wraps a store.
   *
   * @param writeHistory overwrites the history that the bucket was loaded into
   * @param vanish deletes a key of the bucket
   */
  public StockUnderTest(
      StockStore store,
      BiConsumer<BucketId, String> writeHistory,
      BiConsumer<BucketId, String> vanish) {
    this.store = store;
    this.writeHistory = writeHistory;
    this.vanish = vanish;
  }

  StockStore store() {
    return store;
  }

  /** The answer, within a time that only a hanging store exceeds. */
  public static <T> T await(Future<T> future) {
    try {
      return future.toCompletionStage().toCompletableFuture().get(WAIT_S, SECONDS);
    } catch (ExecutionException e) {
      throw new AssertionError("Expected an answer, but the Future failed", e.getCause());
    } catch (InterruptedException | TimeoutException e) {
      throw new AssertionError("Expected an answer within " + WAIT_S + " s", e);
    }
  }

  /** The cause of the failure, or null. */
  static Throwable failure(Future<?> future) {
    return await(future.<Throwable>transform(done -> Future.succeededFuture(done.cause())));
  }

  BucketId absentBucket() {
    return new BucketId(NEXT_SKU.incrementAndGet(), 2);
  }

  BucketId openBucket(long units) {
    return openBucket(units, SkuState.OPEN, FREE_FOR_ALL);
  }

  BucketId openBucket(long units, SkuState state, SkuSettings settings) {
    return openBucket(units, state, settings, 0);
  }

  BucketId openBucket(long units, SkuState state, SkuSettings settings, long saleNo) {
    BucketId bucket = absentBucket();
    String mark = freeze(bucket);
    BucketTotal total = new BucketTotal(VERSION, units, state, settings);
    expectOk(store.load(bucket, TERM, mark, new LoadHead(EPOCH, 0, total, saleNo)));
    expectOk(store.open(bucket, TERM, mark));
    return bucket;
  }

  BucketId lostBucket(long units) {
    BucketId bucket = openBucket(units);
    lose(bucket);
    return bucket;
  }

  BucketId loadingBucket(long units) {
    BucketId bucket = openBucket(units);
    freeze(bucket);
    return bucket;
  }

  /** Deletes one of the bucket's keys: stock, reserve, unbooked or buyers. */
  void vanish(BucketId bucket, String key) {
    vanish.accept(bucket, key);
  }

  /** Makes the bucket look as if it had been loaded into another process. */
  void lose(BucketId bucket) {
    writeHistory.accept(bucket, "other-" + history());
  }

  /** Makes the bucket look as if this process had lost writes since it was loaded. */
  void loseWrites(BucketId bucket) {
    writeHistory.accept(bucket, history() + "-other");
  }

  /** Makes the bucket look as if it had been loaded into this process. */
  void find(BucketId bucket) {
    writeHistory.accept(bucket, history());
  }

  String history() {
    return await(store.history());
  }

  /** Freezes the bucket, and keeps the mark. */
  String freeze(BucketId bucket) {
    String mark = await(store.freeze(bucket, TERM)).mark();
    MARKS.put(bucket, mark);
    return mark;
  }

  /** The mark of the last freeze of a bucket, or one that no bucket has. */
  String markOf(BucketId bucket) {
    return MARKS.getOrDefault(bucket, history() + ":0");
  }

  static OrderToken token(BucketId bucket, int number) {
    String value = "%d.%d.%022d".formatted(bucket.skuId(), bucket.bucket(), number);
    return new OrderToken(bucket.skuId(), bucket.bucket(), value);
  }

  /** A request by a buyer with no other request. */
  static Request request(BucketId bucket, int number, int qty) {
    return request(bucket, number, Buyers.of(number), qty);
  }

  static Request request(BucketId bucket, int number, String user, int qty) {
    return new Request(token(bucket, number), user, qty);
  }

  ReserveReply reserveReply(BucketId bucket, Request... requests) {
    return await(store.reserve(bucket, List.of(requests)));
  }

  List<GrantOutcome> reserve(BucketId bucket, Request... requests) {
    ReserveReply reply = reserveReply(bucket, requests);
    if (reply.code() != BucketCode.OK) {
      throw new AssertionError("Expected OK, but the bucket answered " + reply.code());
    }
    return reply.outcomes();
  }

  /** Reserves; the request must be granted. */
  Grant grant(BucketId bucket, Request request) {
    return grant(bucket, request, reserve(bucket, request).get(0));
  }

  private static Grant grant(BucketId bucket, Request request, GrantOutcome outcome) {
    if (outcome instanceof GrantOutcome.Granted granted) {
      return granted.grant();
    }
    throw new AssertionError(
        "Expected a grant of %s in %s, but got %s".formatted(request, bucket, outcome));
  }

  /**
   * Reserves once the bucket is on sale again, at most half a second later; the request must be
   * granted.
   */
  Grant grantOnceOnSale(BucketId bucket, Request request) {
    long endNanos = System.nanoTime() + 2L * StockStore.SOLD_OUT_MAX_MS * 1_000_000;
    GrantOutcome outcome = reserve(bucket, request).get(0);
    while (!(outcome instanceof GrantOutcome.Granted) && System.nanoTime() < endNanos) {
      outcome = reserve(bucket, request).get(0);
    }
    return grant(bucket, request, outcome);
  }

  void book(Grant grant) {
    expectOk(store.book(grant.token().bucketId(), TERM, NOTHING_BOOKED, List.of(grant.token())));
  }

  void release(Grant grant) {
    expectOk(store.release(grant.token().bucketId(), TERM, List.of(releaseOf(grant))));
  }

  static Release releaseOf(Grant grant) {
    return new Release(grant.token(), grant.epoch(), grant.seq(), 0);
  }

  void restock(BucketId bucket, long version, long allotted, SkuState state, SkuSettings settings) {
    expectOk(store.restock(bucket, TERM, new BucketTotal(version, allotted, state, settings)));
  }

  /** Rebuilds a bucket from these orders, in a new epoch. */
  void rebuild(long units, SkuSettings settings, BucketId bucket, Recorded... orders) {
    String mark = freeze(bucket);
    long claimed = Stream.of(orders).mapToLong(order -> order.left() + order.withdrawn()).sum();
    BucketTotal ceiling = new BucketTotal(VERSION, units, SkuState.OPEN, settings);
    expectOk(store.load(bucket, TERM, mark, new LoadHead(EPOCH + 1, claimed, ceiling, 0)));
    expectOk(store.loadPage(bucket, TERM, mark, List.of(orders)));
    expectOk(store.open(bucket, TERM, mark));
  }

  /** A bucket of one unit, loaded but not opened. */
  BucketId headedBucket() {
    return headedBucket(1, FREE_FOR_ALL);
  }

  BucketId headedBucket(long units, SkuSettings settings) {
    BucketId bucket = absentBucket();
    String mark = freeze(bucket);
    BucketTotal ceiling = new BucketTotal(VERSION, units, SkuState.OPEN, settings);
    expectOk(store.load(bucket, TERM, mark, new LoadHead(EPOCH, 0, ceiling, 0)));
    return bucket;
  }

  Snapshot snapshot(BucketId bucket) {
    return await(store.snapshot(bucket, List.of(), 100));
  }

  void expectSame(BucketId bucket, Snapshot before) {
    assertThat(snapshot(bucket))
        .usingRecursiveComparison()
        .ignoringFields("nowMs")
        .isEqualTo(before);
  }

  Recorded recorded(OrderToken token) {
    return await(store.lookup(token.bucketId(), List.of(token))).recorded().get(token);
  }

  static void expectOk(Future<BucketCode> call) {
    BucketCode code = await(call);
    if (code != BucketCode.OK) {
      throw new AssertionError("Expected OK, but got " + code);
    }
  }
}
