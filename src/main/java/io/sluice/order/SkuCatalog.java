package io.sluice.order;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import io.sluice.async.BatchReader;
import io.sluice.ledger.SkuLedger;
import io.sluice.model.OrderToken;
import io.sluice.model.Placement.PlacedBucket;
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
 * also while the ledger is down; its placement is believed until {@link #doubt}. One that is
 * deleted is known until it is read again, and so is one that is made again under its id, which has
 * another sale number. All other fields are as last read. If they matter, a SKU in use is read
 * again every second, and one that was not read for five seconds before it is used. While the
 * ledger is down it is used as it is.
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

  /** For how long settings are used without reading them again, if they matter. */
  static final Duration FRESH_FOR = Duration.ofSeconds(1);

  /** From then on they are read before they are used. */
  static final Duration OLD_AFTER = Duration.ofSeconds(5);

  private static final Duration UNKNOWN_FOR = Duration.ofSeconds(1);

  private final SkuLedger ledger;
  private final LongSupplier nanoTime;

  /** Lookups of unknown ids cost one query at a time, however many there are. */
  private final BatchReader<String, Long, Map<Long, Sku>> reader;

  private final boolean followsSettings;
  private final Cache<Long, Entry> known = bounded();

  /** When the query started that did not find the SKU, on the monotonic clock. */
  private final Cache<Long, Long> unknownSince = bounded();

  private final Map<Long, Future<Optional<Sku>>> lookups = new HashMap<>();
  private boolean readingAhead;

  /** A SKU, and the attempts to read it again. */
  private static final class Entry {
    final Sku sku;
    final long readNanos;
    long triedNanos;
    boolean hasFailed;

    Entry(Sku sku, long readNanos) {
      this.sku = sku;
      this.readNanos = readNanos;
      this.triedNanos = readNanos;
    }
  }

  /**
   * @param followsSettings whether settings that may change matter to the caller
   */
  public SkuCatalog(SkuLedger ledger, LongSupplier nanoTime, boolean followsSettings) {
    this.ledger = ledger;
    this.followsSettings = followsSettings;
    this.nanoTime = nanoTime;
    this.reader = new BatchReader<>(BATCH_MAX, LOOKUPS_MAX, (lane, skuIds) -> ledger.skus(skuIds));
  }

  /** The SKU, if it is known without a query. */
  public @Nullable Sku known(long skuId) {
    Entry entry = known.getIfPresent(skuId);
    return entry == null || (followsSettings && isTooOld(entry)) ? null : entry.sku;
  }

  private boolean isTooOld(Entry entry) {
    Future<Optional<Sku>> reading = readAgain(entry);
    long age = nanoTime.getAsLong() - entry.readNanos;
    return reading != null && !entry.hasFailed && age >= OLD_AFTER.toNanos();
  }

  /** Begins to read the SKU again, at most once a second. */
  private @Nullable Future<Optional<Sku>> readAgain(Entry entry) {
    long now = nanoTime.getAsLong();
    Future<Optional<Sku>> reading = lookups.get(entry.sku.skuId());
    if (reading == null && now - entry.triedNanos >= FRESH_FOR.toNanos()) {
      entry.triedNanos = now;
      reading = lookUp(entry.sku.skuId());
    }
    return reading;
  }

  /**
   * Something has answered as if a bucket of this SKU were elsewhere: its placement is read again,
   * at most once a second.
   */
  public void doubt(long skuId) {
    Entry entry = known.getIfPresent(skuId);
    if (entry != null) {
      readAgain(entry);
    }
  }

  /**
   * The SKU as it was read less than a second ago, or is read now; fails if reading it has just
   * failed.
   */
  public Future<Optional<Sku>> readLately(long skuId) {
    Entry entry = known.getIfPresent(skuId);
    if (entry == null) {
      return find(skuId);
    }
    Future<Optional<Sku>> reading = readAgain(entry);
    if (reading != null) {
      return reading;
    }
    return nanoTime.getAsLong() - entry.readNanos < FRESH_FOR.toNanos()
        ? Future.succeededFuture(Optional.of(entry.sku))
        : Future.failedFuture("Expected to read SKU " + skuId + " again, but that has just failed");
  }

  /**
   * The SKU as it is now: read after this call, never joined with a read under way. Whatever was
   * granted before the call is booked if it says that the SKU has ended. Fails if it cannot be
   * read.
   */
  public Future<Optional<Sku>> readAgain(long skuId) {
    long startNanos = nanoTime.getAsLong();
    return reader
        .read(SKUS, skuId)
        .map(found -> Optional.ofNullable(found.get(skuId)))
        .onSuccess(found -> remember(skuId, found, startNanos));
  }

  /** The SKU, or empty if there is none; failed if it cannot be read now. */
  public Future<Optional<Sku>> find(long skuId) {
    Sku sku = known(skuId);
    if (sku != null) {
      return Future.succeededFuture(Optional.of(sku));
    }
    if (isKnownAsUnknown(skuId)) {
      return Future.succeededFuture(Optional.empty());
    }
    Future<Optional<Sku>> underWay = lookups.get(skuId);
    Future<Optional<Sku>> found = underWay != null ? underWay : lookUp(skuId);
    Entry old = known.getIfPresent(skuId);
    return old == null ? found : found.otherwise(cause -> Optional.of(old.sku));
  }

  /**
   * The bucket of this token, and where it is; empty if the token cannot exist, since its SKU is
   * unknown or has no such bucket.
   */
  public Future<Optional<PlacedBucket>> bucketOf(OrderToken token) {
    return find(token.skuId())
        .map(
            sku ->
                sku.filter(known -> token.bucket() < known.buckets())
                    .map(known -> known.placed(token.bucket())));
  }

  private boolean isKnownAsUnknown(long skuId) {
    Long since = unknownSince.getIfPresent(skuId);
    return since != null && nanoTime.getAsLong() - since < UNKNOWN_FOR.toNanos();
  }

  private Future<Optional<Sku>> lookUp(long skuId) {
    Promise<Optional<Sku>> answer = Promise.promise();
    lookups.put(skuId, answer.future());
    readAgain(skuId)
        .onComplete(
            found -> {
              lookups.remove(skuId);
              if (found.failed()) {
                noteFailure(skuId);
              }
              answer.handle(found);
            });
    return answer.future();
  }

  private void remember(long skuId, Optional<Sku> found, long startNanos) {
    if (found.isPresent()) {
      boolean isNew = known.getIfPresent(skuId) == null;
      known.put(skuId, new Entry(found.get(), startNanos));
      if (isNew) {
        readAhead(skuId);
      }
    } else {
      known.invalidate(skuId);
      unknownSince.put(skuId, startNanos);
    }
  }

  private void noteFailure(long skuId) {
    Entry entry = known.getIfPresent(skuId);
    if (entry != null) {
      entry.hasFailed = true;
    }
  }

  /**
   * Reads the SKUs after this one, so that a sale of thousands of SKUs begins with few queries. One
   * read at a time.
   */
  private void readAhead(long skuId) {
    if (readingAhead || known.getIfPresent(skuId + 1) != null) {
      return;
    }
    readingAhead = true;
    long startNanos = nanoTime.getAsLong();
    Future.succeededFuture(skuId)
        .compose(after -> ledger.skus(after, AHEAD))
        .onSuccess(next -> next.forEach(sku -> known.put(sku.skuId(), new Entry(sku, startNanos))))
        .onComplete(read -> readingAhead = false);
  }

  private static <V> Cache<Long, V> bounded() {
    return Caffeine.newBuilder().maximumSize(SKUS_MAX).executor(Runnable::run).build();
  }
}
