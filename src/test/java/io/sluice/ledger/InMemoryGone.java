package io.sluice.ledger;

import io.sluice.model.BucketId;
import io.sluice.model.Placement.PlacedBucket;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.ToIntFunction;
import java.util.stream.Stream;

/** Buckets that have ended, and the partitions that buckets have left. */
final class InMemoryGone {
  final Set<BucketId> ended = new HashSet<>();
  final Set<PlacedBucket> left = new HashSet<>();

  void replace(InMemoryGone other) {
    ended.clear();
    ended.addAll(other.ended);
    left.clear();
    left.addAll(other.left);
  }

  /**
   * Those that are gone from a partition.
   *
   * @param partitionOf where a bucket is now
   */
  List<BucketId> page(
      int partition, Optional<BucketId> after, int limit, ToIntFunction<BucketId> partitionOf) {
    Stream<BucketId> here = ended.stream().filter(id -> partitionOf.applyAsInt(id) == partition);
    Stream<BucketId> elsewhere =
        left.stream()
            .filter(place -> place.partition() == partition)
            .map(PlacedBucket::id)
            .filter(id -> partitionOf.applyAsInt(id) != partition);
    return Stream.concat(here, elsewhere)
        .sorted()
        .filter(id -> after.isEmpty() || id.compareTo(after.get()) > 0)
        .limit(limit)
        .toList();
  }
}
