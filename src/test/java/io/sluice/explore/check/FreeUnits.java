package io.sluice.explore.check;

import io.sluice.explore.actor.Buyer;
import io.sluice.explore.run.Sale;
import io.sluice.explore.run.World;
import io.sluice.ledger.BucketRow;
import io.sluice.model.BucketId;
import io.sluice.stock.BucketCode;
import io.sluice.stock.StockStore.Snapshot;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/** Since when units have been free, so that a buyer who hears "sold out" can be believed or not. */
final class FreeUnits {
  private final World world;

  /** By units and bucket: since when this many were available without interruption, or -1. */
  private final Map<Integer, Map<BucketId, Long>> sinceUs = new HashMap<>();

  /** The SKUs of which no unit is free now. */
  private final Set<Long> soldOut = new HashSet<>();

  /** By SKU: when it was last known that no unit was free. */
  private final Map<Long, Long> soldOutUs = new HashMap<>();

  FreeUnits(World world) {
    this.world = world;
  }

  /** Called after each change, with what Redis has of each bucket. */
  void watch(Map<BucketId, Snapshot> seen) {
    seen.forEach(this::watch);
    for (long skuId : Sale.skus(world.scenario())) {
      noteWhereSoldOut(skuId);
      long free =
          Sale.buckets(world.scenario(), skuId).stream()
              .mapToLong(id -> free(id, seen.get(id)))
              .sum();
      if (free <= 0 || world.restored().anyUntrusted()) {
        soldOut.add(skuId);
      } else {
        soldOut.remove(skuId);
      }
      noteWhereSoldOut(skuId);
    }
  }

  private void watch(BucketId id, Snapshot seen) {
    long nowUs = world.scheduler().nowUs();
    for (int units = 1; units <= Buyer.UNITS_MAX; units++) {
      boolean free = seen.code() == BucketCode.OK && seen.available() >= units;
      sinceUs
          .computeIfAbsent(units, first -> new HashMap<>())
          .merge(id, free ? nowUs : -1, (was, now) -> was >= 0 && now >= 0 ? was : now);
    }
  }

  private void noteWhereSoldOut(long skuId) {
    if (soldOut.contains(skuId)) {
      soldOutUs.put(skuId, world.scheduler().nowUs());
    }
  }

  /**
   * Units that move are in no bucket, but in the ledger: what no order takes is free. Of grants
   * that only a former primary has, its successor and the ledger cannot know.
   */
  private long free(BucketId id, Snapshot seen) {
    BucketRow row = world.ledger().bucket(id).result().orElseThrow();
    Snapshot before = world.redis().asCutOff(id);
    long taken = taken(row, seen);
    return row.total() - (before == null ? taken : Math.max(taken, taken(row, before)));
  }

  private static long taken(BucketRow row, Snapshot seen) {
    boolean shows = seen.code() == BucketCode.OK && seen.epoch() == row.epoch();
    return shows ? seen.claimed() - seen.released() : row.counted();
  }

  /** Whether some bucket could have granted this many units at any time since then. */
  boolean wereInABucketSince(long skuId, int units, long thenUs) {
    return sinceUs.getOrDefault(units, Map.of()).entrySet().stream()
        .anyMatch(
            free ->
                free.getKey().skuId() == skuId
                    && free.getValue() >= 0
                    && free.getValue() <= thenUs);
  }

  /**
   * Whether a unit was free at each instant since then, in some bucket or on its way between two,
   * and for so long before. Not known where the total changes.
   */
  boolean wereSomewhereSince(long skuId, long thenUs, long atLeastUs) {
    boolean known =
        world.scenario().restocks() == 0
            && world.scenario().checks().vanishings() == 0
            && !world.drift().suspendsInvariants();
    if (!known || soldOut.contains(skuId)) {
      return false;
    }
    return soldOutUs.getOrDefault(skuId, -1L) < thenUs - atLeastUs;
  }
}
