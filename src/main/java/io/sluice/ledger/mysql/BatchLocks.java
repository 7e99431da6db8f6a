package io.sluice.ledger.mysql;

import io.sluice.ledger.mysql.BucketTable.LockedBucket;
import io.sluice.ledger.rules.BatchSnapshot;
import io.sluice.model.BucketId;
import io.sluice.model.Command;
import io.sluice.model.OrderToken;
import io.sluice.model.Sku;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/** The buckets that a batch has locked, as they were then. */
final class BatchLocks {
  /** No partition, not that of direct SKUs either. */
  static final int ANY_PARTITION = Integer.MIN_VALUE;

  private final Map<BucketId, LockedBucket> locked = new TreeMap<>();
  private final Map<BucketId, BatchSnapshot.Bucket> counters = new TreeMap<>();
  private final Map<BucketId, Integer> foreign = new TreeMap<>();
  private final Map<BucketId, Integer> elsewhere = new TreeMap<>();
  private int partition;

  /**
   * @param partition of the batch; {@link #ANY_PARTITION} for that of its first bucket that a
   *     command names
   */
  BatchLocks(int partition) {
    this.partition = partition;
  }

  /**
   * The buckets to lock, in their order.
   *
   * @param skus of which all are locked
   */
  static Set<BucketId> buckets(List<Command> commands, Set<OrderToken> lines, List<Sku> skus) {
    Set<BucketId> all = BatchSnapshot.bucketsOf(commands);
    lines.forEach(line -> all.add(line.bucketId()));
    for (Sku sku : skus) {
      for (int bucket = 0; bucket < sku.buckets(); bucket++) {
        all.add(new BucketId(sku.skuId(), bucket));
      }
    }
    return all;
  }

  void take(List<LockedBucket> rows, List<Command> commands) {
    Set<BucketId> named = named(commands);
    if (partition == ANY_PARTITION) {
      rows.stream()
          .filter(row -> named.contains(row.id()))
          .findFirst()
          .ifPresent(first -> partition = first.partition());
    }
    for (LockedBucket bucket : rows) {
      take(bucket, named.contains(bucket.id()));
    }
  }

  /** The buckets that commands are sent to. A line may be elsewhere than the lead of its order. */
  private static Set<BucketId> named(List<Command> commands) {
    Set<BucketId> named = new HashSet<>();
    for (Command command : commands) {
      OrderToken token = command.token();
      if (token != null) {
        named.add(token.bucketId());
      }
    }
    return named;
  }

  private void take(LockedBucket bucket, boolean isNamed) {
    boolean isHere = bucket.partition() == partition;
    if (!isHere && isNamed) {
      foreign.put(bucket.id(), bucket.partition());
      return;
    }
    if (!isHere) {
      elsewhere.put(bucket.id(), bucket.partition());
    }
    locked.put(bucket.id(), bucket);
    counters.put(bucket.id(), bucket.counters());
  }

  int partition() {
    return partition;
  }

  /** Those that the batch may change. */
  Map<BucketId, LockedBucket> locked() {
    return locked;
  }

  /** Their counters. */
  Map<BucketId, BatchSnapshot.Bucket> counters() {
    return counters;
  }

  /** Those in other partitions, with which the batch has nothing to do. */
  Map<BucketId, Integer> foreign() {
    return foreign;
  }

  /** Those in other partitions that the batch may change: of its orders, or of whole SKUs. */
  Map<BucketId, Integer> elsewhere() {
    return elsewhere;
  }
}
