package io.sluice.ledger.mysql;

import io.sluice.ledger.mysql.LedgerRows.LockedBucket;
import io.sluice.ledger.rules.BatchChanges;
import io.sluice.ledger.rules.BatchSnapshot;
import io.sluice.ledger.rules.OrderMove;
import io.sluice.ledger.rules.OrderNote;
import io.sluice.model.BucketId;
import io.sluice.model.Order;
import io.sluice.model.OrderStatus;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;

/** The buckets that have new rows after a batch, or other counters. */
final class WrittenBuckets {
  private WrittenBuckets() {}

  /**
   * @param counters of the buckets before the batch
   * @param locked the same buckets as they were locked
   */
  static List<BucketTable.Written> of(
      BatchChanges changes,
      Map<BucketId, BatchSnapshot.Bucket> counters,
      Map<BucketId, LockedBucket> locked) {
    Map<BucketId, BatchSnapshot.Bucket> after = new TreeMap<>();
    Map<BucketId, Long> rejects = new HashMap<>();
    Map<BucketId, Long> notes = new HashMap<>();
    for (Order order : changes.inserted()) {
      BucketId id = order.token().bucketId();
      after.computeIfAbsent(id, counters::get);
      if (order.status() == OrderStatus.REJECTED) {
        rejects.merge(id, 1L, Long::sum);
      }
    }
    for (OrderMove move : changes.moves()) {
      after.computeIfAbsent(move.after().token().bucketId(), counters::get);
    }
    for (OrderNote note : changes.notes()) {
      BucketId id = note.after().token().bucketId();
      after.computeIfAbsent(id, counters::get);
      notes.merge(id, 1L, Long::sum);
    }
    changes.buckets().forEach(change -> after.put(change.after().id(), change.after()));
    return after.values().stream()
        .map(
            bucket ->
                new BucketTable.Written(
                    Objects.requireNonNull(locked.get(bucket.id())),
                    bucket,
                    rejects.getOrDefault(bucket.id(), 0L),
                    notes.getOrDefault(bucket.id(), 0L),
                    changes.gathered().getOrDefault(bucket.id(), 0L)))
        .toList();
  }
}
