package io.sluice.stock;

import io.sluice.model.BucketId;
import io.sluice.model.SkuState;
import io.sluice.stock.InMemoryBucket.Mark;
import io.sluice.stock.ReserveReply.Contents;
import io.sluice.stock.StockStore.EmptyBucket;
import io.vertx.core.Future;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Supplier;

/** The data of all buckets at one moment. */
public final class InMemoryData {
  static final Set<InMemoryBucket.Mark> IN_REBUILD =
      Set.of(InMemoryBucket.Mark.MARKED, InMemoryBucket.Mark.LOADED);

  final Map<BucketId, InMemoryBucket> buckets = new TreeMap<>();

  InMemoryData copy() {
    InMemoryData copy = new InMemoryData();
    buckets.forEach((id, bucket) -> copy.buckets.put(id, bucket.copy()));
    return copy;
  }

  static <T> Future<T> answer(boolean valid, Supplier<T> answer) {
    return valid
        ? Future.succeededFuture(answer.get())
        : Future.failedFuture(new IllegalArgumentException("an argument is out of range"));
  }

  static boolean areAsked(List<BucketId> ids) {
    return !ids.isEmpty() && ids.size() <= StockStore.BUCKETS_MAX;
  }

  boolean hasAny(List<BucketId> ids) {
    return ids.stream().anyMatch(buckets::containsKey);
  }

  boolean areQuiet(List<BucketId> ids) {
    return ids.stream().allMatch(this::isQuiet);
  }

  private boolean isQuiet(BucketId id) {
    InMemoryBucket bucket = buckets.get(id);
    return bucket != null
        && (bucket.isWhole() || bucket.mark != Mark.NONE)
        && bucket.unbooked().isEmpty();
  }

  static boolean areValid(List<StockStore.Request> requests) {
    return !requests.isEmpty()
        && requests.size() <= StockStore.BATCH_MAX
        && requests.stream().map(StockStore.Request::saleNo).distinct().count() == 1
        && requests.stream()
            .allMatch(r -> r.qty() >= 1 && r.qty() <= 1_000 && !r.userId().isEmpty());
  }

  static boolean isValid(StockStore.Take take) {
    return take.id() >= 1 && take.epoch() >= 1 && take.version() >= 1 && take.units() >= 1;
  }

  static StockStore.Overdue overdue(
      InMemoryBucket bucket, long olderThanMs, int limit, int skip, long nowMs) {
    return new StockStore.Overdue(
        BucketCode.OK,
        bucket.unbooked().stream()
            .filter(
                grant -> nowMs - grant.grantedAtMs() >= olderThanMs || grant.grantedAtMs() > nowMs)
            .skip(skip)
            .limit(limit)
            .toList());
  }

  /** Changes counters as only a defect could. */
  void plant(BucketId id, long total, long claimed, long released, long version) {
    InMemoryBucket bucket = buckets.get(id);
    bucket.total += total;
    bucket.claimed += claimed;
    bucket.released += released;
    bucket.version += version;
  }

  BucketCode code(BucketId id, String history) {
    InMemoryBucket bucket = buckets.get(id);
    if (bucket == null) {
      return BucketCode.ABSENT;
    }
    if (!bucket.history.equals(history)) {
      return BucketCode.LOST;
    }
    if (bucket.mark != Mark.NONE) {
      return BucketCode.LOADING;
    }
    return bucket.isWhole() ? BucketCode.OK : BucketCode.LOST;
  }

  EmptyBucket soldOut(BucketId id, BucketCode code, long nowMs) {
    if (code != BucketCode.OK) {
      return new EmptyBucket(code, 0, 0, 0, StockStore.UNKNOWN, Contents.UNKNOWN, 0);
    }
    InMemoryBucket bucket = Objects.requireNonNull(buckets.get(id));
    boolean sells = bucket.stateAt(nowMs) == SkuState.OPEN;
    long leftMs = sells ? bucket.soldOutUntilMs - nowMs : 0;
    if (leftMs <= 0 || leftMs > StockStore.SOLD_OUT_MAX_MS) {
      leftMs = sells && bucket.available() <= 0 ? StockStore.SOLD_OUT_MAX_MS : 0;
      bucket.soldOutUntilMs = leftMs > 0 ? nowMs + leftMs : bucket.soldOutUntilMs;
    }
    long known = bucket.skuTotal.orElse(StockStore.UNKNOWN);
    return new EmptyBucket(
        code,
        bucket.total,
        bucket.released,
        bucket.version,
        known,
        bucket.contents(),
        (int) leftMs);
  }
}
