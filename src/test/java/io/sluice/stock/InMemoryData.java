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

  boolean areQuiet(List<BucketId> ids) {
    return ids.stream().allMatch(this::isQuiet);
  }

  private boolean isQuiet(BucketId id) {
    InMemoryBucket bucket = buckets.get(id);
    return bucket != null && bucket.unbooked().isEmpty();
  }
}
