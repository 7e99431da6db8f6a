package io.sluice.reservation.sku;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import io.sluice.async.BatchReader;
import io.sluice.ledger.SkuLedger;
import io.sluice.model.OrderToken;
import io.sluice.model.Sku;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The SKUs that one event loop knows. Buckets and mode of a SKU never change, so those stay valid,
 * also while the ledger is down. All other fields are as last read.
 */
public final class SkuCatalog {
  /** After this time a lookup fails, rather than keeping the buyer waiting. */
  public static final Duration READ_MAX = Duration.ofSeconds(2);

  private static final int SKUS_MAX = 50_000;
  private static final int BATCH_MAX = 500;
  private static final int LOOKUPS_MAX = 5_000;
  private static final String SKUS = "skus";

  /** SKUs with adjacent ids are usually on sale together. */
  private static final int AHEAD = 100;

  private static final Duration UNKNOWN_FOR = Duration.ofSeconds(1);

  private final SkuLedger ledger;
  private final LongSupplier nanoTime;

  /** Lookups of unknown ids cost one query at a time, however many there are. */
  private final BatchReader<String, Long, Map<Long, Sku>> reader;

  private final Cache<Long, Sku> known = bounded();

  /** When the query started that did not find the SKU, on the monotonic clock. */
  private final Cache<Long, Long> unknownSince = bounded();

  private final Map<Long, Future<Optional<Sku>>> lookups = new HashMap<>();
  private boolean readingAhead;

  public SkuCatalog(SkuLedger ledger, LongSupplier nanoTime) {
    this.ledger = ledger;
    this.nanoTime = nanoTime;
    this.reader = new BatchReader<>(BATCH_MAX, LOOKUPS_MAX, (lane, skuIds) -> ledger.skus(skuIds));
  }

  /** The SKU, where it is known without a query. */
  public @Nullable Sku known(long skuId) {
    return known.getIfPresent(skuId);
  }

  /** The SKU, or empty where there is none; failed where it cannot be read now. */
  public Future<Optional<Sku>> find(long skuId) {
    Sku sku = known(skuId);
    if (sku != null) {
      return Future.succeededFuture(Optional.of(sku));
    }
    if (isKnownAsUnknown(skuId)) {
      return Future.succeededFuture(Optional.empty());
    }
    Future<Optional<Sku>> underWay = lookups.get(skuId);
    return underWay != null ? underWay : lookUp(skuId);
  }

  /** Whether this token can exist: its SKU is known and has such a bucket. */
  public Future<Boolean> canExist(OrderToken token) {
    return find(token.skuId()).map(sku -> sku.isPresent() && token.bucket() < sku.get().buckets());
  }

  private boolean isKnownAsUnknown(long skuId) {
    Long since = unknownSince.getIfPresent(skuId);
    return since != null && nanoTime.getAsLong() - since < UNKNOWN_FOR.toNanos();
  }

  private Future<Optional<Sku>> lookUp(long skuId) {
    long startNanos = nanoTime.getAsLong();
    Promise<Optional<Sku>> answer = Promise.promise();
    lookups.put(skuId, answer.future());
    reader
        .read(SKUS, skuId)
        .map(found -> Optional.ofNullable(found.get(skuId)))
        .onComplete(
            found -> {
              lookups.remove(skuId);
              if (found.succeeded()) {
                remember(skuId, found.result(), startNanos);
              }
              answer.handle(found);
            });
    return answer.future();
  }

  private void remember(long skuId, Optional<Sku> found, long startNanos) {
    if (found.isPresent()) {
      known.put(skuId, found.get());
      readAhead(skuId);
    } else {
      unknownSince.put(skuId, startNanos);
    }
  }

  /**
   * Reads the SKUs after this one, so that a sale of thousands of SKUs begins with few queries. One
   * read at a time.
   */
  private void readAhead(long skuId) {
    if (readingAhead || known(skuId + 1) != null) {
      return;
    }
    readingAhead = true;
    Future.succeededFuture(skuId)
        .compose(after -> ledger.skus(after, AHEAD))
        .onSuccess(next -> next.forEach(sku -> known.put(sku.skuId(), sku)))
        .onComplete(read -> readingAhead = false);
  }

  private static <V> Cache<Long, V> bounded() {
    return Caffeine.newBuilder().maximumSize(SKUS_MAX).executor(Runnable::run).build();
  }
}
