package io.sluice.bench.row;

import io.sluice.bench.BenchException;
import io.sluice.model.BucketId;
import io.sluice.model.OrderToken;
import io.sluice.model.SkuSettings;
import io.sluice.stock.BucketCode;
import io.sluice.stock.OpenBuckets;
import io.sluice.stock.StockConnection;
import io.sluice.stock.StockStore;
import io.sluice.stock.StockStore.Request;
import io.sluice.testkit.redis.RedisBackend;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.IntSupplier;
import java.util.function.Supplier;

/**
 * Callers on one event loop who reserve a unit each, one after the other, from a stock in Redis.
 */
final class StockLoad {
  private static final int CALLERS = 512;
  private static final int PARTITIONS = 64;
  private static final int LOADS_AT_ONCE = 64;
  private static final long UNITS = 900_000_000;
  private static final long LIMIT_S = 120;

  private static final AtomicLong NEXT_SKU = new AtomicLong(System.currentTimeMillis());

  private static final SkuSettings SETTINGS = new SkuSettings(86_400, 0, 0, 0);

  private final Context loop;
  private final StockConnection stock;
  private final List<RedisBackend> nodes;
  private List<BucketId> buckets = List.of();
  private List<BucketId> skus = List.of();
  private long tokens;

  /**
   * What was granted, and the processor time that it took.
   *
   * @param redisUs of all nodes, per grant
   * @param clientUs of the event loop, per grant
   */
  record Rate(double perSecond, double redisUs, double clientUs) {
    String text() {
      return String.format(
          Locale.ROOT,
          "%,.0f a second, Redis %.1f us and the event loop %.1f us a grant",
          perSecond,
          redisUs,
          clientUs);
    }
  }

  private StockLoad(Context loop, StockConnection stock, List<RedisBackend> nodes) {
    this.loop = loop;
    this.stock = stock;
    this.nodes = nodes;
  }

  static StockLoad on(Context loop, StockConnection stock, List<RedisBackend> nodes) {
    StockLoad load = new StockLoad(loop, stock, nodes);
    load.onLoop(stock::start);
    return load;
  }

  /** Opens a SKU of that many buckets, and that many SKUs of one bucket, over all partitions. */
  void open(int bucketCount, int skuCount) {
    long split = NEXT_SKU.incrementAndGet();
    buckets = new ArrayList<>();
    for (int i = 0; i < bucketCount; i++) {
      buckets.add(new BucketId(split, i));
    }
    skus = new ArrayList<>();
    for (int i = 0; i < skuCount; i++) {
      skus.add(new BucketId(NEXT_SKU.incrementAndGet(), 0));
    }
    openAll(buckets);
    openAll(skus);
  }

  private void openAll(List<BucketId> all) {
    for (int from = 0; from < all.size(); from += LOADS_AT_ONCE) {
      int first = from;
      int last = Math.min(from + LOADS_AT_ONCE, all.size());
      onLoop(
          () -> {
            List<Future<BucketCode>> opened = new ArrayList<>();
            for (int i = first; i < last; i++) {
              opened.add(OpenBuckets.open(at(i), all.get(i), UNITS, SETTINGS));
            }
            return Future.all(opened);
          });
    }
  }

  private StockStore at(int index) {
    return stock.at(index % PARTITIONS);
  }

  Rate grantFromBuckets(Duration length) {
    return grant(buckets, length);
  }

  Rate grantFromSkus(Duration length) {
    return grant(skus, length);
  }

  private Rate grant(List<BucketId> from, Duration length) {
    long endNanos = System.nanoTime() + length.toNanos();
    AtomicLong granted = new AtomicLong();
    AtomicLong clientNanos = new AtomicLong();
    Duration redis = redisTime();
    IntSupplier next = new Rotation(from.size());
    onLoop(
        () -> {
          clientNanos.set(-threadNanos());
          List<Future<Void>> callers = new ArrayList<>();
          for (int i = 0; i < CALLERS; i++) {
            callers.add(reserve(from, next, endNanos, granted));
          }
          return Future.all(callers).onSuccess(all -> clientNanos.addAndGet(threadNanos()));
        });
    double seconds = (length.toNanos() + System.nanoTime() - endNanos) / 1e9;
    return new Rate(
        granted.get() / seconds,
        redisTime().minus(redis).toNanos() / 1e3 / granted.get(),
        clientNanos.get() / 1e3 / granted.get());
  }

  private Future<Void> reserve(
      List<BucketId> from, IntSupplier next, long endNanos, AtomicLong granted) {
    if (System.nanoTime() >= endNanos) {
      return Future.succeededFuture();
    }
    int index = next.getAsInt();
    BucketId bucket = from.get(index);
    String value = "%d.%d.%022d".formatted(bucket.skuId(), bucket.bucket(), ++tokens);
    Request request =
        new Request(new OrderToken(bucket.skuId(), bucket.bucket(), value), "buyer" + tokens, 1);
    return at(index)
        .reserve(bucket, List.of(request))
        .compose(
            reply -> {
              if (reply.code() != BucketCode.OK) {
                return Future.failedFuture(new BenchException("a bucket is " + reply.code()));
              }
              granted.incrementAndGet();
              return reserve(from, next, endNanos, granted);
            });
  }

  /** All indexes in turn. */
  private static final class Rotation implements IntSupplier {
    private final int size;
    private int last;

    Rotation(int size) {
      this.size = size;
    }

    @Override
    public int getAsInt() {
      last = (last + 1) % size;
      return last;
    }
  }

  private Duration redisTime() {
    return nodes.stream()
        .map(node -> ProcessHandle.of(node.pid()).orElseThrow())
        .map(process -> process.info().totalCpuDuration().orElse(Duration.ZERO))
        .reduce(Duration.ZERO, Duration::plus);
  }

  private static long threadNanos() {
    return ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
  }

  private <T> T onLoop(Supplier<Future<T>> work) {
    Promise<T> done = Promise.promise();
    loop.runOnContext(now -> work.get().onComplete(done));
    try {
      return done.future().await(LIMIT_S, TimeUnit.SECONDS);
    } catch (TimeoutException e) {
      throw new BenchException("Redis did not do what the load needs");
    }
  }
}
