package io.sluice.admin.page;

import io.sluice.async.ThrottledTask;
import io.sluice.ledger.BucketRow;
import io.sluice.ledger.SkuLedger;
import io.sluice.model.BucketId;
import io.sluice.model.Sku;
import io.sluice.model.SkuState;
import io.sluice.stock.BucketCode;
import io.sluice.stock.Stock;
import io.sluice.stock.StockStore.Snapshot;
import io.vertx.core.Future;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Follows the {@link #FOLLOWED_MAX} SKUs that sell most lately. It reads only while it is asked.
 * From the ledger it reads a page of SKUs each second, around and around, so that a SKU that begins
 * to sell is found however many there are. From Redis it reads the buckets of those that it follows
 * at most every {@link #REDIS_EVERY}.
 */
final class StockWatch {
  static final int FOLLOWED_MAX = 8;
  static final int PAGE = 100;

  /** The maximum number of buckets that are read from Redis at once. */
  static final int BUCKETS_MAX = 64;

  static final Duration LEDGER_EVERY = Duration.ofSeconds(1);
  static final Duration REDIS_EVERY = Duration.ofMillis(200);

  private final SkuLedger ledger;
  private final Stock stock;
  private final InstantSource clock;
  private final LongSupplier nanoTime;
  private final long beganNanos;
  private final ThrottledTask ledgerLook;
  private final ThrottledTask redisLook;
  private List<SkuNow> followed = List.of();
  private long pageAfter;
  private boolean hasMore;
  private boolean isRead;

  /**
   * A SKU as it was last seen: by the ledger about a second ago, by Redis a moment ago.
   *
   * @param redis its buckets there; one that was not read, or could not be, is missing
   * @param movedNanos when units of it were last seen to move
   */
  record SkuNow(Sku sku, List<BucketRow> rows, Map<BucketId, Snapshot> redis, long movedNanos) {

    SkuNow with(Map<BucketId, Snapshot> seen) {
      return new SkuNow(sku, rows, seen, movedNanos);
    }

    /** Whether Redis has answered for each of its buckets. */
    boolean isFromRedis() {
      return rows.stream().allMatch(row -> open(row) != null);
    }

    /** The units that can be granted now. */
    long available() {
      boolean redisTells = isFromRedis();
      return rows.stream().mapToLong(row -> available(row, redisTells)).sum();
    }

    private long available(BucketRow row, boolean redisTells) {
      Snapshot seen = redisTells ? open(row) : null;
      return Math.max(0, seen == null ? row.free() : seen.available());
    }

    private @Nullable Snapshot open(BucketRow row) {
      Snapshot seen = redis.get(row.id());
      return seen != null && seen.code() == BucketCode.OK ? seen : null;
    }

    /** Buckets that Redis cannot serve. */
    long shut() {
      return rows.stream()
          .map(row -> redis.get(row.id()))
          .filter(seen -> seen != null && seen.code() != BucketCode.OK)
          .count();
    }

    long held() {
      return rows.stream().mapToLong(BucketRow::held).sum();
    }

    long sold() {
      return rows.stream().mapToLong(BucketRow::soldNow).sum();
    }

    SkuState state(long nowMs) {
      return sku.at(nowMs);
    }

    JsonObject json(long nowMs) {
      boolean redisTells = isFromRedis();
      JsonArray buckets = new JsonArray();
      for (BucketRow row : rows) {
        Snapshot seen = redis.get(row.id());
        buckets.add(
            new JsonArray()
                .add(row.id().bucket())
                .add(row.partition())
                .add(available(row, redisTells))
                .add(row.stock())
                .add(seen == null ? "LEDGER" : seen.code().name()));
      }
      return new JsonObject()
          .put("sku_id", sku.skuId())
          .put("name", sku.name())
          .put("state", state(nowMs).name())
          .put("total", sku.stockNow())
          .put("available", available())
          .put("held", held())
          .put("sold", sold())
          .put("unbooked", redis.values().stream().mapToLong(Snapshot::unbookedCount).sum())
          .put("opens_at", sku.settings().opensAtMs())
          .put("closes_at", sku.settings().closesAtMs())
          .put("from", redisTells ? "redis" : "ledger")
          .put("buckets", buckets);
    }
  }

  /**
   * @param nanoTime a monotonic clock
   */
  StockWatch(SkuLedger ledger, Stock stock, InstantSource clock, LongSupplier nanoTime) {
    this.ledger = ledger;
    this.stock = stock;
    this.clock = clock;
    this.nanoTime = nanoTime;
    this.beganNanos = nanoTime.getAsLong();
    this.ledgerLook = new ThrottledTask(this::lookAtLedger, LEDGER_EVERY, nanoTime);
    this.redisLook = new ThrottledTask(this::lookAtRedis, REDIS_EVERY, nanoTime);
  }

  /** The SKUs seen last, those first that sell; may start a read, which the next call shows. */
  List<SkuNow> now() {
    ledgerLook.ask();
    redisLook.ask();
    return followed;
  }

  /** Whether the ledger was read at all. */
  boolean isRead() {
    return isRead;
  }

  /** Whether the ledger has more SKUs than are followed. */
  boolean hasMore() {
    return hasMore;
  }

  private Future<?> lookAtLedger() {
    long after = pageAfter;
    return ledger
        .skus(after, PAGE)
        .compose(
            page -> {
              pageAfter = page.size() < PAGE ? 0 : page.get(page.size() - 1).skuId();
              return more(page);
            })
        .compose(
            skus ->
                ledger
                    .bucketsOf(skus.keySet())
                    .onSuccess(rows -> choose(skus, rows, after == 0 && pageAfter == 0)));
  }

  /** Those of the page, and those followed that are not in it. */
  private Future<Map<Long, Sku>> more(List<Sku> page) {
    Map<Long, Sku> skus = new LinkedHashMap<>();
    page.forEach(sku -> skus.put(sku.skuId(), sku));
    Set<Long> others = new LinkedHashSet<>();
    followed.forEach(seen -> others.add(seen.sku().skuId()));
    others.removeAll(skus.keySet());
    return others.isEmpty()
        ? Future.succeededFuture(skus)
        : ledger
            .skus(others)
            .map(
                found -> {
                  skus.putAll(found);
                  return skus;
                });
  }

  private void choose(Map<Long, Sku> skus, Map<Long, List<BucketRow>> rows, boolean isAll) {
    Map<Long, SkuNow> before = new HashMap<>();
    followed.forEach(seen -> before.put(seen.sku().skuId(), seen));
    long nowMs = clock.millis();
    followed =
        skus.values().stream()
            .map(sku -> seen(sku, rows.getOrDefault(sku.skuId(), List.of()), before))
            .sorted(
                Comparator.comparingLong((SkuNow seen) -> seen.movedNanos() - beganNanos)
                    .thenComparing(seen -> seen.state(nowMs) == SkuState.OPEN)
                    .thenComparing(seen -> seen.held() > 0)
                    .reversed()
                    .thenComparingLong(seen -> seen.sku().skuId()))
            .limit(FOLLOWED_MAX)
            .toList();
    isRead = true;
    hasMore = !isAll || skus.size() > followed.size();
  }

  private SkuNow seen(Sku sku, List<BucketRow> rows, Map<Long, SkuNow> before) {
    SkuNow last = before.get(sku.skuId());
    if (last == null) {
      return new SkuNow(sku, rows, Map.of(), beganNanos);
    }
    SkuNow same = new SkuNow(sku, rows, last.redis(), last.movedNanos());
    return same.held() == last.held() && same.sold() == last.sold()
        ? same
        : new SkuNow(sku, rows, last.redis(), nanoTime.getAsLong());
  }

  /** SKUs beyond the maximum are shown as the ledger has them. */
  private Future<?> lookAtRedis() {
    List<Future<?>> looks = new ArrayList<>();
    Map<BucketId, Snapshot> seen = new HashMap<>();
    Set<Long> asked = new LinkedHashSet<>();
    for (SkuNow sku : followed) {
      asked.add(sku.sku().skuId());
      if (sku.sku().mode() == Sku.Mode.FAST && looks.size() + sku.rows().size() <= BUCKETS_MAX) {
        sku.rows().forEach(row -> looks.add(look(row, seen)));
      }
    }
    return Future.join(looks).onComplete(all -> note(asked, seen));
  }

  /** A bucket that Redis does not tell of is left out. */
  private Future<?> look(BucketRow row, Map<BucketId, Snapshot> seen) {
    return stock
        .at(row.partition())
        .snapshot(row.id(), List.of(), 0)
        .onSuccess(snapshot -> seen.put(row.id(), snapshot));
  }

  /** A SKU that is followed only since then was not asked for, and keeps what it has. */
  private void note(Set<Long> asked, Map<BucketId, Snapshot> seen) {
    followed =
        followed.stream()
            .map(sku -> asked.contains(sku.sku().skuId()) ? sku.with(of(sku, seen)) : sku)
            .toList();
  }

  private static Map<BucketId, Snapshot> of(SkuNow sku, Map<BucketId, Snapshot> seen) {
    Map<BucketId, Snapshot> own = new HashMap<>();
    for (BucketRow row : sku.rows()) {
      Snapshot snapshot = seen.get(row.id());
      if (snapshot != null) {
        own.put(row.id(), snapshot);
      }
    }
    return own;
  }
}
