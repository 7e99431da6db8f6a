package io.sluice.bench.site;

import io.sluice.testkit.mysql.LedgerReader;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.IntToLongFunction;

/** The partition of each bucket, as the ledger has it; asked for all at once, and then kept. */
final class Places {
  private final LedgerReader ledger;
  private Map<Long, Map<Integer, Long>> partitions = Map.of();

  Places(LedgerReader ledger) {
    this.ledger = ledger;
  }

  long partition(long skuId, int bucket) {
    return of(skuId).getOrDefault(bucket, -1L);
  }

  /** Whether Redis has anything of it: direct SKUs are in the ledger alone. */
  boolean isInRedis(long skuId) {
    return partition(skuId, 0) >= 0;
  }

  /** The sum over all buckets that are in Redis. */
  long sum(long skuId, IntToLongFunction ofBucket) {
    return isInRedis(skuId)
        ? of(skuId).keySet().stream().mapToLong(ofBucket::applyAsLong).sum()
        : 0;
  }

  private Map<Integer, Long> of(long skuId) {
    if (!partitions.containsKey(skuId)) {
      Map<Long, Map<Integer, Long>> read = new TreeMap<>();
      ledger
          .query("SELECT sku_id, bucket, partition_id FROM inventory_bucket", row -> row)
          .forEach(
              row ->
                  read.computeIfAbsent(row.getLong(0), any -> new TreeMap<>())
                      .put(row.getInteger(1), row.getLong(2)));
      partitions = read;
    }
    return partitions.getOrDefault(skuId, Map.of());
  }
}
