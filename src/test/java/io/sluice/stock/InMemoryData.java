package io.sluice.stock;

import io.sluice.model.BucketId;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** The data of all buckets at one moment. */
public final class InMemoryData {
  final Map<BucketId, InMemoryBucket> buckets = new TreeMap<>();

  InMemoryData copy() {
    InMemoryData copy = new InMemoryData();
    buckets.forEach((id, bucket) -> copy.buckets.put(id, bucket.copy()));
    return copy;
  }

  static boolean areAsked(List<BucketId> ids) {
    return !ids.isEmpty() && ids.size() <= StockStore.BUCKETS_MAX;
  }

  boolean areQuiet(List<BucketId> ids) {
    return ids.stream().allMatch(this::isQuiet);
  }

  private boolean isQuiet(BucketId id) {
    InMemoryBucket bucket = buckets.get(id);
    return bucket != null && bucket.unbooked().isEmpty();
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
}
