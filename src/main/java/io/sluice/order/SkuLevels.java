package io.sluice.order;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import io.sluice.async.BatchReader;
import io.sluice.async.BatchReader.QueueFullException;
import io.sluice.async.Batcher;
import io.sluice.async.LoopContext;
import io.sluice.async.TimerQueue;
import io.sluice.ledger.BucketRow;
import io.sluice.ledger.SaleLedger.Member;
import io.sluice.model.Placement.PlacedBucket;
import io.sluice.model.Sku;
import io.sluice.model.SkuSettings;
import io.sluice.model.SkuSettings.Watermarks;
import io.sluice.model.SkuState;
import io.sluice.stock.BucketCode;
import io.sluice.stock.StockStore.Snapshot;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Approximate levels of SKUs for all callers; cached for a second. One per event loop.
 *
 * <p>Read from Redis, which counts grants that are not booked yet; from the ledger if Redis has no
 * answer.
 */
public final class SkuLevels {
  private static final int SKUS_MAX = 10_000;

  /**
   * The maximum number of buckets read from Redis at once: an eighth of its connection's capacity.
   */
  static final int SNAPSHOTS_MAX = 128;

  static final int SNAPSHOTS_WAITING_MAX = 4_096;
  private static final int BATCH_MAX = 100;
  private static final int LEDGER_WAITING_MAX = 5_000;
  private static final String BUCKETS = "buckets";

  /** LOW and LAST at the watermarks of the SKU or below. */
  public enum Level {
    PLENTY,
    LOW,
    LAST,
    SOLD_OUT;

    static Level of(long available, long total, Watermarks marks) {
      if (available <= 0) {
        return SOLD_OUT;
      }
      if (available * 100 <= total * marks.lastPercent()) {
        return LAST;
      }
      return available * 100 <= total * marks.lowPercent() ? LOW : PLENTY;
    }
  }

  /**
   * Times are epoch milliseconds, 0 for none.
   *
   * @param name null if it has none
   */
  public record SkuLevel(
      long skuId,
      @Nullable String name,
      SkuState state,
      Level level,
      long opensAtMs,
      long closesAtMs) {
    /** Without a name. */
    public SkuLevel(long skuId, SkuState state, Level level, long opensAtMs, long closesAtMs) {
      this(skuId, null, state, level, opensAtMs, closesAtMs);
    }

    SkuLevel named(@Nullable String other) {
      return new SkuLevel(skuId, other, state, level, opensAtMs, closesAtMs);
    }

    /** Of a SKU that has left a sale for a later one, in the sale that it has left. */
    static SkuLevel of(Member left) {
      Sku sku = left.sku();
      SkuSettings settings = sku.settings();
      long total = sku.stockNow();
      return new SkuLevel(
          sku.skuId(),
          sku.name(),
          sku.state(),
          Level.of(total - left.sold(), total, settings.marks()),
          settings.opensAtMs(),
          settings.closesAtMs());
    }
  }

  private record InLedger(Map<Long, List<BucketRow>> rows, long nowMs) {}

  /** A bucket that is to be read from Redis. */
  private record Ask(PlacedBucket bucket, Promise<Snapshot> reply) {}

  /** An answer, and when it was asked for. */
  record Kept<T>(long startNanos, Future<Optional<T>> answer) {
    private static final Duration KEPT_FOR = Duration.ofSeconds(1);

    /** A read in progress is shared; one that failed or found nothing is not cached. */
    boolean isGood(LoopContext loop) {
      if (!answer.isComplete()) {
        return true;
      }
      boolean found = answer.succeeded() && answer.result().isPresent();
      return found && loop.since(startNanos).compareTo(KEPT_FOR) < 0;
    }
  }

  private final LoopStores stores;
  private final LoopContext loop;
  private final TimerQueue deadlines;
  private final SkuCatalog catalog;
  private final Batcher<Ask> redis =
      new Batcher<>(Batcher.Limits.ofItems(SNAPSHOTS_MAX, 1), asks -> read(asks.get(0)));
  private final BatchReader<String, Long, InLedger> ledger;
  private int asking;
  private final Cache<Long, Kept<SkuLevel>> kept =
      Caffeine.newBuilder().maximumSize(SKUS_MAX).executor(Runnable::run).build();

  public SkuLevels(LoopStores stores, LoopContext loop, SkuCatalog catalog) {
    this.stores = stores;
    this.loop = loop;
    this.deadlines = new TimerQueue(loop);
    this.catalog = catalog;
    this.ledger =
        new BatchReader<>(BATCH_MAX, LEDGER_WAITING_MAX, (lane, skuIds) -> readLedger(skuIds));
  }

  /** Empty if the SKU does not exist; failed if it cannot be read now. */
  public Future<Optional<SkuLevel>> level(long skuId) {
    Kept<SkuLevel> before = kept.getIfPresent(skuId);
    if (before != null && before.isGood(loop)) {
      return before.answer();
    }
    Future<Optional<SkuLevel>> level =
        deadlines.within(SkuCatalog.READ_MAX, catalog.find(skuId).compose(this::levelOf));
    kept.put(skuId, new Kept<>(loop.now(), level));
    return level;
  }

  private Future<Optional<SkuLevel>> levelOf(Optional<Sku> sku) {
    return sku.isEmpty()
        ? Future.succeededFuture(Optional.empty())
        : (sku.get().isDirect()
                ? askLedger(sku.get().skuId())
                : askRedis(sku.get()).recover(cause -> instead(sku.get(), cause)))
            .map(level -> Optional.of(level.named(sku.get().name())));
  }

  /** Overload of Redis is not moved to the ledger. */
  private Future<SkuLevel> instead(Sku sku, Throwable cause) {
    return QueueFullException.isWhy(cause) ? Future.failedFuture(cause) : askLedger(sku.skuId());
  }

  private Future<SkuLevel> askRedis(Sku sku) {
    if (asking + sku.buckets() > SNAPSHOTS_MAX + SNAPSHOTS_WAITING_MAX) {
      return Future.failedFuture(new QueueFullException(SNAPSHOTS_WAITING_MAX));
    }
    List<Future<Snapshot>> asked =
        IntStream.range(0, sku.buckets()).mapToObj(sku::placed).map(this::ask).toList();
    return Future.all(asked)
        .compose(
            all -> {
              List<Snapshot> buckets = all.list();
              return buckets.stream().allMatch(bucket -> bucket.code() == BucketCode.OK)
                  ? Future.succeededFuture(ofSnapshots(sku, buckets))
                  : Future.failedFuture("Expected loaded buckets, but some are not");
            });
  }

  private Future<Snapshot> ask(PlacedBucket bucket) {
    asking++;
    Ask ask = new Ask(bucket, Promise.promise());
    redis.add(ask);
    return ask.reply().future();
  }

  private Future<?> read(Ask ask) {
    return Future.succeededFuture(ask.bucket())
        .compose(
            bucket -> stores.stock().at(bucket.partition()).snapshot(bucket.id(), List.of(), 0))
        .onComplete(
            snapshot -> {
              asking--;
              ask.reply().handle(snapshot);
            });
  }

  private static SkuLevel ofSnapshots(Sku sku, List<Snapshot> buckets) {
    Snapshot any = buckets.get(0);
    Level level =
        Level.of(
            buckets.stream().mapToLong(Snapshot::available).sum(),
            buckets.stream().mapToLong(Snapshot::total).sum(),
            sku.settings().marks());
    return of(sku.skuId(), level, any.state(), any.settings(), any.nowMs());
  }

  private Future<SkuLevel> askLedger(long skuId) {
    return ledger
        .read(BUCKETS, skuId)
        .map(read -> ofRows(skuId, read.rows().getOrDefault(skuId, List.of()), read.nowMs()));
  }

  private Future<InLedger> readLedger(List<Long> skuIds) {
    return stores
        .skus()
        .bucketsOf(skuIds)
        .compose(rows -> stores.ledger().nowMs().map(nowMs -> new InLedger(rows, nowMs)));
  }

  private static SkuLevel ofRows(long skuId, List<BucketRow> buckets, long nowMs) {
    BucketRow any = buckets.get(0);
    Level level =
        Level.of(
            buckets.stream().mapToLong(BucketRow::free).sum(),
            buckets.stream().mapToLong(BucketRow::stock).sum(),
            any.settings().marks());
    return of(skuId, level, any.state(), any.settings(), nowMs);
  }

  private static SkuLevel of(
      long skuId, Level level, SkuState state, SkuSettings settings, long nowMs) {
    long opensAtMs = settings.opensAtMs();
    long closesAtMs = settings.closesAtMs();
    return new SkuLevel(
        skuId, state.at(nowMs, opensAtMs, closesAtMs), level, opensAtMs, closesAtMs);
  }
}
